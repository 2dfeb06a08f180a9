//! A simulated chain that mines a block with the takers' transactions every second.

use std::{collections::BTreeMap, convert::Infallible, sync::Arc, time::Duration};

use actix_web::rt::time::sleep;
use alloy_primitives::B256;
use firmquote_desk::{Desk, ObservedBlock, ServedPool};
use firmquote_domain::{Address, ChainId, PoolId, Timestamp};
use firmquote_market::{Market, Snapshot};
use parking_lot::Mutex;

use super::{
    accounts::Accounts,
    block_times::BlockTimes,
    pool_swaps::{MinedSwap, PoolSwaps, executed_swap},
    sent_transaction::SentTransaction,
    transaction::{Revert, Transaction},
};
use crate::{Fault, bounded_map::BoundedMap};

/// The time between two blocks.
const BLOCK_TIME: Duration = Duration::from_secs(1);

/// The number of the first block.
const FIRST_BLOCK: u64 = 1_000;

/// The minimum number of retained blocks; swaps of older ones stay executed.
const MIN_RETAINED_BLOCKS: u64 = 128;

/// The number of blocks before a reorganization, and until the swap is executed again after it.
const REORGANIZATION_BLOCKS: u64 = 3;

/// The number of blocks for which a lowered price stays lower.
const PRICE_DROP_BLOCKS: u64 = 3;

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
    pub(super) desk: Arc<Desk>,
    /// The prices, and the reserves of the pools before any swap.
    source: Arc<Market>,
    pub(super) chain: Mutex<Chain>,
}

#[derive(Default)]
pub(super) struct Chain {
    pub(super) number: u64,
    /// Numbers the transactions.
    nonce: u64,
    pools: BTreeMap<PoolId, PoolSwaps>,
    /// The tokens whose price is lower, each until a block.
    price_drops: Vec<(Address, u64)>,
    /// The digests of executed offers.
    pub(super) executed: BoundedMap<B256, (), MAX_SWAPS>,
    /// When each block was mined.
    pub(super) times: BlockTimes,
    /// The transactions that were sent in their signed form.
    pub(super) sent: BoundedMap<B256, SentTransaction, MAX_SWAPS>,
    /// Their hashes by block, in the order in which they were sent.
    pub(super) hashes: BTreeMap<u64, Vec<B256>>,
    pub(super) accounts: Accounts,
}

impl SimulatedChain {
    /// Starts a chain with the pools of `source`, for a desk with its own market.
    pub(crate) fn new(desk: Arc<Desk>, source: Arc<Market>) -> Self {
        let pools = desk.pools.iter().map(|pool| (pool.id(), PoolSwaps::default())).collect();
        let times = BlockTimes::new(FIRST_BLOCK, desk.clock.now());
        let chain = Mutex::new(Chain { number: FIRST_BLOCK, pools, times, ..Chain::default() });
        let simulated = Self { desk, source, chain };
        simulated.publish();
        simulated
    }

    /// Sends a transaction without a signature; `None` if it calls no pool.
    pub(crate) fn send(&self, transaction: &Transaction, fault: Option<Fault>) -> Option<Receipt> {
        let pool = self.pool_at(None, transaction.to)?;
        let mut chain = self.chain.lock();
        chain.nonce += 1;
        let hash = transaction.hash(chain.nonce);
        Some(match self.execute(&mut chain, pool, transaction, hash, fault) {
            Ok(()) => Receipt::Accepted { hash },
            Err(reason) => Receipt::Reverted { hash, reason },
        })
    }

    /// Executes a swap in the next block, unless it is to be dropped.
    pub(super) fn execute(
        &self,
        chain: &mut Chain,
        pool: &ServedPool,
        transaction: &Transaction,
        hash: B256,
        fault: Option<Fault>,
    ) -> Result<(), Revert> {
        let (now, next) = (self.desk.clock.now(), chain.number + 1);
        let execution = transaction.execute(pool, hash, now)?;
        if fault == Some(Fault::Dropped) {
            return Ok(());
        }
        chain.check_room(pool.id(), &execution.digest)?;
        chain.executed.insert(execution.digest, ());
        let log_index = chain.hashes.get(&next).map_or(0, Vec::len);
        let swaps = &mut chain.pools.entry(pool.id()).or_default().swaps;
        let reorganizes = fault == Some(Fault::Reorged);
        swaps.push(MinedSwap { execution, block: next, log_index, reorganizes });
        Ok(())
    }

    /// Returns the pool with the contract `address`, on any chain or on `chain_id`.
    pub(super) fn pool_at(&self, chain_id: Option<ChainId>, address: Address) -> Option<&ServedPool> {
        let is_on = |pool: &&ServedPool| chain_id.is_none_or(|chain_id| chain_id == pool.id().chain_id);
        self.desk.pools.iter().filter(is_on).find(|pool| pool.id().address == address)
    }

