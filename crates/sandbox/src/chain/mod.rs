//! A simulated chain that mines a block with the takers' transactions every second.

mod transaction;

use std::{
    collections::BTreeMap,
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use actix_web::rt::time::sleep;
use alloy_primitives::B256;
use firmquote_desk::{Desk, ExecutedSwap, ObservedBlock};
use firmquote_domain::{Address, Amount, PoolId, Price, Timestamp, U256};
use firmquote_market::{AssetState, Market, PoolState, Snapshot, Trusted};

use self::transaction::ExecutedOffer;
pub(crate) use self::transaction::{Revert, Transaction};
use crate::{Fault, bounded_map::BoundedMap};

/// The time between two blocks.
const BLOCK_TIME: Duration = Duration::from_secs(1);

/// The number of the first block.
const FIRST_BLOCK: u64 = 1_000;

/// The number of retained blocks; swaps of older ones stay executed.
const RETAINED_BLOCKS: u64 = 128;

/// The number of blocks for which a swap to be reorganized stays executed, and then is not executed.
const REORGANIZATION_BLOCKS: u64 = 3;

/// The number of blocks for which a lowered price stays lower.
const PRICE_DROP_BLOCKS: u64 = 3;

/// The reduction of a lowered price, in percent.
const PRICE_DROP_PERCENT: u64 = 1;

/// Maximum number of transactions waiting for the next block, and of remembered swaps.
const MAX_SWAPS: usize = 10_000;

/// The outcome of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Receipt {
    /// Included in the next block, or nowhere if it was to be dropped.
    Accepted {
        /// The hash of the transaction.
        hash: B256,
    },
    /// It reverts.
    Reverted {
        /// The hash of the transaction.
        hash: B256,
        /// The reason.
        reason: Revert,
    },
}

/// The chain, with the desk that follows it.
pub(crate) struct SimulatedChain {
    desk: Arc<Desk>,
    /// The prices, and the reserves of the pools before any swap.
    source: Arc<Market>,
    chain: Mutex<Chain>,
}

#[derive(Default)]
struct Chain {
    number: u64,
    /// Numbers the transactions.
    nonce: u64,
    pools: BTreeMap<PoolId, PoolSwaps>,
    /// The tokens whose price is lower, each until a block.
    lowered_prices: Vec<(Address, u64)>,
    /// The digests of executed offers.
    executed: BoundedMap<B256, (), MAX_SWAPS>,
}

/// The executed swaps of a pool.
#[derive(Default)]
struct PoolSwaps {
    /// Inflow and outflow of each token in blocks that are no longer retained.
    settled: BTreeMap<Address, (U256, U256)>,
    swaps: Vec<MinedSwap>,
}

/// A swap in its block.
#[derive(Clone, Debug)]
struct MinedSwap {
    execution: ExecutedOffer,
    block: u64,
    time: Timestamp,
    /// Whether the block will be replaced.
    reorganizes: bool,
}

impl MinedSwap {
    /// Whether the swap is executed as of block `head`.
    const fn is_executed(&self, head: u64) -> bool {
        self.block <= head
    }
}

impl SimulatedChain {
    /// Starts a chain with the pools of `source`, for a desk with its own market.
    pub(crate) fn new(desk: Arc<Desk>, source: Arc<Market>) -> Self {
        let pools = desk.pools.iter().map(|pool| (pool.id(), PoolSwaps::default())).collect();
        let chain = Mutex::new(Chain { number: FIRST_BLOCK, pools, ..Chain::default() });
        let simulated = Self { desk, source, chain };
        simulated.publish();
        simulated
    }

    /// Sends a transaction; `None` if it calls no pool.
    pub(crate) fn send(&self, transaction: &Transaction, fault: Option<Fault>) -> Option<Receipt> {
        let pool = self.desk.pools.iter().find(|pool| pool.id().address == transaction.to)?;
        let now = self.desk.clock.now();
        let mut chain = self.lock();
        chain.nonce += 1;
        let (nonce, next) = (chain.nonce, chain.number + 1);
        let reverted = |reason| Receipt::Reverted { hash: transaction.hash(nonce), reason };
        let execution = match transaction.execute(pool, nonce, now) {
            Ok(execution) => execution,
            Err(reason) => return Some(reverted(reason)),
        };
        let (hash, digest) = (execution.hash, execution.digest);
        if fault == Some(Fault::Dropped) {
            return Some(Receipt::Accepted { hash });
        }
        if chain.executed.contains(&digest) {
            return Some(reverted(Revert::Used));
        }
        let swaps = &mut chain.pools.entry(pool.id()).or_default().swaps;
        if swaps.len() >= MAX_SWAPS {
            return Some(reverted(Revert::Full));
        }
        let reorganizes = fault == Some(Fault::Reorged);
        swaps.push(MinedSwap { execution, block: next, time: now, reorganizes });
        chain.executed.insert(digest, ());
        Some(Receipt::Accepted { hash })
    }

    /// Lowers the price of `token` for a few blocks, so that quotes with this input no longer hold. Returns whether it
    /// was not lower already.
    pub(crate) fn lower_price(&self, token: Address) -> bool {
        let mut chain = self.lock();
        if chain.lowered_prices.iter().any(|(lowered, _)| *lowered == token) {
            return false;
        }
        let until = chain.number + PRICE_DROP_BLOCKS;
        chain.lowered_prices.push((token, until));
        drop(chain);
        self.publish();
        true
    }

