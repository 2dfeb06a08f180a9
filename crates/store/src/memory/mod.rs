//! The in-memory store: for one replica; what it holds is lost when the process ends, but for what files retain.

mod books;
mod capacity;
mod commit;
mod expiry_queue;
mod files;
mod hedges;
mod levels;
mod pauses;
mod samples;
mod shard;
mod store;
mod swap_index;
mod totals;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use firmquote_domain::{Client, Hedge, PoolId, QuoteId, QuoteState, SignedQuote, SwapOutcome, Timestamp};
use parking_lot::{Mutex, MutexGuard};

use self::{
    books::Books,
    capacity::{Capacity, CapacityPermit},
    levels::FirmLevelTable,
    samples::SampleTable,
    shard::{Retention, Shard},
    swap_index::SwapIndex,
    totals::VolumeTotals,
};
use crate::{
    EventCursor, NamedTextsFile, PauseFile, PausedPools, PoolSample, SampleFile, StoreError, SwapPosition,
    ledger::LedgerFile,
};

/// One shard per first byte of an id: random ids spread evenly, so that requests rarely contend for a lock, and a
/// growing map moves at most 1/256 of all quotes while other requests wait.
const SHARDS: usize = 256;

/// Deadlines checked in its shard by each insert: more than one, so that expired quotes are removed faster than new
/// ones arrive.
const SWEEP_PER_INSERT: usize = 64;

/// Deadlines checked in every shard when the store is full.
const SWEEP_WHEN_FULL: usize = 64;

/// How long signed quotes are retained after their end by default, in seconds: a day.
pub const DEFAULT_STATUS_RETENTION_SECONDS: u32 = 86_400;

/// The approximate minimum interval between sweeps of all shards.
const SWEEP_INTERVAL_MICROS: u64 = 10_000;

/// An in-memory store of a bounded number of quotes, the totals of the last minute, the books of the pools, firm
/// levels, and pauses.
///
/// Each call locks one of 256 shards, the totals, the books, the levels or the pauses, for a few hundred nanoseconds,
/// and never waits for anything else. Inserts drop expired quotes, oldest first; all shards are swept only when there
/// is no room for a client.
#[derive(Debug)]
pub struct MemoryStore {
    /// Boxed, because a store is moved while it is set up.
    shards: Box<[Mutex<Shard>; SHARDS]>,
    capacity: Capacity,
    retention: Retention,
    /// Time of the last sweep of all shards, in units of [`SWEEP_INTERVAL_MICROS`].
    last_sweep: AtomicU64,
    totals: Mutex<VolumeTotals>,
    books: Mutex<Books>,
    levels: Mutex<FirmLevelTable>,
    swaps: Mutex<SwapIndex>,
    /// Unless a file has them.
    paused: Mutex<PausedPools>,
    /// The revoked credentials.
    revoked: Arc<Mutex<BTreeSet<String>>>,
    samples: Mutex<SampleTable>,
    hedges: hedges::HedgeTable,
    /// The positions of webhooks.
    deliveries: Arc<Mutex<BTreeMap<String, EventCursor>>>,
    /// Unless a file has them.
    estimates: Mutex<BTreeMap<String, String>>,
    files: files::Files,
}

impl MemoryStore {
    /// Creates an empty store for at most `capacity` live quotes, signed ones included, of up to 1 KiB each. A single
    /// client gets three quarters of the capacity; when the store fills up, the client that holds the most is refused
    /// first. A quarter as many signed quotes are retained after their end, for [`DEFAULT_STATUS_RETENTION_SECONDS`].
    pub fn new(capacity: usize) -> Self {
        let max_per_shard = capacity.div_ceil(4 * SHARDS);
        let retention = Retention { seconds: DEFAULT_STATUS_RETENTION_SECONDS, max_per_shard };
        Self {
            shards: Box::new(std::array::from_fn(|_| Mutex::default())),
            capacity: Capacity::new(capacity),
            retention,
            last_sweep: AtomicU64::new(0),
            totals: Mutex::default(),
            books: Mutex::default(),
            levels: Mutex::default(),
            swaps: Mutex::default(),
            paused: Mutex::default(),
            revoked: Arc::default(),
            samples: Mutex::default(),
            hedges: hedges::HedgeTable::default(),
            deliveries: Arc::default(),
            estimates: Mutex::default(),
            files: files::Files::default(),
        }
    }

    /// Sets for how many seconds signed quotes are retained after their end, so that their status can be read.
    #[must_use]
    pub const fn with_status_retention(mut self, seconds: u32) -> Self {
        self.retention.seconds = seconds;
        self
    }

    /// Appends every signature, and how its swap ended, to `ledger` before it is recorded.
    #[must_use]
    pub fn with_ledger(mut self, ledger: LedgerFile) -> Self {
        self.files.ledger = Some(ledger);
        self
    }

    /// Appends the entries of the operator's stream to `file`, which contained `hedges` with the times at which they were
    /// recorded.
    #[must_use]
    pub fn with_operator_file(
        mut self,
        file: LedgerFile,
        hedges: impl IntoIterator<Item = (Hedge, Timestamp)>,
    ) -> Self {
        self.files.operator = Some(file);
        self.hedges = hedges::HedgeTable::new(hedges);
        self
    }

