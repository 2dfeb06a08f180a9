//! Records the blocks of pools, and notices changes of balances that nothing explains.

use std::{collections::HashMap, sync::Arc};

use firmquote_analysis::{DeskEncoder, TapeRecord, balance_flows};
use firmquote_desk::{ExecutedSwap, ObservedBlock};
use firmquote_domain::{B256, PoolId, PoolSpec, Timestamp};
use firmquote_market::chain::PoolReserves;
use firmquote_tape::{BlockRow, RecordedBalance, RecordedSwap, TapeRecorder};
use prometheus::{IntCounterVec, Registry, register_int_counter_vec_with_registry};

use super::Tape;

/// How many blocks swaps are remembered for: longer than any reorganization that is not too deep.
const MAX_BLOCKS: u64 = 512;

/// Where blocks are recorded. Cheap to clone.
#[derive(Clone)]
pub(crate) struct BlockTape {
    recorder: Option<Arc<TapeRecorder<DeskEncoder>>>,
    unexplained: IntCounterVec,
}

/// The last block of a pool, with the swaps up to it.
#[derive(Default)]
pub(crate) struct BlockHistory {
    last: Option<BlockRow>,
    swaps: HashMap<SwapId, RecordedSwap>,
    /// The block from which on all swaps are known.
    since: u64,
}

/// The block, the transaction and the position of the event of a swap.
type SwapId = (u64, B256, u64);

impl BlockTape {
    /// Creates the recorder of blocks on `tape`, if there is one, and registers its metric.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn new(tape: Option<&Tape>, registry: &Registry, pools: &[PoolId]) -> prometheus::Result<Self> {
        let unexplained = register_int_counter_vec_with_registry!(
            "firmquote_unexplained_balance_changes_total",
            "Changes of the balances of a pool between two blocks that neither swaps nor deposits explain.",
            &["pool"],
            registry
        )?;
        for pool in pools {
            unexplained.get_metric_with_label_values(&[&pool.to_string()])?;
        }
        Ok(Self { recorder: tape.map(|tape| Arc::clone(&tape.0)), unexplained })
    }

    /// Records a block of the pool with `history`, unless nothing has changed since it was recorded.
    pub(crate) fn record(
        &self,
        history: &mut BlockHistory,
        spec: &PoolSpec,
        reserves: &PoolReserves,
        block: &ObservedBlock,
        now: Timestamp,
    ) {
        let before = history.last.take();
        let row = history.row(before.as_ref(), spec, reserves, block, now);
        let is_new = before
            .as_ref()
            .is_none_or(|before| before.hash != row.hash || before.balances != row.balances || !row.swaps.is_empty());
        if is_new {
            if let Some(before) = before.filter(|before| row.follows == Some(before.hash)) {
                self.check(&before, &row);
            }
            if let Some(recorder) = &self.recorder {
                recorder.record(TapeRecord::Block(Box::new(row.clone())));
            }
        }
        history.last = Some(row);
    }

    fn check(&self, before: &BlockRow, after: &BlockRow) {
        let pool = after.pool;
        for (token, flows) in balance_flows(before, after) {
            if !flows.is_explained() {
                let amount = flows.unexplained;
                self.unexplained.with_label_values(&[&pool.to_string()]).inc();
                tracing::warn!(
                    %pool, %token, %amount, block = after.number,
                    "the balance of the pool changed, and neither swaps nor deposits explain it"
                );
            }
        }
    }
}

