//! Pauses and the trips of breakers in a file, for a store whose contents end with the process.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use firmquote_domain::{PoolId, Timestamp};
use parking_lot::{Mutex, MutexGuard};

use super::{
    blocking::access_disk,
    exclusive_file::{create_new, try_lock},
};
use crate::{PausedPools, StoreError, Trip};

/// The name of the file in its directory.
const FILE_NAME: &str = "paused";
/// The last line: a file without it is truncated.
const END: &str = "end";

/// The start of the line with the time at which a pool was resumed.
const RESUMED: &str = "resumed ";

/// The paused pools in `<directory>/paused`: one line per pool, per trip (JSON) and per time at which a pool was resumed;
/// every change rewrites the whole file.
#[derive(Debug)]
pub struct PauseFile {
    state: Arc<Mutex<State>>,
    directory: Arc<LockedDirectory>,
    timeout: Duration,
}

/// The paused pools, and the order of the changes.
#[derive(Clone, Debug, Default)]
struct State {
    paused: PausedPools,
    /// The number of changes that were requested.
    changes: u64,
    /// The last change that paused each pool: an earlier one, which may be slower, does not resume it.
    paused_by: BTreeMap<PoolId, u64>,
}

impl State {
    /// Notes a requested change, and returns its number.
    fn request(&mut self, pool: PoolId, is_paused: bool) -> u64 {
        self.changes += 1;
        if is_paused {
            self.paused.pools.insert(pool);
            self.paused_by.insert(pool, self.changes);
        }
        self.changes
    }

    /// Whether `pool` was paused after `change` was requested.
    fn is_paused_since(&self, pool: PoolId, change: u64) -> bool {
        self.paused_by.get(&pool).is_some_and(|later| *later > change)
    }
}

/// The state of the file when it was opened.
#[derive(Debug, PartialEq, Eq)]
pub enum PauseFileState {
    /// It was readable, or did not exist yet.
    Read,
    /// It was unreadable: all pools are paused, and the file is now at this path.
    Corrupt(PathBuf),
}

/// A directory that one process at a time writes to.
#[derive(Debug)]
struct LockedDirectory {
    path: PathBuf,
    /// The open directory: holds the lock, and is synced to make renames durable.
    file: File,
    /// Serializes writes.
    writing: Mutex<()>,
}

impl PauseFile {
    /// Opens the file in `directory`, which one process at a time may use. An unreadable file pauses all of `pools`,
    /// since it may have listed any of them. A change fails if the disk takes longer than `timeout`.
    ///
    /// # Errors
    /// When the directory does not exist or is not writable, and when another process holds it.
    pub fn open(directory: &Path, pools: &[PoolId], timeout: Duration) -> io::Result<(Self, PauseFileState)> {
        let file = File::open(directory)?;
        try_lock(&file, "another process holds it")?;
        let directory = LockedDirectory { path: directory.to_owned(), file, writing: Mutex::new(()) };
        let path = directory.path.join(FILE_NAME);
        let (paused, found) = match read(&path) {
            Some(paused) => (paused, PauseFileState::Read),
            None => {
                let backup = directory.path.join(format!("{FILE_NAME}.corrupt"));
                (all_of(pools), PauseFileState::Corrupt(backup))
            }
        };
        // Also checks that the directory is writable. Until the new file is complete, an unreadable one stays in place.
        let written = directory.write_beside(&paused)?;
        if let PauseFileState::Corrupt(backup) = &found {
            back_up(&path, backup)?;
        }
        directory.replace(&written)?;
        let state = Arc::new(Mutex::new(State { paused, ..State::default() }));
        Ok((Self { state, directory: Arc::new(directory), timeout }, found))
    }

