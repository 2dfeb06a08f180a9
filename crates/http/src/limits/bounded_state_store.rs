//! The state of each address or client in a rate limit: one number each, in a bounded number of entries.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasher as _, Hash, RandomState},
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use governor::{
    nanos::Nanos,
    state::{InMemoryState, NotKeyed, StateStore},
};
use parking_lot::{Mutex, MutexGuard};

/// The number of shards, each with its own lock, so that requests rarely contend.
const SHARDS: u64 = 64;

/// The state of every recently seen key: the time when its whole quota is available again (the theoretical arrival time
/// of the generic cell rate algorithm), in nanoseconds since the start of the limiter.
///
/// A key whose time has passed is equivalent to an unseen key. Requests of new keys remove such stale keys, one shard
/// at a time. When all entries are taken, new keys share one state. Clones share their entries.
pub(crate) struct BoundedStateStore<K>(Arc<Shared<K>>);

struct Shared<K> {
    shards: Vec<Mutex<HashMap<K, Nanos>>>,
    hasher: RandomState,
    count: AtomicUsize,
    max_entries: usize,
    /// The state shared by all new keys for which there is no entry.
    overflow: InMemoryState,
    /// The amount by which one request advances a state.
    interval: Nanos,
    /// The time between the cleanups of two shards: all shards are cleaned once within the time in which every state
    /// becomes stale.
    cleanup_interval: u64,
    next_cleanup: AtomicU64,
    next_shard: AtomicUsize,
}

impl<K: Hash + Eq + Clone> BoundedStateStore<K> {
    /// Creates a store for up to `max_entries` entries, for a limiter that allows one more request per `interval` and
    /// its full burst per `window`.
    pub(crate) fn new(max_entries: usize, interval: Duration, window: Duration) -> Self {
        let nanos = |duration: Duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        Self(Arc::new(Shared {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            hasher: RandomState::new(),
            count: AtomicUsize::new(0),
            max_entries,
            overflow: InMemoryState::default(),
            interval: nanos(interval).into(),
            cleanup_interval: nanos(window) / SHARDS,
            next_cleanup: AtomicU64::new(0),
            next_shard: AtomicUsize::new(0),
        }))
    }

    /// Reverts the cost of one request of `key`, as if it had never been counted.
    pub(crate) fn refund(&self, key: &K) {
        let entries = &self.0;
        if let Some(state) = entries.shard(key).get_mut(key) {
            *state = state.saturating_sub(entries.interval);
        }
    }
}

impl<K> Clone for BoundedStateStore<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Hash + Eq + Clone> StateStore for BoundedStateStore<K> {
    type Key = K;

    fn measure_and_replace<T, F, E>(&self, key: &K, decide: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let entries = &self.0;
        if let Some(state) = entries.shard(key).get_mut(key) {
            return replace(state, &decide);
        }
        // The decision for an unseen key reveals the current time: its new state is one interval from now.
        let (_, fresh) = decide(None)?;
        entries.remove_stale(fresh.saturating_sub(entries.interval));
        match entries.shard(key).entry(key.clone()) {
            Entry::Occupied(mut entry) => return replace(entry.get_mut(), &decide),
            Entry::Vacant(entry) if entries.reserve_entry() => {
                let (decision, next) = decide(None)?;
                entry.insert(next);
                return Ok(decision);
            }
            Entry::Vacant(_) => {}
        }
        entries.overflow.measure_and_replace(&NotKeyed::NonKey, decide)
    }
}

fn replace<T, E>(state: &mut Nanos, decide: impl Fn(Option<Nanos>) -> Result<(T, Nanos), E>) -> Result<T, E> {
    let (decision, next) = decide(Some(*state))?;
    *state = next;
    Ok(decision)
}