    /// Mines a block every second.
    pub(crate) async fn run(&self) -> Infallible {
        loop {
            sleep(BLOCK_TIME).await;
            self.mine().await;
        }
    }

    /// Mines a block. A desk whose store cannot be reached catches up with the next one.
    pub(crate) async fn mine(&self) {
        let now = self.desk.clock.now();
        self.lock().advance();
        self.publish();
        for (pool, block) in self.observed(now) {
            // The next block repeats the events of this one.
            drop(self.desk.observe(pool, &block).await);
        }
    }

    /// Returns the newest block of each pool, for the desk.
    fn observed(&self, now: Timestamp) -> Vec<(PoolId, ObservedBlock)> {
        let chain = self.lock();
        let number = chain.number;
        let since = number.saturating_sub(RETAINED_BLOCKS);
        let block = |(id, pool): (&PoolId, &PoolSwaps)| {
            let swaps = pool.swaps.iter().filter(|swap| swap.is_executed(number)).map(executed).collect();
            (*id, ObservedBlock { max_age_seconds: 60, number, time: now, since, counted_until: number, swaps })
        };
        chain.pools.iter().map(block).collect()
    }

    /// Publishes the reserves of the newest block to the market.
    fn publish(&self) {
        let (chain, source) = (self.lock(), self.source.snapshot());
        let state = |snapshot: Snapshot, (id, pool): (&PoolId, &PoolSwaps)| match source.pool(*id) {
            Some(first) => {
                let state = pool.state(first, self.tokens(*id), &chain.lowered_prices, chain.number);
                snapshot.with(*id, state)
            }
            None => snapshot,
        };
        self.desk.market.replace(chain.pools.iter().fold(Snapshot::clone(&source), state));
    }

    fn tokens(&self, id: PoolId) -> Vec<Address> {
        let pool = self.desk.pools.iter().find(|pool| pool.id() == id);
        pool.map_or_else(Vec::new, |pool| {
            pool.signer().pool().spec().assets.iter().map(|asset| asset.address).collect()
        })
    }

    /// Ignores poisoning: every change is complete, so a panic elsewhere leaves the chain consistent.
    fn lock(&self) -> MutexGuard<'_, Chain> {
        self.chain.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Chain {
    /// Adds a block: swaps that are due for reorganization move to a later block, and old ones are folded into the
    /// reserves.
    fn advance(&mut self) {
        self.number += 1;
        let number = self.number;
        self.lowered_prices.retain(|(_, until)| number < *until);
        for pool in self.pools.values_mut() {
            for swap in pool.swaps.iter_mut().filter(|swap| swap.reorganizes) {
                if swap.block + REORGANIZATION_BLOCKS == number {
                    (swap.block, swap.reorganizes) = (number + REORGANIZATION_BLOCKS, false);
                }
            }
            pool.forget(number.saturating_sub(RETAINED_BLOCKS));
        }
    }
}

impl PoolSwaps {
    /// Settles the swaps of blocks before `first` for good.
    fn forget(&mut self, first: u64) {
        let (old, remembered) = std::mem::take(&mut self.swaps).into_iter().partition(|swap| swap.block < first);
        self.swaps = remembered;
        let old: Vec<MinedSwap> = old;
        for swap in old {
            add(&mut self.settled, &swap);
        }
    }

    fn state(&self, first: &PoolState, tokens: Vec<Address>, lowered: &[(Address, u64)], head: u64) -> PoolState {
        let mut flows = self.settled.clone();
        self.swaps.iter().filter(|swap| swap.is_executed(head)).for_each(|swap| add(&mut flows, swap));
        let asset = |(asset, token): (&AssetState, Address)| {
            let (inflow, outflow) = flows.get(&token).copied().unwrap_or_default();
            let reserve = asset.reserve.clone().map(|reserve| Trusted {
                value: Amount::new((reserve.value.base_units() + inflow).saturating_sub(outflow))
                    .unwrap_or(reserve.value),
                ..reserve
            });
            let is_lowered = lowered.iter().any(|(lowered, _)| *lowered == token);
            let price = asset.price.clone().map(|price| if is_lowered { lower(price) } else { price });
            AssetState { price, reserve }
        };
        let assets = first.assets.iter().zip(tokens).map(asset).collect();
        PoolState { assets, block: Some(head), ..first.clone() }
    }
}

fn add(flows: &mut BTreeMap<Address, (U256, U256)>, swap: &MinedSwap) {
    let event = &swap.execution.event;
    let input = &mut flows.entry(event.input_token).or_default().0;
    *input = input.saturating_add(event.input_amount);
    let output = &mut flows.entry(event.output_token).or_default().1;
    *output = output.saturating_add(event.output_amount);
}

fn lower(price: Trusted<Price>) -> Trusted<Price> {
    let steps = price.value.steps();
    Trusted { value: Price::new(steps - steps / 100 * PRICE_DROP_PERCENT).unwrap_or(price.value), ..price }
}

fn executed(swap: &MinedSwap) -> ExecutedSwap {
    ExecutedSwap {
        transaction_hash: swap.execution.hash,
        log_index: 0,
        block_number: swap.block,
        block_time: swap.time.seconds(),
        event: swap.execution.event.clone(),
    }
}
