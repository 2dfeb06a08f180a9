//! Blocks of pools as rows, each with what changed since the one before, also across a reorganization.

use std::collections::{BTreeMap, HashMap};

use firmquote_desk::{ExecutedSwap, ObservedBlock};
use firmquote_domain::{Address, B256, MAX_REORG_DEPTH, PoolSpec, Timestamp, U256};
use firmquote_tape::{BlockRow, RecordedBalance, RecordedSwap};

use crate::reconcile::{BalanceFlows, balance_flows};

/// How many blocks swaps are remembered for: longer than any reorganization that is not too deep.
const MAX_BLOCKS: u64 = 512;

/// The last block of a pool, with the swaps up to it.
#[derive(Debug, Default)]
pub struct BlockHistory {
    last: Option<BlockRow>,
    swaps: HashMap<SwapId, RecordedSwap>,
    /// The block from which on all swaps are known.
    since: u64,
}

/// The block, the transaction and the position of the event of a swap.
type SwapId = (u64, B256, u64);

/// What the contract of a pool holds at a block.
#[derive(Clone, Copy, Debug)]
pub struct BlockBalances<'b> {
    /// The hash of the block.
    pub hash: B256,
    /// Each token with its balance in base units.
    pub balances: &'b [(Address, U256)],
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
}

impl BlockHistory {
    /// Returns the row of a block that was read at `now`, with what changed each balance since the row before; `None` if
    /// nothing has changed, and without changes if it does not follow that row.
    pub fn record(
        &mut self,
        spec: &PoolSpec,
        block: &ObservedBlock,
        balances: BlockBalances<'_>,
        now: Timestamp,
    ) -> Option<(BlockRow, BTreeMap<Address, BalanceFlows>)> {
        let row = self.row(spec, block, balances, now);
        let before = self.last.replace(row.clone());
        let is_known = before
            .as_ref()
            .is_some_and(|before| before.hash == row.hash && before.balances == row.balances && row.swaps.is_empty());
        let before = before.filter(|before| row.follows == Some(before.hash));
        let flows = before.map(|before| balance_flows(&before, &row)).unwrap_or_default();
        (!is_known).then_some((row, flows))
    }

    fn row(&mut self, spec: &PoolSpec, block: &ObservedBlock, balances: BlockBalances<'_>, now: Timestamp) -> BlockRow {
        let current: HashMap<SwapId, RecordedSwap> = block.swaps.iter().map(recorded).collect();
        // Of blocks that are far lower than the last one it is not known what they replace.
        let is_near = |before: &BlockRow| block.number >= self.since.max(before.number.saturating_sub(MAX_REORG_DEPTH));
        let reaches_back = |before: &&BlockRow| is_near(before) && block.since <= before.number.saturating_add(1);
        let before = self.last.as_ref().filter(|_| !block.is_deeply_reorganized);
        let follows = before.filter(reaches_back).map(|before| before.hash);
        if follows.is_none() {
            (self.since, self.swaps) = (block.since, HashMap::new());
        }
        let is_known = |(number, ..): &SwapId| *number >= self.since;
        // A transaction may be executed at the same place of another branch, with other amounts.
        let new = current.iter().filter(|(id, swap)| is_known(id) && self.swaps.get(*id) != Some(*swap));
        let undone = self.swaps.iter().filter(|((number, ..), _)| *number >= block.since);
        let undone = undone.filter(|(id, swap)| current.get(*id) != Some(*swap));
        let undone = undone.map(|(_, swap)| RecordedSwap { is_undone: true, ..swap.clone() });
        let mut swaps: Vec<_> = new.map(|(_, swap)| swap.clone()).chain(undone).collect();
        swaps.sort_unstable_by_key(|swap| (swap.block, swap.log_index, swap.is_undone));
        self.since = self.since.max(block.number.saturating_sub(MAX_BLOCKS));
        let since = self.since;
        self.swaps.retain(|(number, ..), _| (since..block.since).contains(number));
        self.swaps.extend(current.into_iter().filter(|((number, ..), _)| *number >= since));
        let asset = |token| {
            let asset = spec.assets.iter().find(|asset| asset.address == token)?;
            Some((asset.symbol.clone(), asset.decimals))
        };
        BlockRow {
            time: now,
            pool: spec.id,
            number: block.number,
            hash: balances.hash,
            block_time: block.time,
            follows,
            pool_tokens: balances.pool_tokens,
            balances: balances
                .balances
                .iter()
                .map(|(token, balance)| RecordedBalance { token: *token, asset: asset(*token), balance: *balance })
                .collect(),
            // Of the first block it is not known since when.
            swaps: if follows.is_some() { swaps } else { Vec::new() },
        }
    }
}

fn recorded(swap: &ExecutedSwap) -> (SwapId, RecordedSwap) {
    let recorded = RecordedSwap {
        is_undone: false,
        block: swap.block_number,
        transaction: swap.transaction_hash,
        log_index: swap.log_index,
        input_token: swap.event.input_token,
        input_amount: swap.event.input_amount,
        output_token: swap.event.output_token,
        output_amount: swap.event.output_amount,
    };
    ((swap.block_number, swap.transaction_hash, swap.log_index), recorded)
}

/// Changes that nothing explains so far. A node may return the event of a swap one reading after its balances: only what is
/// still unexplained some rows later is.
#[derive(Debug, Default)]
pub struct UnexplainedChanges(BTreeMap<Address, (BalanceFlows, usize)>);

/// The number of rows for which a change may be explained.
const MAX_LATE_ROWS: usize = 3;

impl UnexplainedChanges {
    /// Adds what changed since the row before. Returns the changes that are not explained any more.
    pub fn add(&mut self, flows: BTreeMap<Address, BalanceFlows>) -> Vec<(Address, BalanceFlows)> {
        for (token, flows) in flows {
            let (sum, _) = self.0.entry(token).or_default();
            *sum += flows;
        }
        self.0.retain(|_, (sum, _)| !sum.is_explained());
        self.0.values_mut().for_each(|(_, rows)| *rows += 1);
        let final_changes = self.0.extract_if(.., |_, (_, rows)| *rows > MAX_LATE_ROWS);
        final_changes.map(|(token, (sum, _))| (token, sum)).collect()
    }
}
