//! The store in memory: for one replica, and gone with the process, pauses too.

mod capacity;
mod expiry_queue;
mod shard;
mod totals;

use std::{
    collections::BTreeSet,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use async_trait::async_trait;
use firmquote_domain::{Client, PoolId, Quote, QuoteId, SignedQuote, Terms, Timestamp};

use self::{capacity::Capacity, shard::Shard, totals::Totals};
use crate::{ClaimOutcome, FoundQuote, Occupancy, PauseBoard, QuoteStore, StoreError, VolumeCharge, VolumeOutcome};

/// A shard for every first byte of an id: random ids spread evenly, so that two requests seldom meet at a lock, and a map
/// that grows moves no more than a 256th of all quotes while others wait.
const SHARDS: usize = 256;

/// Deadlines that each new quote looks at in its shard: more than one, so that the dead go faster than the new come.
const SWEEP_PER_INSERT: usize = 64;

/// Deadlines that are looked at in every shard when the store is full.
const SWEEP_WHEN_FULL: usize = 64;

/// Two sweeps of all shards are at least about so far apart.
const SWEEP_INTERVAL_MICROS: u64 = 10_000;

/// Keeps quotes in memory, at most a configured number of them, the totals of the last minute, and pauses.
///
/// Each call locks one of 256 shards, the totals or the pauses, for a few hundred nanoseconds, and never waits for anything
/// else. What has expired is dropped as new quotes come in, the oldest first; only a store that has no room for a
/// client sweeps all shards.
#[derive(Debug)]
pub struct MemoryStore {
    shards: [Mutex<Shard>; SHARDS],
    capacity: Capacity,
    /// When all shards were swept last, in steps of [`SWEEP_INTERVAL_MICROS`].
    last_sweep: AtomicU64,
    totals: Mutex<Totals>,
    paused: Mutex<BTreeSet<PoolId>>,
}

impl MemoryStore {
    /// An empty store for at most `capacity` live quotes, signed ones included; up to 1 KiB each. A client
    /// alone gets three quarters of that; when the store fills up, the client that holds most is refused first.
    pub fn new(capacity: usize) -> Self {
        Self {
            shards: std::array::from_fn(|_| Mutex::default()),
            capacity: Capacity::new(capacity),
            last_sweep: AtomicU64::new(0),
            totals: Mutex::default(),
            paused: Mutex::default(),
        }
    }

    /// How many quotes are kept at present, those that expired and were not swept yet included.
    pub fn len(&self) -> usize {
        self.capacity.occupancy().quotes
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn shard(&self, id: QuoteId) -> MutexGuard<'_, Shard> {
        let [first, ..] = *id.as_bytes();
        let [shard, ..] = &self.shards;
        // There is one for every byte.
        lock(self.shards.get(usize::from(first)).unwrap_or(shard))
    }

    /// Takes a place for one more of `client`, sweeping every shard when there is none.
    fn acquire(&self, client: &Client, now: Timestamp) -> Result<(), StoreError> {
        self.capacity
            .acquire(client)
            .or_else(|refused| if self.sweep_all(now) { self.capacity.acquire(client) } else { Err(refused) })
    }

    /// Sweeps every shard, and returns whether it did: a client that is refused again and again has it done once in a while.
    fn sweep_all(&self, now: Timestamp) -> bool {
        let turn = now.as_micros() / SWEEP_INTERVAL_MICROS;
        if self.last_sweep.swap(turn, Ordering::Relaxed) == turn {
            return false;
        }
        for shard in &self.shards {
            lock(shard).sweep(now, SWEEP_WHEN_FULL, &self.capacity);
        }
        true
    }
}

/// A thread that panicked holding the lock left the shard whole: every change is one insertion or removal.
fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl QuoteStore for MemoryStore {
    async fn insert(&self, quote: &Quote, now: Timestamp) -> Result<(), StoreError> {
        self.acquire(&quote.client, now)?;
        let mut shard = self.shard(quote.id);
        shard.sweep(now, SWEEP_PER_INSERT, &self.capacity);
        if !shard.insert(quote) {
            self.capacity.release(&quote.client);
        }
        Ok(())
    }

    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<FoundQuote>, StoreError> {
        Ok(self.shard(id).find(id, now))
    }

    async fn claim(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<ClaimOutcome, StoreError> {
        Ok(self.shard(id).claim(id, client, terms, now))
    }

    async fn release(&self, id: QuoteId, terms: &Terms) -> Result<(), StoreError> {
        self.shard(id).release(id, terms);
        Ok(())
    }

    async fn record(&self, signed: SignedQuote, _now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.shard(signed.quote.id).record(&signed)
    }

    async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        let client = signed.quote.client.clone();
        self.acquire(&client, now)?;
        let (inserted, recorded) = self.shard(signed.quote.id).insert_signed(signed);
        if !inserted {
            self.capacity.release(&client);
        }
        recorded
    }

    async fn charge_volume(&self, charge: &VolumeCharge, now: Timestamp) -> Result<VolumeOutcome, StoreError> {
        // A thread that panicked holding the lock left totals that are whole: each change is of one counter.
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(totals.charge_volume(charge, now))
    }

    fn check_room(&self, client: &Client, now: Timestamp) -> Result<(), StoreError> {
        self.acquire(client, now)?;
        self.capacity.release(client);
        Ok(())
    }

    fn occupancy(&self) -> Option<Occupancy> {
        Some(self.capacity.occupancy())
    }

    async fn ping(&self, _now: Timestamp) -> Result<(), StoreError> {
        Ok(())
    }
}

impl MemoryStore {
    /// A thread that panicked holding the lock left the set whole: every change is one insertion or removal.
    fn paused_pools(&self) -> MutexGuard<'_, BTreeSet<PoolId>> {
        self.paused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl PauseBoard for MemoryStore {
    async fn set_paused(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError> {
        let mut paused = self.paused_pools();
        if is_paused {
            paused.insert(pool)
        } else {
            paused.remove(&pool)
        };
        Ok(())
    }

    async fn paused(&self) -> Result<BTreeSet<PoolId>, StoreError> {
        Ok(self.paused_pools().clone())
    }

    fn is_shared(&self) -> bool {
        false
    }
}
