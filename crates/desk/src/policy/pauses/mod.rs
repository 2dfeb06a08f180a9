//! The pause state of the pools, the trips of their breakers, and revoked credentials: read without I/O, set for every
//! replica.

mod revocations;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use arc_swap::ArcSwapOption;
use firmquote_domain::{Address, PoolId, Timestamp};
use firmquote_store::{
    Actor, BreakerStep, OperatorEntry, OperatorEvent, PausedPools, Store, StoreError, Trip, TripKey,
};
use parking_lot::Mutex;

use crate::DeskError;

/// How long a pause state stays valid after it was read from the store.
pub const PAUSES_TTL_SECONDS: u32 = 5;

/// The paused pools. Reading takes no lock and performs no I/O; changes by other replicas become visible after
/// [`Self::refresh`].
pub struct Pauses {
    store: Arc<dyn Store>,
    /// `None` while the pause state is unknown.
    published: ArcSwapOption<PauseSnapshot>,
    state: Mutex<PauseState>,
}

/// The paused pools, as they are known.
struct PauseSnapshot {
    paused: BTreeSet<PoolId>,
    trips: BTreeMap<TripKey, Trip>,
    resumed: BTreeMap<PoolId, Timestamp>,
    revoked: BTreeSet<String>,
    /// When the store was read; `None` for pauses that are valid without having been read.
    read_at: Option<Timestamp>,
}

impl PauseSnapshot {
    fn check(&self, pool: PoolId, token: Address) -> Result<(), DeskError> {
        let stops = |trip: &Trip| {
            trip.step == BreakerStep::Pause
                && trip.key.pool == pool
                && trip.key.token.is_none_or(|tripped| tripped == token)
        };
        if self.trips.values().any(stops) {
            return Err(DeskError::Breaker);
        }
        if self.paused.contains(&pool) { Err(DeskError::Paused) } else { Ok(()) }
    }

    fn is_valid(&self, now: Timestamp) -> bool {
        // Neither too long ago, nor before a step of the clock back.
        self.read_at.is_none_or(|read_at| {
            now <= read_at.plus_seconds(PAUSES_TTL_SECONDS) && read_at <= now.plus_seconds(PAUSES_TTL_SECONDS)
        })
    }
}

/// The data that the set of paused pools is derived from.
#[derive(Default)]
struct PauseState {
    /// The pools that were paused in the store at the last read, with later writes applied; `None` while unknown.
    stored_pauses: Option<BTreeSet<PoolId>>,
    /// The trips of the store at the last read, and those of this process that it has not confirmed.
    trips: BTreeMap<TripKey, Trip>,
    /// When pools were resumed last, at the last read.
    resumed: BTreeMap<PoolId, Timestamp>,
    /// The credentials that were revoked in the store at the last read, with later writes applied.
    revoked: BTreeSet<String>,
    /// Credentials that this process revoked, or that the store has lost, until the store has them.
    unstored_revocations: BTreeSet<String>,
    /// The pools paused by this process and not confirmed by the store, each with the change that paused it.
    local_pauses: BTreeMap<PoolId, u64>,
    /// The last change of this process that paused each pool.
    paused_by: BTreeMap<PoolId, u64>,
    /// Counts pauses and resumes made here. A read of the store that started before the latest one is stale.
    revision: u64,
    /// The number of reads of the store that have started, and that of the latest one that was taken over.
    reads: u64,
    latest_read: u64,
    /// When `stored_pauses` was read; `None` if it is valid without having been read.
    read_at: Option<Timestamp>,
    /// The generation of the store when it was read.
    generation: Option<[u8; 32]>,
    /// Pauses that the store has lost, until they are put back.
    lost: BTreeSet<PoolId>,
    /// Trips that the store has lost, or has not confirmed, until they are put back.
    unstored_trips: BTreeMap<TripKey, Trip>,
    /// Pauses that the store has lost, until they are reported.
    unreported: Vec<PoolId>,
}

