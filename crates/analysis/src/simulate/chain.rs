//! The simulated chain: it executes signed swaps in its next block, and moves the reserves by them.

use std::collections::{BTreeMap, VecDeque};

use firmquote_calldata::SwappedEvent;
use firmquote_desk::{ExecutedSwap, ObservedBlock};
use firmquote_domain::{Address, B256, PoolId, SignedQuote, Timestamp, U256};
use firmquote_market::{Reserves, Trusted};

use crate::BlockBalances;

/// How many blocks executed swaps are reported for: more than a swap may be valid, and than a reorganization may replace.
const REPORTED_BLOCKS: u64 = 400;
/// How long reserves are trusted, in seconds.
const MAX_AGE_SECONDS: u32 = 600;

/// The chain of all pools.
pub(super) struct Chain {
    number: u64,
    transactions: u64,
    /// The balances of each pool, and its executed swaps of the latest blocks.
    pools: BTreeMap<PoolId, PoolContract>,
    pending: Vec<SignedQuote>,
}

#[derive(Default)]
struct PoolContract {
    balances: Vec<(Address, U256)>,
    executed: VecDeque<ExecutedSwap>,
}

/// A block as a pool sees it.
pub(super) struct PoolBlock {
    pub(super) pool: PoolId,
    pub(super) block: ObservedBlock,
    pub(super) reserves: Trusted<Reserves>,
}

impl PoolBlock {
    /// What the contract holds.
    pub(super) fn balances(&self) -> BlockBalances<'_> {
        let Reserves { ref balances, pool_tokens, .. } = self.reserves.value;
        BlockBalances { hash: B256::left_padding_from(&self.block.number.to_be_bytes()), balances, pool_tokens }
    }
}

impl Chain {
    /// Creates a chain of pools with these balances.
    pub(super) fn new(pools: impl IntoIterator<Item = (PoolId, Vec<(Address, U256)>)>) -> Self {
        let contract = |(pool, balances)| (pool, PoolContract { balances, executed: VecDeque::new() });
        Self { number: 1_000, transactions: 0, pools: pools.into_iter().map(contract).collect(), pending: Vec::new() }
    }

    /// Sends a swap, for the next block.
    pub(super) fn send(&mut self, signed: SignedQuote) {
        self.pending.push(signed);
    }

    /// Returns the balances of a pool.
    pub(super) fn balances(&self, pool: PoolId) -> &[(Address, U256)] {
        self.pools.get(&pool).map_or(&[], |contract| &contract.balances)
    }

    /// Mines a block. Returns what each pool sees of it, and the swaps that it executed.
    pub(super) fn mine(&mut self, time: Timestamp) -> (Vec<PoolBlock>, Vec<(SignedQuote, ExecutedSwap)>) {
        self.number += 1;
        let mut executed = Vec::new();
        for signed in std::mem::take(&mut self.pending) {
            if signed.quote.good_until.expires_at() < time.seconds() {
                continue;
            }
            self.transactions += 1;
            let swap = ExecutedSwap {
                transaction_hash: B256::left_padding_from(&self.transactions.to_be_bytes()),
                log_index: 0,
                block_number: self.number,
                block_time: time.seconds(),
                event: SwappedEvent::from(&signed.offer()),
            };
            if let Some(contract) = self.pools.get_mut(&signed.quote.pool)
                && contract.execute(&swap)
            {
                executed.push((signed, swap));
            }
        }
        let number = self.number;
        let blocks = self.pools.iter_mut().map(|(pool, contract)| contract.block(*pool, number, time)).collect();
        (blocks, executed)
    }
}

impl PoolContract {
    /// Moves the balances, unless the output exceeds them.
    fn execute(&mut self, swap: &ExecutedSwap) -> bool {
        let event = &swap.event;
        let balance = |token: Address, balances: &[(Address, U256)]| {
            balances.iter().find(|(known, _)| *known == token).map(|(_, balance)| *balance)
        };
        let input = balance(event.input_token, &self.balances).and_then(|it| it.checked_add(event.input_amount));
        let output = balance(event.output_token, &self.balances).and_then(|it| it.checked_sub(event.output_amount));
        let (Some(input), Some(output)) = (input, output) else { return false };
        for (token, balance) in &mut self.balances {
            if *token == event.input_token {
                *balance = input;
            } else if *token == event.output_token {
                *balance = output;
            }
        }
        self.executed.push_back(swap.clone());
        true
    }

    fn block(&mut self, pool: PoolId, number: u64, time: Timestamp) -> PoolBlock {
        let since = number.saturating_sub(REPORTED_BLOCKS);
        while self.executed.front().is_some_and(|swap| swap.block_number < since) {
            self.executed.pop_front();
        }
        let block = ObservedBlock {
            number,
            time,
            since,
            counted_until: number - 1,
            max_age_seconds: MAX_AGE_SECONDS,
            swaps: self.executed.iter().cloned().collect(),
            is_confirmed: true,
            is_deeply_reorganized: false,
        };
        let value = Reserves { balances: self.balances.clone(), block: Some(number), ..Reserves::default() };
        PoolBlock { pool, block, reserves: Trusted { value, since: time, until: time.plus_seconds(MAX_AGE_SECONDS) } }
    }
}
