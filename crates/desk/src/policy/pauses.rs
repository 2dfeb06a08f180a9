//! The pause state of the pools: read without I/O, set for every replica.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use arc_swap::ArcSwapOption;
use firmquote_domain::{PoolId, Timestamp};
use firmquote_store::{PauseStore, StoreError};

use crate::DeskError;

/// How long the last known pause state stays valid while the board cannot be read.
pub const PAUSES_TTL_SECONDS: u32 = 5;

/// The paused pools. Reading takes no lock and performs no I/O; changes by other replicas become visible after
/// [`Self::refresh`].
pub struct Pauses {
    board: Arc<dyn PauseStore>,
    /// `None` while the pause state is unknown.
    paused: ArcSwapOption<BTreeSet<PoolId>>,
    state: Mutex<PauseState>,
}

/// The data that the set of paused pools is derived from.
struct PauseState {
    /// The pools that were paused on the board at the last read, with later writes applied; `None` while unknown.
    board_pauses: Option<BTreeSet<PoolId>>,
    /// The pools paused by this process and not confirmed on the board, each with the change that paused it.
    local_pauses: BTreeMap<PoolId, u64>,
    /// The last change of this process that paused each pool.
    paused_by: BTreeMap<PoolId, u64>,
    /// Counts pauses and resumes made here. A board read that started before the latest one is stale.
    revision: u64,
    /// When the board was last read.
    read_at: Timestamp,
}

impl Default for PauseState {
    /// The unknown state.
    fn default() -> Self {
        Self {
            board_pauses: None,
            local_pauses: BTreeMap::new(),
            paused_by: BTreeMap::new(),
            revision: 0,
            read_at: Timestamp::from_micros(0),
        }
    }
}

impl PauseState {
    /// Discards the state of the board if its last read is older than [`PAUSES_TTL_SECONDS`].
    fn expire(&mut self, now: Timestamp) {
        if self.read_at.plus_seconds(PAUSES_TTL_SECONDS) < now {
            self.board_pauses = None;
        }
    }

    /// Records that the board now stores this state, as requested with `change`. A pause requested later stays.
    fn record(&mut self, pool: PoolId, is_paused: bool, change: u64) {
        self.revision += 1;
        if self.local_pauses.get(&pool).is_some_and(|later| *later <= change) {
            self.local_pauses.remove(&pool);
        }
        if let Some(board_pauses) = &mut self.board_pauses {
            if is_paused {
                board_pauses.insert(pool);
            } else if self.paused_by.get(&pool).is_none_or(|later| *later <= change) {
                board_pauses.remove(&pool);
            }
        }
    }
}

impl Pauses {
    /// Creates pauses stored on `board`. Until [`Self::refresh`] has read it once, nothing may be quoted or signed: any
    /// pool might be paused.
    pub fn new(board: Arc<dyn PauseStore>) -> Self {
        Self { board, paused: ArcSwapOption::empty(), state: Mutex::default() }
    }

    /// Creates pauses stored on `board`, which holds `paused` at present. That state is valid until a read fails.
    pub fn with_paused(board: Arc<dyn PauseStore>, paused: BTreeSet<PoolId>) -> Self {
        let pauses = Self::new(board);
        pauses.update(|state| state.board_pauses = Some(paused));
        pauses
    }

    /// Discards the pause state: until the next [`Self::refresh`] nothing is quoted or signed. Called when the
    /// refreshing task ends.
    pub fn invalidate(&self) {
        self.update(|state| state.board_pauses = None);
    }

    /// Checks that `pool` may be quoted and signed for.
    ///
    /// # Errors
    /// [`DeskError::Paused`] if the pool is paused, [`DeskError::Store`] while the pause state is unknown.
    pub fn check(&self, pool: PoolId) -> Result<(), DeskError> {
        match self.paused.load().as_deref() {
            Some(paused) if paused.contains(&pool) => Err(DeskError::Paused),
            Some(_) => Ok(()),
            None => Err(unknown()),
        }
    }

    /// Checks that the pause state is known.
    ///
    /// # Errors
    /// [`DeskError::Store`] if it is unknown.
    pub(crate) fn check_loaded(&self) -> Result<(), DeskError> {
        if self.paused.load().is_some() { Ok(()) } else { Err(unknown()) }
    }

    /// Whether changes reach other replicas.
    pub fn is_shared(&self) -> bool {
        self.board.is_shared()
    }

    /// Whether changes survive the end of this process.
    pub fn outlives_process(&self) -> bool {
        self.board.outlives_process()
    }

    /// Pauses or resumes pools; every pool is attempted. A pause takes effect in this process at once and, if it could
    /// not be stored, holds until a resume succeeds. A resume that could not be stored for all replicas does not take
    /// effect here.
    ///
    /// # Errors
    /// [`DeskError::Store`] if a change could not be stored: other replicas may not know about it.
    pub async fn set(&self, pools: &[PoolId], is_paused: bool) -> Result<(), DeskError> {
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
            match self.board.set_paused(*pool, is_paused).await {
                Ok(()) => self.update(|state| state.record(*pool, is_paused, change)),
                Err(error) => result = result.and(Err(DeskError::Store(error))),
            }
        }
        result
    }

    /// Reads the pause state from the board; `now` is the current instant.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the board could not be read. The last known state stays valid for
    /// [`PAUSES_TTL_SECONDS`]; after that nothing is quoted or signed.
    pub async fn refresh(&self, now: Timestamp) -> Result<(), DeskError> {
        let revision = self.update(|state| state.revision);
        let read = self.board.paused().await;
        self.update(|state| match read {
            Ok(board_pauses) => {
                // Otherwise the read started before a local change; the next read includes the change.
                if state.revision == revision {
                    state.board_pauses = Some(board_pauses);
                }
                state.read_at = now;
                Ok(())
            }
            Err(error) => {
                state.expire(now);
                Err(DeskError::Store(error))
            }
        })
    }

    /// Reports that the board was not read by `now`, for a caller that has stopped waiting for a read.
    pub fn expire(&self, now: Timestamp) {
        self.update(|state| state.expire(now));
    }

    /// Applies `change` to the state and publishes the result to readers.
    fn update<T>(&self, change: impl FnOnce(&mut PauseState) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = change(&mut state);
        let all = |board_pauses: &BTreeSet<PoolId>| {
            Arc::new(board_pauses.iter().chain(state.local_pauses.keys()).copied().collect())
        };
        self.paused.store(state.board_pauses.as_ref().map(all));
        changed
    }
}

fn unknown() -> DeskError {
    DeskError::Store(StoreError::Unavailable("the pause state is unknown".into()))
}