impl PauseState {
    /// Takes over what was read from the store. What another generation lacks was lost, not resumed, and stays in
    /// effect.
    fn receive(&mut self, read: PausedPools, now: Timestamp) {
        let PausedPools { pools, trips, revoked, resumed, generation } = read;
        let is_new = self.generation.is_some() && self.generation != generation;
        let known = self.stored_pauses.take().unwrap_or_default();
        let lost: Vec<PoolId> = known.difference(&pools).filter(|_| is_new).copied().collect();
        self.lost.extend(&lost);
        self.unreported.extend(lost);
        let known_trips = std::mem::replace(&mut self.trips, trips);
        if is_new {
            let lost = known_trips.into_iter().filter(|(key, trip)| trip.exceeds(self.trips.get(key)));
            self.unstored_trips.extend(lost);
        }
        let known_revoked = std::mem::replace(&mut self.revoked, revoked);
        if is_new {
            self.unstored_revocations.extend(known_revoked.difference(&self.revoked).cloned());
        }
        (self.stored_pauses, self.read_at, self.generation) = (Some(pools), Some(now), generation);
        // A resume by another replica ends what this one could not store before it, too.
        self.unstored_trips.retain(|key, trip| resumed.get(&key.pool).is_none_or(|resumed_at| trip.at > *resumed_at));
        self.resumed = resumed;
    }

    /// Records that the store now stores this state, as requested with `change` at `now`. A pause requested later stays.
    fn record(&mut self, pool: PoolId, is_paused: bool, change: u64, now: Timestamp) {
        self.revision += 1;
        if self.local_pauses.get(&pool).is_some_and(|later| *later <= change) {
            self.local_pauses.remove(&pool);
        }
        if let Some(stored_pauses) = &mut self.stored_pauses {
            if is_paused {
                self.lost.remove(&pool);
                stored_pauses.insert(pool);
            } else if self.paused_by.get(&pool).is_none_or(|later| *later <= change) {
                self.lost.remove(&pool);
                self.trips.retain(|key, _| key.pool != pool);
                self.unstored_trips.retain(|key, _| key.pool != pool);
                stored_pauses.remove(&pool);
                self.resumed.insert(pool, now);
            }
        }
    }
}