    /// Retains samples in `file`, which contained `samples`.
    #[must_use]
    pub fn with_samples(mut self, file: SampleFile, samples: Vec<(PoolId, PoolSample)>) -> Self {
        for (pool, sample) in samples {
            self.samples.lock().store(pool, &sample);
        }
        self.files.samples = Some(file);
        self
    }

    /// Retains pauses in `file`.
    #[must_use]
    pub fn with_pauses(mut self, file: PauseFile) -> Self {
        self.files.pauses = Some(file);
        self
    }

    /// Retains estimates in `file`.
    #[must_use]
    pub fn with_estimates(mut self, file: NamedTextsFile) -> Self {
        self.files.estimates = Some(file);
        self
    }

    /// Retains the positions of deliveries in `file`.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn with_deliveries(mut self, file: NamedTextsFile) -> Result<Self, StoreError> {
        let texts = file.read().await?;
        // A position that cannot be read is one of no history: what may be missing is reported.
        let position = |text: String| text.parse().unwrap_or_else(|_| EventCursor::unknown());
        let positions = texts.into_iter().map(|(name, text)| (name, position(text)));
        self.deliveries = Arc::new(Mutex::new(positions.collect()));
        self.files.deliveries = Some(file);
        Ok(self)
    }

    /// Retains revocations of credentials in `file`.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn with_revocations(mut self, file: NamedTextsFile) -> Result<Self, StoreError> {
        self.revoked = Arc::new(Mutex::new(file.read().await?.into_keys().collect()));
        self.files.revoked = Some(file);
        Ok(self)
    }

    /// Marks the books as incomplete for swaps that were signed before `since`: while any of them may be executed, no
    /// further swap of a pool with an observed contract is entered.
    pub fn set_books_complete_since(&self, since: Timestamp) {
        self.books.lock().set_complete_since(since);
    }

    /// Stores a signature of an earlier process, with the outcome of its swap. One that has lapsed needs no
    /// permit; another for which there is none is not retained.
    pub fn restore_signed(&self, signed: SignedQuote, outcome: Option<SwapOutcome>, now: Timestamp) {
        let (id, client) = (signed.quote.id, signed.quote.client.clone());
        self.index_swap(&client, SwapPosition { signed_at: signed.signed_at, quote_id: id });
        if QuoteState::at(&signed.quote, true, now).is_live() {
            let Ok(permit) = self.acquire_permit(&client, now) else { return };
            let (is_inserted, _) = self.shard(id).insert_signed(signed);
            if is_inserted {
                permit.commit();
            }
        } else {
            self.shard(id).insert_lapsed(&signed, self.retention);
        }
        self.shard(id).set_outcome(id, outcome);
    }

    /// The number of stored quotes, including expired ones that are not swept yet, without those retained after their
    /// end.
    pub fn len(&self) -> usize {
        self.capacity.occupancy().quotes
    }

    /// Whether no quote is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn shard(&self, id: QuoteId) -> MutexGuard<'_, Shard> {
        let [first, ..] = *id.as_bytes();
        let [shard, ..] = &*self.shards;
        // Never falls back: there is one shard per byte value.
        self.shards.get(usize::from(first)).unwrap_or(shard).lock()
    }

    /// Adds a signed swap of a named client to those that can be listed.
    fn index_swap(&self, client: &Client, position: SwapPosition) {
        if client.name().is_some() {
            let capacity = self.capacity.occupancy().capacity;
            let retained = self.retention.max_per_shard.saturating_mul(SHARDS);
            let capacity = capacity.saturating_add(retained);
            self.swaps.lock().add(client, position, self.retention.seconds, capacity);
        }
    }

    fn is_paused(&self, pool: PoolId) -> bool {
        if let Some(file) = &self.files.pauses {
            return file.is_paused(pool);
        }
        self.paused.lock().pools.contains(&pool)
    }

    /// Acquires a permit for a quote of `client`; sweeps every shard if there is none.
    fn acquire_permit<'s>(&'s self, client: &'s Client, now: Timestamp) -> Result<CapacityPermit<'s>, StoreError> {
        self.capacity
            .acquire(client)
            .or_else(|refused| if self.sweep_all(now) { self.capacity.acquire(client) } else { Err(refused) })
    }

    /// Sweeps every shard and returns `true`, or returns `false` within [`SWEEP_INTERVAL_MICROS`] of the last sweep: a
    /// client that is refused repeatedly does not cause a sweep each time.
    fn sweep_all(&self, now: Timestamp) -> bool {
        let interval = now.as_micros() / SWEEP_INTERVAL_MICROS;
        if self.last_sweep.swap(interval, Ordering::Relaxed) == interval {
            return false;
        }
        for shard in self.shards.iter() {
            shard.lock().sweep(now, SWEEP_WHEN_FULL, &self.capacity, self.retention);
        }
        true
    }
}