impl<K: Hash + Eq + Clone> Shared<K> {
    fn shard(&self, key: &K) -> MutexGuard<'_, HashMap<K, Nanos>> {
        self.lock(self.hasher.hash_one(key))
    }

    fn lock(&self, number: u64) -> MutexGuard<'_, HashMap<K, Nanos>> {
        let position = usize::try_from(number % SHARDS).unwrap_or_default();
        #[expect(clippy::indexing_slicing, reason = "there are as many shards as the remainder has values")]
        self.shards[position].lock()
    }

    /// Reserves an entry; returns whether one was free.
    fn reserve_entry(&self) -> bool {
        let is_free = self.count.fetch_add(1, Ordering::Relaxed) < self.max_entries;
        if !is_free {
            self.count.fetch_sub(1, Ordering::Relaxed);
        }
        is_free
    }

    /// Removes the keys that are stale at `now` from the next shard, if a cleanup is due.
    fn remove_stale(&self, now: Nanos) {
        let (due, next) =
            (self.next_cleanup.load(Ordering::Relaxed), now.as_u64().saturating_add(self.cleanup_interval));
        let is_due = now.as_u64() >= due;
        if !is_due || self.next_cleanup.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return;
        }
        let next_shard = self.next_shard.fetch_add(1, Ordering::Relaxed);
        let mut shard = self.lock(u64::try_from(next_shard).unwrap_or_default());
        let before = shard.len();
        shard.retain(|_, state| *state > now);
        let (remaining, capacity) = (shard.len(), shard.capacity());
        if remaining < capacity / 4 {
            shard.shrink_to(remaining * 2);
        }
        self.count.fetch_sub(before - remaining, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use governor::{Quota, RateLimiter, clock::FakeRelativeClock, middleware::NoOpMiddleware};

    use super::*;

    type Limiter = RateLimiter<u64, BoundedStateStore<u64>, FakeRelativeClock, NoOpMiddleware<Nanos>>;

    /// Counts the keys that have an entry.
    fn count(entries: &BoundedStateStore<u64>) -> usize {
        let counted = entries.0.count.load(Ordering::Relaxed);
        assert_eq!(counted, (0..SHARDS).map(|number| entries.0.lock(number).len()).sum::<usize>());
        counted
    }

    /// A limiter with a burst of two and one request per second, for up to `max_entries` keys.
    fn limiter(max_entries: usize) -> (Limiter, BoundedStateStore<u64>, FakeRelativeClock) {
        let second = Duration::from_secs(1);
        let (entries, clock) = (BoundedStateStore::new(max_entries, second, second * 2), FakeRelativeClock::default());
        let quota = Quota::with_period(second).unwrap().allow_burst(2.try_into().unwrap());
        (RateLimiter::new(quota, entries.clone(), clock.clone()), entries, clock)
    }

    #[test]
    fn every_key_has_its_own_quota() {
        let (limiter, entries, clock) = limiter(10);
        for key in 0..3 {
            assert_eq!([(); 3].map(|()| limiter.check_key(&key).is_ok()), [true, true, false]);
        }
        clock.advance(Duration::from_secs(1));
        assert_eq!([(); 2].map(|()| limiter.check_key(&1).is_ok()), [true, false]);
        assert_eq!(count(&entries), 3);
    }

    #[test]
    fn refunded_quota_can_be_used_again() {
        let (limiter, entries, clock) = limiter(10);
        for _ in 0..100 {
            assert!(limiter.check_key(&7).is_ok());
            entries.refund(&7);
        }
        assert_eq!([(); 3].map(|()| limiter.check_key(&7).is_ok()), [true, true, false]);
        clock.advance(Duration::from_secs(1));
        assert!(limiter.check_key(&7).is_ok());
        entries.refund(&7);
        entries.refund(&8);
        assert_eq!([(); 2].map(|()| limiter.check_key(&7).is_ok()), [true, false]);
    }

    #[test]
    fn when_full_new_keys_share_one_quota_and_existing_keys_keep_theirs() {
        let (limiter, entries, clock) = limiter(2);
        assert!(limiter.check_key(&0).is_ok() && limiter.check_key(&1).is_ok());
        assert_eq!([2, 3, 4].map(|key| limiter.check_key(&key).is_ok()), [true, true, false]);
        assert!(limiter.check_key(&0).is_ok() && limiter.check_key(&1).is_ok());
        assert_eq!(count(&entries), 2);
        clock.advance(Duration::from_secs(1));
        assert_eq!([5, 6].map(|key| limiter.check_key(&key).is_ok()), [true, false]);
    }

    #[test]
    fn fully_replenished_keys_are_evicted() {
        let (limiter, entries, clock) = limiter(1_000);
        for key in 0..1_000 {
            limiter.check_key(&key).unwrap();
        }
        clock.advance(Duration::from_secs(1));
        // One key is used again, so that it is not yet stale when the others are.
        limiter.check_key(&0).unwrap();
        limiter.check_key(&0).unwrap();
        for key in 1_000..1_064 {
            limiter.check_key(&key).unwrap();
            clock.advance(Duration::from_millis(32));
        }
        assert!(count(&entries) <= 1 + 64, "{}", count(&entries));
    }

    #[test]
    fn new_keys_replace_stale_ones() {
        let (limiter, entries, clock) = limiter(640);
        for key in 0..640 {
            limiter.check_key(&key).unwrap();
        }
        clock.advance(Duration::from_secs(2));
        for key in 1_000..1_010 {
            assert_eq!([(); 3].map(|()| limiter.check_key(&key).is_ok()), [true, true, false]);
            clock.advance(Duration::from_millis(32));
        }
        assert!(count(&entries) < 640);
    }
}
