//! The state of firm levels that successive desks share: clients and breach counts.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use firmquote_domain::{FirmLevels, Timestamp};
use firmquote_store::{Store, StoreError};

use super::{LevelsRefusal, MAX_FIRM_MS};

/// How long no firm levels are published after a store failure, in microseconds.
const SUSPENSION_MICROS: u64 = 1_000_000;

/// Who firm levels cover, with counts of store failures and broken promises.
pub struct FirmLevelsState {
    clients: AtomicUsize,
    suspended_until: AtomicU64,
    store_failures: AtomicU64,
    max_promise_micros: AtomicU64,
    /// When this process started: the store may hold levels from before.
    started_at: Timestamp,
    breaches: [AtomicU64; LevelsRefusal::BREACHES.len()],
}

impl FirmLevelsState {
    /// Creates the state with zero counts and no clients, of a process that started at `started_at`.
    pub fn new(started_at: Timestamp) -> Self {
        let breaches = std::array::from_fn(|_| AtomicU64::new(0));
        Self {
            clients: AtomicUsize::default(),
            suspended_until: AtomicU64::default(),
            store_failures: AtomicU64::default(),
            max_promise_micros: AtomicU64::default(),
            started_at,
            breaches,
        }
    }

    /// Sets how many clients have credentials: each may use the whole budget of a book.
    pub fn set_client_count(&self, clients: usize) {
        self.clients.store(clients, Ordering::Relaxed);
    }

    /// Returns the number of clients that firm levels must cover at `now`; 0 after a store failure.
    pub(crate) fn client_count(&self, now: Timestamp) -> usize {
        let is_suspended = now.as_micros() < self.suspended_until.load(Ordering::Relaxed);
        if is_suspended { 0 } else { self.clients.load(Ordering::Relaxed) }
    }

    /// Stores levels before they are published. If that fails, none are promised for a second.
    pub(crate) async fn store_levels(
        &self,
        store: &dyn Store,
        levels: &FirmLevels,
        renewal: bool,
        now: Timestamp,
    ) -> bool {
        self.max_promise_micros.fetch_max(levels.valid_until.micros_since(now), Ordering::Relaxed);
        let held = store.store_levels(levels, renewal, now).await;
        let is_held = self.count_failure(held).unwrap_or(false);
        if !is_held {
            self.suspended_until.store(now.plus_micros(SUSPENSION_MICROS).as_micros(), Ordering::Relaxed);
        }
        is_held
    }

    /// Returns how long levels hold at most that were published before `now`, in microseconds: `current`, or longer if
    /// they did under an earlier configuration, also that of an earlier process; 0 if there are none.
    pub(super) fn max_promise_micros(&self, current: u64, now: Timestamp) -> u64 {
        let known = self.max_promise_micros.fetch_max(current, Ordering::Relaxed).max(current);
        let max_promise = u64::from(MAX_FIRM_MS) * 1_000;
        if known > 0 && now < self.started_at.plus_micros(max_promise) { max_promise } else { known }
    }

    /// Counts a store error that no response reports, and returns `None` for it.
    pub(super) fn count_failure<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        result.inspect_err(|_| _ = self.store_failures.fetch_add(1, Ordering::Relaxed)).ok()
    }

    /// How often the store failed to hold levels or to release an input.
    pub fn store_failures(&self) -> u64 {
        self.store_failures.load(Ordering::Relaxed)
    }

    /// Counts a refusal, if it is a breach of a promise.
    pub(crate) fn count_breach(&self, refusal: LevelsRefusal) {
        let position = LevelsRefusal::BREACHES.iter().position(|breach| *breach == refusal);
        if let Some(count) = position.and_then(|position| self.breaches.get(position)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The number of broken promises, by reason.
    pub fn breaches(&self) -> impl Iterator<Item = (LevelsRefusal, u64)> {
        LevelsRefusal::BREACHES.into_iter().zip(self.breaches.iter().map(|count| count.load(Ordering::Relaxed)))
    }
}