    /// Lowers the price of `token` for a few blocks, so that quotes with this input conflict. Returns false if it is
    /// lowered already.
    pub(crate) fn lower_price(&self, token: Address) -> bool {
        let mut chain = self.chain.lock();
        if chain.price_drops.iter().any(|(dropped, _)| *dropped == token) {
            return false;
        }
        let until = chain.number + PRICE_DROP_BLOCKS;
        chain.price_drops.push((token, until));
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
        let needed_since = |pool, head| self.desk.pool(pool).and_then(|pool| pool.events_since(Some(head)));
        self.chain.lock().advance(now, needed_since);
        self.publish();
        for (pool, block) in self.newest_blocks(now) {
            // The next block repeats the events of this one.
            drop(self.desk.observe(pool, &block).await);
        }
    }

    /// Returns the newest block of each pool, for the desk.
    fn newest_blocks(&self, now: Timestamp) -> Vec<(PoolId, ObservedBlock)> {
        let chain = self.chain.lock();
        let number = chain.number;
        let block = |(id, pool): (&PoolId, &PoolSwaps)| {
            let swaps = pool.swaps.iter().filter(|swap| swap.is_executed(number));
            let swaps = swaps.map(|swap| executed_swap(swap, chain.times.get(swap.block).unwrap_or(now))).collect();
            (
                *id,
                ObservedBlock {
                    max_age_seconds: 60,
                    number,
                    time: now,
                    since: pool.since,
                    counted_until: number,
                    swaps,
                    is_confirmed: true,
                    is_deeply_reorganized: false,
                },
            )
        };
        chain.pools.iter().map(block).collect()
    }

    /// Publishes the reserves of the newest block to the market.
    fn publish(&self) {
        let (chain, source) = (self.chain.lock(), self.source.snapshot());
        let with_pool = |snapshot: Snapshot, (id, pool): (&PoolId, &PoolSwaps)| match source.pool(*id) {
            Some(initial) => {
                let state = pool.state(initial, self.tokens(*id), &chain.price_drops, chain.number);
                snapshot.with(*id, state)
            }
            None => snapshot,
        };
        self.desk.market.replace(chain.pools.iter().fold(Snapshot::clone(&source), with_pool));
    }

    fn tokens(&self, id: PoolId) -> Vec<Address> {
        let pool = self.desk.pools.iter().find(|pool| pool.id() == id);
        pool.map_or_else(Vec::new, |pool| {
            pool.signer().pool().spec().assets.iter().map(|asset| asset.address).collect()
        })
    }
}

impl Chain {
    /// Checks that an offer was not executed, and that the pool has room for another swap.
    ///
    /// # Errors
    /// The reason of the revert.
    pub(super) fn check_room(&self, pool: PoolId, digest: &B256) -> Result<(), Revert> {
        if self.executed.contains(digest) {
            return Err(Revert::Used);
        }
        let is_full = self.pools.get(&pool).is_some_and(|pool| pool.swaps.len() >= MAX_SWAPS);
        if is_full { Err(Revert::Full) } else { Ok(()) }
    }

    /// Adds a block: swaps that are due for reorganization move to a later block, and old ones are folded into the
    /// reserves, unless their events are still needed as of the new block: `needed_since` returns the first block whose
    /// are.
    fn advance(&mut self, now: Timestamp, needed_since: impl Fn(PoolId, u64) -> Option<u64>) {
        self.number += 1;
        let number = self.number;
        self.times.add(now);
        self.hashes = self.hashes.split_off(&self.times.first());
        self.price_drops.retain(|(_, until)| number < *until);
        for (id, pool) in &mut self.pools {
            for swap in pool.swaps.iter_mut().filter(|swap| swap.reorganizes) {
                if swap.block + REORGANIZATION_BLOCKS == number {
                    let hash = swap.execution.hash;
                    if let Some(sent) = self.sent.get_mut(&hash) {
                        sent.block = number + REORGANIZATION_BLOCKS;
                        self.hashes.entry(swap.block).or_default().retain(|included| *included != hash);
                        self.hashes.entry(sent.block).or_default().push(hash);
                    }
                    (swap.block, swap.reorganizes) = (number + REORGANIZATION_BLOCKS, false);
                }
            }
            pool.settle_before(
                needed_since(*id, number).unwrap_or(number).min(number.saturating_sub(MIN_RETAINED_BLOCKS)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use firmquote_domain::ChainId;

    use super::*;

    #[test]
    fn blocks_whose_events_the_desk_needs_are_retained() {
        let pool = PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::ZERO };
        let pools = BTreeMap::from([(pool, PoolSwaps::default())]);
        let mut chain = Chain { number: FIRST_BLOCK, pools, ..Chain::default() };
        for (needed, since) in [(None, 1_172), (Some(1_200), 1_200), (Some(1_550), 1_550), (None, 2_072)] {
            (0..300).for_each(|_| chain.advance(Timestamp::from_seconds(1), |_, _| needed));
            assert_eq!(chain.pools[&pool].since, since, "{needed:?}");
        }
    }
}
