//! Which pools are paused: known without asking anybody, set for every replica.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use arc_swap::ArcSwapOption;
use firmquote_domain::{PoolId, Timestamp};
use firmquote_store::{PauseBoard, StoreError};

use crate::DeskError;

/// For so long what was known is believed while the board cannot be read.
pub const PAUSES_TTL_SECONDS: u32 = 5;

/// The pools that are paused. Reading takes no lock and asks nobody; what other replicas set is known after
/// [`Self::refresh`].
pub struct Pauses {
    board: Arc<dyn PauseBoard>,
    /// `None` as long as it is not known.
    paused: ArcSwapOption<BTreeSet<PoolId>>,
    known: Mutex<PauseState>,
}

/// What the paused pools are made of.
struct PauseState {
    /// Those that the board held when it was read last, with what was written since; `None` as long as
    /// it is not known.
    on_board: Option<BTreeSet<PoolId>>,
    /// Those that were paused here and are not known to be on the board, each with the change that did it.
    here: BTreeMap<PoolId, u64>,
    /// How often a pool was paused here, or let go on: what was read before the last time is old.
    changes: u64,
    /// When the board was read last.
    read_at: Timestamp,
}

impl Default for PauseState {
    /// Nothing is known.
    fn default() -> Self {
        Self { on_board: None, here: BTreeMap::new(), changes: 0, read_at: Timestamp::from_micros(0) }
    }
}

impl PauseState {
    /// Forgets what was known too long ago.
    fn lapse(&mut self, now: Timestamp) {
        if self.read_at.plus_seconds(PAUSES_TTL_SECONDS) < now {
            self.on_board = None;
        }
    }

    /// The board keeps this now, as it was asked for with `change`. A pause that was asked for later stays.
    fn keep(&mut self, pool: PoolId, is_paused: bool, change: u64) {
        self.changes += 1;
        if self.here.get(&pool).is_some_and(|later| *later <= change) {
            self.here.remove(&pool);
        }
        if let Some(on_board) = &mut self.on_board {
            if is_paused {
                on_board.insert(pool)
            } else {
                on_board.remove(&pool)
            };
        }
    }
}

impl Pauses {
    /// Pauses that are kept on `board`. Until [`Self::refresh`] has read it once, nothing may be quoted or signed: every
    /// pool might be paused.
    pub fn new(board: Arc<dyn PauseBoard>) -> Self {
        Self { board, paused: ArcSwapOption::empty(), known: Mutex::default() }
    }

    /// Pauses that are kept on `board`, which holds `paused` at present; that is believed until a reading fails.
    pub fn starting_with(board: Arc<dyn PauseBoard>, paused: BTreeSet<PoolId>) -> Self {
        let pauses = Self::new(board);
        pauses.change(|known| known.on_board = Some(paused));
        pauses
    }

    /// Forgets which pools are paused: until the next [`Self::refresh`] nothing is quoted or signed. For the end of what
    /// refreshes them.
    pub fn forget(&self) {
        self.change(|known| known.on_board = None);
    }

    /// Whether `pool` may be quoted and signed for.
    ///
    /// # Errors
    /// [`DeskError::Paused`] if it is paused, [`DeskError::Store`] as long as that is not known.
    pub fn check(&self, pool: PoolId) -> Result<(), DeskError> {
        match self.paused.load().as_deref() {
            Some(paused) if paused.contains(&pool) => Err(DeskError::Paused),
            Some(_) => Ok(()),
            None => Err(unknown()),
        }
    }

    /// Whether it is known which pools are paused.
    ///
    /// # Errors
    /// [`DeskError::Store`] if not.
    pub(crate) fn check_known(&self) -> Result<(), DeskError> {
        if self.paused.load().is_some() { Ok(()) } else { Err(unknown()) }
    }

    /// Whether what is set reaches other replicas.
    pub fn is_shared(&self) -> bool {
        self.board.is_shared()
    }

    /// Whether what is set is there after this process has ended.
    pub fn outlives_process(&self) -> bool {
        self.board.outlives_process()
    }

    /// Pauses pools, or lets them go on. A pause holds in this process at once and, if it could not be kept, until one can
    /// be lifted; a pause that could not be lifted everywhere is not lifted here. All of them are tried.
    ///
    /// # Errors
    /// [`DeskError::Store`] when one could not be kept: other replicas may not know it.
    pub async fn set(&self, pools: &[PoolId], is_paused: bool) -> Result<(), DeskError> {
        let change = self.change(|known| {
            known.changes += 1;
            let change = known.changes;
            known.here.extend(pools.iter().filter(|_| is_paused).map(|pool| (*pool, change)));
            change
        });
        let mut kept = Ok(());
        for pool in pools {
            match self.board.set_paused(*pool, is_paused).await {
                Ok(()) => self.change(|known| known.keep(*pool, is_paused, change)),
                Err(error) => kept = kept.and(Err(DeskError::Store(error))),
            }
        }
        kept
    }

    /// Learns what is kept on the board; `now` is the present instant.
    ///
    /// # Errors
    /// [`DeskError::Store`] when it could not be read. What was known stays for [`PAUSES_TTL_SECONDS`]; from then on nothing
    /// is quoted or signed.
    pub async fn refresh(&self, now: Timestamp) -> Result<(), DeskError> {
        let changes = self.change(|known| known.changes);
        let read = self.board.paused().await;
        self.change(|known| match read {
            Ok(on_board) => {
                // Otherwise it was read before something that was set here since; the next time tells.
                if known.changes == changes {
                    known.on_board = Some(on_board);
                }
                known.read_at = now;
                Ok(())
            }
            Err(error) => {
                known.lapse(now);
                Err(DeskError::Store(error))
            }
        })
    }

    /// Says that the board has not been read by `now`, by whoever does not wait for it any longer.
    pub fn lapse(&self, now: Timestamp) {
        self.change(|known| known.lapse(now));
    }

    /// What `change` makes of what is known, for readers to see.
    fn change<T>(&self, change: impl FnOnce(&mut PauseState) -> T) -> T {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = change(&mut known);
        let all = |on_board: &BTreeSet<PoolId>| Arc::new(on_board.iter().chain(known.here.keys()).copied().collect());
        self.paused.store(known.on_board.as_ref().map(all));
        changed
    }
}

fn unknown() -> DeskError {
    DeskError::Store(StoreError::Unavailable("which pools are paused is not known".into()))
}