impl Pauses {
    /// Creates pauses stored in `store`. Until [`Self::refresh`] has read it once, nothing may be quoted or signed: any
    /// pool might be paused.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, published: ArcSwapOption::empty(), state: Mutex::default() }
    }

    /// Creates pauses in a `store` that this process alone changes, and that holds `paused` at present: valid
    /// without ever being read.
    pub fn with_paused(store: Arc<dyn Store>, paused: BTreeSet<PoolId>) -> Self {
        let pauses = Self::new(store);
        pauses.update(|state| state.stored_pauses = Some(paused));
        pauses
    }

    /// Discards the pause state: until the next [`Self::refresh`] nothing is quoted or signed. Called when the
    /// refreshing task ends.
    pub fn invalidate(&self) {
        self.update(|state| state.stored_pauses = None);
    }

    /// Checks that swaps of `pool` that pay out `token` may be quoted and signed at `now`.
    ///
    /// # Errors
    /// [`DeskError::Breaker`] if a breaker stopped them, [`DeskError::Paused`] if the pool is paused otherwise,
    /// [`DeskError::Store`] while the pause state is unknown.
    pub fn check(&self, pool: PoolId, token: Address, now: Timestamp) -> Result<(), DeskError> {
        let checked = self.read(now, |snapshot| snapshot.check(pool, token));
        checked.unwrap_or_else(|| Err(DeskError::Store(StoreError::Unavailable("the pause state is unknown".into()))))
    }

    /// Returns why the store refused a signature of `pool`.
    pub(crate) fn refusal(&self, pool: PoolId, now: Timestamp) -> DeskError {
        let is_tripped = self.trips(now).iter().any(|trip| trip.key.pool == pool && trip.pauses_pool());
        if is_tripped { DeskError::Breaker } else { DeskError::Paused }
    }

    /// Returns the trips of breakers that are in effect; none while the pause state is not known.
    pub fn trips(&self, now: Timestamp) -> Vec<Trip> {
        self.read(now, |snapshot| snapshot.trips.values().cloned().collect()).unwrap_or_default()
    }

    /// Returns when `pool` was resumed last; `None` if it never was, or while the pause state is not known.
    pub fn resumed_at(&self, pool: PoolId, now: Timestamp) -> Option<Timestamp> {
        self.read(now, |snapshot| snapshot.resumed.get(&pool).copied()).flatten()
    }

    /// Whether `pool` is paused; `None` if the pause state is not known, or was read too long before `now`. The clock
    /// of the caller decides, so that a process that was suspended does not rely on what it knew before.
    pub fn is_paused(&self, pool: PoolId, now: Timestamp) -> Option<bool> {
        self.read(now, |snapshot| snapshot.paused.contains(&pool))
    }

    /// Whether the pause state is known at `now`.
    pub(crate) fn is_known(&self, now: Timestamp) -> bool {
        self.read(now, |_| ()).is_some()
    }

    /// Reads the pause state if it is valid at `now`.
    fn read<T>(&self, now: Timestamp, read: impl FnOnce(&PauseSnapshot) -> T) -> Option<T> {
        self.published.load().as_deref().filter(|snapshot| snapshot.is_valid(now)).map(read)
    }

    /// Whether changes reach other replicas.
    pub fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    /// Whether changes survive the end of this process.
    pub fn outlives_process(&self) -> bool {
        self.store.retains_pauses()
    }

    /// Pauses or resumes pools, and records who did so; every pool is attempted. A pause takes effect in this process at
    /// once and, if it could not be stored, holds until a resume succeeds. A resume that could not be stored for all
    /// replicas does not take effect here.
    ///
    /// # Errors
    /// [`DeskError::Store`] if a change could not be stored: other replicas may not know about it.
    pub async fn set(
        &self,
        pools: &[PoolId],
        is_paused: bool,
        actor: Option<Actor>,
        now: Timestamp,
    ) -> Result<(), DeskError> {
        let event = if is_paused { OperatorEvent::Paused } else { OperatorEvent::Resumed };
        let entry = |pool: PoolId| Some(OperatorEntry { event: event(pool), actor: actor.clone(), recorded_at: now });
        self.store_pauses(pools, is_paused, entry, now).await
    }

    async fn store_pauses(
        &self,
        pools: &[PoolId],
        is_paused: bool,
        entry: impl Fn(PoolId) -> Option<OperatorEntry> + Send + Sync,
        now: Timestamp,
    ) -> Result<(), DeskError> {
        let change = self.update(|state| {
            state.revision += 1;
            let change = state.revision;
            if is_paused {
                state.local_pauses.extend(pools.iter().map(|pool| (*pool, change)));
                state.paused_by.extend(pools.iter().map(|pool| (*pool, change)));
            }
            change
        });
        let mut result = Ok(());
        for pool in pools {
            match self.store.set_paused(*pool, is_paused, entry(*pool).as_ref(), now).await {
                Ok(()) => self.update(|state| state.record(*pool, is_paused, change, now)),
                Err(error) => result = result.and(Err(DeskError::from_store(error))),
            }
        }
        result
    }

    /// Puts a trip into effect: in this process at once, even if it could not be stored. Returns `false` if one that goes
    /// as far was in effect already.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the trip could not be stored; the next [`Self::refresh`] tries again.
    pub async fn trip(&self, trip: Trip) -> Result<bool, DeskError> {
        let is_new = self.update(|state| {
            let is_new = trip.exceeds(state.trips.get(&trip.key)) && trip.exceeds(state.unstored_trips.get(&trip.key));
            if is_new {
                state.revision += 1;
                state.unstored_trips.insert(trip.key, trip.clone());
            }
            is_new
        });
        if !is_new {
            return Ok(false);
        }
        self.store_trip(&trip).await
    }

    /// Stores a trip with its entry in the operator's stream. One that is put back has another entry there.
    async fn store_trip(&self, trip: &Trip) -> Result<bool, DeskError> {
        let entry = OperatorEntry { event: OperatorEvent::Tripped(trip.clone()), actor: None, recorded_at: trip.at };
        let is_new = self.store.trip(trip, Some(&entry)).await.map_err(DeskError::from_store)?;
        self.update(|state| {
            state.revision += 1;
            if state.unstored_trips.get(&trip.key) == Some(trip) {
                state.unstored_trips.remove(&trip.key);
                if trip.exceeds(state.trips.get(&trip.key)) {
                    state.trips.insert(trip.key, trip.clone());
                }
            }
            if let Some(stored_pauses) = state.stored_pauses.as_mut().filter(|_| trip.pauses_pool()) {
                stored_pauses.insert(trip.key.pool);
            }
        });
        Ok(is_new)
    }

    /// Ends a trip that only raised the fee. Returns `false` if another one is in effect by now.
    ///
    /// # Errors
    /// [`DeskError::Store`] if that could not be stored; the trip stays in effect.
    pub async fn end_trip(&self, trip: &Trip, now: Timestamp) -> Result<bool, DeskError> {
        let entry = OperatorEntry { event: OperatorEvent::Ended(trip.clone()), actor: None, recorded_at: now };
        let is_ended = self.store.end_trip(trip, &entry).await.map_err(DeskError::from_store)?;
        self.update(|state| {
            state.revision += 1;
            if state.trips.get(&trip.key) == Some(trip) {
                state.trips.remove(&trip.key);
            }
        });
        Ok(is_ended)
    }

    /// Reads the pause state from the store, and puts back pauses and trips that the store has lost, of which this replica
    /// knows; `now` is the current instant.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the store could not be read, or a pause not be put back, which the next call repeats. The
    /// state of the last read stays valid until it is [`PAUSES_TTL_SECONDS`] old; after that nothing is quoted or
    /// signed.
    pub async fn refresh(&self, now: Timestamp) -> Result<(), DeskError> {
        let (revision, number) = self.update(|state| {
            state.reads += 1;
            (state.revision, state.reads)
        });
        let read = self.store.paused().await.map_err(DeskError::from_store)?;
        let (lost, unstored, revocations) = self.update(|state| {
            // Otherwise the read started before a local change, which the next read includes, or before a later read.
            if state.revision == revision && number > state.latest_read {
                state.latest_read = number;
                state.receive(read, now);
            }
            let lost: Vec<PoolId> = state.lost.iter().copied().collect();
            let unstored: Vec<Trip> = state.unstored_trips.values().cloned().collect();
            (lost, unstored, state.unstored_revocations.clone())
        });
        for trip in &unstored {
            self.store_trip(trip).await?;
        }
        for credential in &revocations {
            self.store_revocation(credential, true, None).await?;
        }
        if lost.is_empty() { Ok(()) } else { self.store_pauses(&lost, true, |_| None, now).await }
    }

    /// Returns the pools whose pauses the store has lost since the last call.
    pub fn take_lost(&self) -> Vec<PoolId> {
        std::mem::take(&mut self.state.lock().unreported)
    }

    /// Applies `change` to the state and publishes the result to readers.
    fn update<T>(&self, change: impl FnOnce(&mut PauseState) -> T) -> T {
        let mut state = self.state.lock();
        let changed = change(&mut state);
        let snapshot = |stored_pauses: &BTreeSet<PoolId>| {
            let paused = stored_pauses.iter().chain(state.local_pauses.keys()).chain(&state.lost).copied();
            let mut trips = state.trips.clone();
            for (key, trip) in &state.unstored_trips {
                if trip.exceeds(trips.get(key)) {
                    trips.insert(*key, trip.clone());
                }
            }
            let tripped = trips.values().filter(|trip| trip.pauses_pool()).map(|trip| trip.key.pool);
            let paused = paused.chain(tripped).collect();
            let revoked = state.revoked.union(&state.unstored_revocations).cloned().collect();
            let (resumed, read_at) = (state.resumed.clone(), state.read_at);
            Arc::new(PauseSnapshot { paused, trips, resumed, revoked, read_at })
        };
        self.published.store(state.stored_pauses.as_ref().map(snapshot));
        changed
    }
}
