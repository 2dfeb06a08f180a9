//! Pauses in a file, for a store whose contents end with the process.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use firmquote_domain::PoolId;
use parking_lot::{Mutex, MutexGuard};
use tokio::{task::spawn_blocking, time::timeout};

use super::exclusive_file::{create_new, try_lock};
use crate::StoreError;

/// The name of the file in its directory.
const FILE_NAME: &str = "paused";
/// The last line: a file without it is truncated.
const END: &str = "end";

/// The set of paused pools in `<directory>/paused`: one line per pool; every change rewrites the whole file.
#[derive(Debug)]
pub struct PauseFile {
    state: Arc<Mutex<State>>,
    directory: Arc<LockedDirectory>,
    timeout: Duration,
}

/// The paused pools, and the order of the changes.
#[derive(Debug, Default)]
struct State {
    paused: BTreeSet<PoolId>,
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
            self.paused.insert(pool);
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
                let aside = directory.path.join(format!("{FILE_NAME}.corrupt"));
                (pools.iter().copied().collect(), PauseFileState::Corrupt(aside))
            }
        };
        // Also checks that the directory is writable. Until the new file is complete, an unreadable one stays in place.
        let written = directory.write_beside(&paused)?;
        if let PauseFileState::Corrupt(aside) = &found {
            set_aside(&path, aside)?;
        }
        directory.replace(&written)?;
        let state = Arc::new(Mutex::new(State { paused, ..State::default() }));
        Ok((Self { state, directory: Arc::new(directory), timeout }, found))
    }

    /// Returns the paused pools of the file in `directory`, which need not be writable: all of `pools` if the file
    /// cannot be read, none if there is no such file.
    pub fn read(directory: &Path, pools: &[PoolId]) -> BTreeSet<PoolId> {
        read(&directory.join(FILE_NAME)).unwrap_or_else(|| pools.iter().copied().collect())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

/// Reads a file that may not exist yet; `None` if its pauses cannot be known.
fn read(path: &Path) -> Option<BTreeSet<PoolId>> {
    match fs::read_to_string(path) {
        Ok(text) => parse(&text),
        Err(error) => (error.kind() == io::ErrorKind::NotFound).then(BTreeSet::new),
    }
}

/// Keeps the file at `path` at `aside`, where it replaces an earlier one. A link, so that `path` is never missing; the file
/// of another user can only be moved.
fn set_aside(path: &Path, aside: &Path) -> io::Result<()> {
    match fs::remove_file(aside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    fs::hard_link(path, aside).or_else(|_| fs::rename(path, aside))
}

impl LockedDirectory {
    /// Atomically replaces the file with one that lists these pools.
    fn write(&self, paused: &BTreeSet<PoolId>) -> io::Result<()> {
        self.replace(&self.write_beside(paused)?)
    }

    /// Writes a complete file that lists these pools, and returns its path.
    fn write_beside(&self, paused: &BTreeSet<PoolId>) -> io::Result<PathBuf> {
        let temporary = self.path.join(format!("{FILE_NAME}.new"));
        let mut file = create_new(&temporary)?;
        let lines = paused.iter().fold(String::new(), |lines, pool| format!("{lines}{pool}\n"));
        file.write_all(format!("{lines}{END}\n").as_bytes())?;
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
fn parse(text: &str) -> Option<BTreeSet<PoolId>> {
    let lines = text.strip_suffix('\n')?.strip_suffix(END)?;
    if !lines.is_empty() && !lines.ends_with('\n') {
        return None;
    }
    lines.lines().map(|line| line.parse().ok()).collect()
}

impl PauseFile {
    /// Sets whether `pool` is paused. A pause takes effect immediately, even if the write fails; a resumed pool becomes
    /// active only once the change is on disk.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the change is not on disk; trying again is safe.
    pub async fn set_paused(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError> {
        let change = self.state().request(pool, is_paused);
        let (state, directory) = (Arc::clone(&self.state), Arc::clone(&self.directory));
        let written = spawn_blocking(move || {
            let _writing = directory.writing.lock();
            let is_resumed = |state: &State| !is_paused && !state.is_paused_since(pool, change);
            let paused = {
                let state = state.lock();
                let mut paused = state.paused.clone();
                if is_resumed(&state) {
                    paused.remove(&pool);
                }
                paused
            };
            directory.write(&paused)?;
            let mut state = state.lock();
            if is_resumed(&state) {
                state.paused.remove(&pool);
            }
            Ok::<_, io::Error>(())
        });
        match timeout(self.timeout, written).await {
            Ok(Ok(written)) => written.map_err(|error| StoreError::Unavailable(Box::new(error))),
            Ok(Err(error)) => Err(StoreError::Unavailable(Box::new(error))),
            Err(_) => {
                let millis = self.timeout.as_millis();
                Err(StoreError::Unavailable(format!("the pauses were not written to disk within {millis} ms").into()))
            }
        }
    }

    /// The paused pools.
    pub fn paused(&self) -> BTreeSet<PoolId> {
        self.state().paused.clone()
    }

    /// Whether `pool` is paused.
    pub fn is_paused(&self, pool: PoolId) -> bool {
        self.state().paused.contains(&pool)
    }
}