impl BlockHistory {
    /// Returns the row of a block, with the swaps that changed since the one before.
    fn row(
        &mut self,
        before: Option<&BlockRow>,
        spec: &PoolSpec,
        reserves: &PoolReserves,
        block: &ObservedBlock,
        now: Timestamp,
    ) -> BlockRow {
        let current: HashMap<SwapId, RecordedSwap> = block.swaps.iter().map(recorded).collect();
        let reaches_back = |before: &&BlockRow| block.since <= before.number.saturating_add(1);
        let follows = before.filter(|_| !block.is_deeply_reorganized).filter(reaches_back).map(|before| before.hash);
        if follows.is_none() {
            (self.since, self.swaps) = (block.since, HashMap::new());
        }
        let is_known = |(number, ..): &SwapId| *number >= self.since;
        let new = current.iter().filter(|(id, _)| is_known(id) && !self.swaps.contains_key(*id));
        let undone = self.swaps.iter().filter(|((number, ..), _)| *number >= block.since);
        let undone = undone.filter(|(id, _)| !current.contains_key(*id));
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
        let balances = reserves.balances.iter();
        BlockRow {
            time: now,
            pool: spec.id,
            number: block.number,
            hash: reserves.block_hash,
            block_time: reserves.block_time,
            follows,
            pool_tokens: reserves.pool_tokens,
            balances: balances
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

#[cfg(test)]
mod tests {
    use firmquote_analysis::BalanceFlows;
    use firmquote_calldata::SwappedEvent;
    use firmquote_config::Config;
    use firmquote_domain::{Address, U256, UnixSeconds};

    use super::*;
    use crate::system_environment;

    /// A block of a chain: whether it has a swap, a deposit, a gift, and on which branch it is.
    #[derive(Clone, Copy)]
    struct Block {
        kind: u64,
        branch: u64,
    }

    /// Small numbers that look random (xorshift; Marsaglia, 2003).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % limit
        }
    }

    const TOKENS: [Address; 2] = [Address::repeat_byte(1), Address::repeat_byte(2)];

    /// Returns the first balance less that at the beginning, by gifts and deposits, and the second one, by swaps.
    fn totals(chain: &[Block]) -> [u64; 3] {
        let count = |kind| u64::try_from(chain.iter().filter(|block| block.kind == kind).count()).unwrap();
        [count(1), count(2), count(3)]
    }

    fn read(chain: &[Block], since: u64) -> (PoolReserves, ObservedBlock) {
        let number = u64::try_from(chain.len()).unwrap();
        let [swaps, deposits, gifts] = totals(chain);
        let swap = |(at, block): (usize, &Block)| {
            let block_number = u64::try_from(at).unwrap() + 1;
            let event = SwappedEvent {
                input_token: TOKENS[0],
                output_token: TOKENS[1],
                recipient: Address::ZERO,
                input_amount: U256::from(7),
                output_amount: U256::from(5),
                aux_data: Vec::new().into(),
            };
            (block.kind == 1 && block_number >= since).then(|| ExecutedSwap {
                transaction_hash: B256::from(U256::from(block_number * 1_000 + block.branch)),
                log_index: 0,
                block_number,
                block_time: UnixSeconds::new(1),
                event,
            })
        };
        let balances = [1_000_000 + 7 * swaps + 11 * deposits + 13 * gifts, 1_000_000 - 5 * swaps];
        let reserves = PoolReserves {
            block_number: number,
            block_hash: B256::from(U256::from(number * 1_000 + chain.last().unwrap().branch)),
            block_time: Timestamp::from_seconds(1),
            balances: TOKENS.into_iter().zip(balances.map(U256::from)).collect(),
            pool_tokens: U256::from(100 + deposits),
            events: None,
        };
        let block = ObservedBlock {
            max_age_seconds: 60,
            number,
            time: reserves.block_time,
            since,
            counted_until: 0,
            swaps: chain.iter().enumerate().filter_map(swap).collect(),
            is_confirmed: true,
            is_deeply_reorganized: false,
        };
        (reserves, block)
    }

    #[test]
    fn every_base_unit_is_explained_across_reorganizations() {
        let config = Config::demo(&[], &system_environment()).unwrap();
        let spec = config.pools[0].pool.spec();
        for seed in 1..200 {
            let (mut numbers, mut history) = (Numbers(seed * 0x9E37_79B9), BlockHistory::default());
            let mut chain = vec![Block { kind: 0, branch: 0 }; 300];
            let mut first: Option<[u64; 3]> = None;
            let mut flows = [BalanceFlows::default(), BalanceFlows::default()];
            let mut before: Option<BlockRow> = None;
            for branch in 1..120 {
                if numbers.below(5) == 0 {
                    chain.truncate(chain.len() - usize::try_from(numbers.below(12)).unwrap());
                }
                for _ in 0..=numbers.below(3) {
                    chain.push(Block { kind: numbers.below(6), branch });
                }
                // Events are requested since a block that moves to and fro, before any reorganization.
                let since = u64::try_from(chain.len()).unwrap() - 40 - numbers.below(40);
                let (reserves, block) = read(&chain, since);
                let row = history.row(before.as_ref(), spec, &reserves, &block, Timestamp::from_seconds(1));
                if let Some(before) = &before {
                    assert_eq!(row.follows, Some(before.hash));
                    for (token, step) in balance_flows(before, &row) {
                        flows[usize::from(token == TOKENS[1])] += step;
                    }
                }
                first.get_or_insert_with(|| totals(&chain));
                before = Some(row);
            }
            let changes: Vec<i64> = totals(&chain)
                .into_iter()
                .zip(first.unwrap())
                .map(|(last, first)| i64::try_from(last).unwrap() - i64::try_from(first).unwrap())
                .collect();
            let [input, output] = flows;
            let number = |amount: i64| amount.into();
            assert_eq!(
                (&input.swaps_in, &output.swaps_out),
                (&number(7 * changes[0]), &number(5 * changes[0])),
                "{seed}"
            );
            assert_eq!((&input.unobserved, &output.unobserved), (&number(0), &number(0)));
            assert!(output.is_explained(), "{output:?}");
            let gifts = input.deposited - input.withdrawn + input.unexplained;
            assert_eq!(gifts, number(11 * changes[1] + 13 * changes[2]), "{seed}");
        }
    }
}