    /// Returns the paused pools of the file in `directory`, which need not be writable, and whether they are known: all of
    /// `pools` and `false` if the file cannot be read, none if there is no such file.
    pub fn read(directory: &Path, pools: &[PoolId]) -> (PausedPools, bool) {
        let read = read(&directory.join(FILE_NAME));
        let is_known = read.is_some();
        (read.unwrap_or_else(|| all_of(pools)), is_known)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

/// Pauses all of `pools`.
fn all_of(pools: &[PoolId]) -> PausedPools {
    PausedPools { pools: pools.iter().copied().collect(), ..PausedPools::default() }
}

/// Reads a file that may not exist yet; `None` if its pauses cannot be known.
fn read(path: &Path) -> Option<PausedPools> {
    match fs::read_to_string(path) {
        Ok(text) => parse(&text),
        Err(error) => (error.kind() == io::ErrorKind::NotFound).then(PausedPools::default),
    }
}

/// Keeps the file at `path` at `backup`, where it replaces an earlier one. A link, so that `path` is never missing; the file
/// of another user can only be moved.
fn back_up(path: &Path, backup: &Path) -> io::Result<()> {
    match fs::remove_file(backup) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    fs::hard_link(path, backup).or_else(|_| fs::rename(path, backup))
}

impl LockedDirectory {
    /// Atomically replaces the file with one of these pauses.
    fn write(&self, paused: &PausedPools) -> io::Result<()> {
        self.replace(&self.write_beside(paused)?)
    }

    /// Writes a complete file of these pauses, and returns its path.
    fn write_beside(&self, paused: &PausedPools) -> io::Result<PathBuf> {
        let temporary = self.path.join(format!("{FILE_NAME}.new"));
        let mut file = create_new(&temporary)?;
        let mut lines: Vec<String> = paused.pools.iter().map(PoolId::to_string).collect();
        for trip in paused.trips.values() {
            lines.push(trip.to_json()?);
        }
        let resumed = |(pool, at): (&PoolId, &Timestamp)| format!("{RESUMED}{pool} {}", at.as_micros());
        lines.extend(paused.resumed.iter().map(resumed));
        lines.push(END.to_owned());
        file.write_all(format!("{}\n", lines.join("\n")).as_bytes())?;
        file.sync_all()?;
        Ok(temporary)
    }

    /// Replaces the file with the one that was `written` beside it.
    fn replace(&self, written: &Path) -> io::Result<()> {
        fs::rename(written, self.path.join(FILE_NAME))?;
        self.file.sync_all()
    }
}

/// Parses a complete file; `None` if it is truncated or malformed.
fn parse(text: &str) -> Option<PausedPools> {
    let lines = text.strip_suffix('\n')?.strip_suffix(END)?;
    if !lines.is_empty() && !lines.ends_with('\n') {
        return None;
    }
    let mut paused = PausedPools::default();
    for line in lines.lines() {
        if let Some(resumed) = line.strip_prefix(RESUMED) {
            let (pool, micros) = resumed.split_once(' ')?;
            paused.resumed.insert(pool.parse().ok()?, Timestamp::from_micros(micros.parse().ok()?));
        } else if line.starts_with('{') {
            let trip = Trip::from_json(line.as_bytes())?;
            paused.trips.insert(trip.key, trip);
        } else {
            paused.pools.insert(line.parse().ok()?);
        }
    }
    Some(paused)
}

impl PauseFile {
    /// Sets whether `pool` is paused. A pause takes effect immediately, even if the write fails; a resumed pool becomes
    /// active, and the trips of its breakers end, only once the change is on disk.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the change is not on disk; trying again is safe.
    pub async fn set_paused(&self, pool: PoolId, is_paused: bool, now: Timestamp) -> Result<(), StoreError> {
        let change = self.state().request(pool, is_paused);
        self.write(move |state| {
            if !is_paused && !state.is_paused_since(pool, change) {
                state.paused.resume(pool, now);
            }
        })
        .await
    }

    /// Puts `trip` into effect, even if the write fails. Returns `false` if one that goes as far is in effect already.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the trip is not on disk.
    pub async fn trip(&self, trip: &Trip) -> Result<bool, StoreError> {
        let is_new = {
            let mut state = self.state();
            if trip.pauses_pool() {
                state.request(trip.key.pool, true);
            }
            state.paused.trip(trip)
        };
        self.write(|_| ()).await.map(|()| is_new)
    }

    /// Ends `trip` once that is on disk. Returns `false` if it is not the one in effect.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the change is not on disk.
    pub async fn end_trip(&self, trip: &Trip) -> Result<bool, StoreError> {
        if self.state().paused.trips.get(&trip.key) != Some(trip) {
            return Ok(false);
        }
        let trip = trip.clone();
        self.write(move |state| _ = state.paused.end(&trip)).await.map(|()| true)
    }

    /// Writes the pauses as `change` leaves them, and then applies it.
    async fn write(&self, change: impl Fn(&mut State) + Send + 'static) -> Result<(), StoreError> {
        let (state, directory) = (Arc::clone(&self.state), Arc::clone(&self.directory));
        access_disk(self.timeout, move || {
            let _writing = directory.writing.lock();
            let mut changed = state.lock().clone();
            change(&mut changed);
            directory.write(&changed.paused)?;
            change(&mut state.lock());
            Ok(())
        })
        .await
    }

    /// The paused pools and trips.
    pub fn paused(&self) -> PausedPools {
        self.state().paused.clone()
    }

    /// Whether `pool` is paused.
    pub fn is_paused(&self, pool: PoolId) -> bool {
        self.state().paused.pools.contains(&pool)
    }
}
