//! Pauses in a file, for a store that forgets everything with the process.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use firmquote_domain::PoolId;
use tokio::{task::spawn_blocking, time::timeout};

use crate::{PauseBoard, StoreError, file_lock::try_lock};

/// The name of the file in its directory.
const NAME: &str = "paused";
/// The last line: a file that breaks off before it was not written whole.
const END: &str = "end";

/// Keeps which pools are paused in `<directory>/paused`: a line for each pool, written anew as a whole with every change.
#[derive(Debug)]
pub struct PauseFile {
    state: Arc<Mutex<BTreeSet<PoolId>>>,
    directory: Arc<LockedDirectory>,
    timeout: Duration,
}

/// What was found when the file was opened.
#[derive(Debug, PartialEq, Eq)]
pub enum PauseFileState {
    /// It could be read, or there was none yet.
    Read,
    /// It could not be read as it is: all pools are paused, and the file was put aside under the name of the path.
    Corrupt(PathBuf),
}

/// A directory that one process writes to at a time.
#[derive(Debug)]
struct LockedDirectory {
    path: PathBuf,
    /// The lock on it; also what makes a change of its names durable.
    file: File,
    /// One change is written after the other.
    writing: Mutex<()>,
}

impl PauseFile {
    /// Opens the file in `directory`, where one process at a time may. A file that cannot be read pauses all of `pools`: what
    /// it said may have been that. The disk has `timeout` for a change.
    ///
    /// # Errors
    /// When the directory is not there or cannot be written, and when another process has it.
    pub fn open(directory: &Path, pools: &[PoolId], timeout: Duration) -> io::Result<(Self, PauseFileState)> {
        let file = File::open(directory)?;
        try_lock(&file, "another process has it")?;
        let directory = LockedDirectory { path: directory.to_owned(), file, writing: Mutex::new(()) };
        let path = directory.path.join(NAME);
        let (paused, found) = match fs::read_to_string(&path).map(|text| parse(&text)) {
            Ok(Some(paused)) => (paused, PauseFileState::Read),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (BTreeSet::new(), PauseFileState::Read),
            Ok(None) | Err(_) => {
                let aside = directory.path.join(format!("{NAME}.corrupt"));
                fs::rename(&path, &aside)?;
                (pools.iter().copied().collect(), PauseFileState::Corrupt(aside))
            }
        };
        // Also to find out whether it can be.
        directory.write(&paused)?;
        let state = Arc::new(Mutex::new(paused));
        Ok((Self { state, directory: Arc::new(directory), timeout }, found))
    }

    fn state(&self) -> MutexGuard<'_, BTreeSet<PoolId>> {
        lock(&self.state)
    }
}

/// A thread that panicked holding the lock left the set whole: every change is one insertion or removal.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LockedDirectory {
    /// Puts a file with these pools in the place of the one there is, all of it or nothing.
    fn write(&self, paused: &BTreeSet<PoolId>) -> io::Result<()> {
        let temporary = self.path.join(format!("{NAME}.new"));
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
        let lines = paused.iter().fold(String::new(), |lines, pool| format!("{lines}{pool}\n"));
        file.write_all(format!("{lines}{END}\n").as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, self.path.join(NAME))?;
        self.file.sync_all()
    }
}

/// The pools of a file that is whole.
fn parse(text: &str) -> Option<BTreeSet<PoolId>> {
    let lines = text.strip_suffix('\n')?.strip_suffix(END)?;
    if !lines.is_empty() && !lines.ends_with('\n') {
        return None;
    }
    lines.lines().map(|line| line.parse().ok()).collect()
}

#[async_trait]
impl PauseBoard for PauseFile {
    /// A pause holds at once, whether or not the disk takes it; a pool goes on once the disk has it.
    async fn set_paused(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError> {
        if is_paused {
            self.state().insert(pool);
        }
        let (state, directory) = (Arc::clone(&self.state), Arc::clone(&self.directory));
        let written = spawn_blocking(move || {
            let _writing = lock(&directory.writing);
            let mut paused = lock(&state).clone();
            if is_paused {
                paused.insert(pool);
            } else {
                paused.remove(&pool);
            }
            directory.write(&paused)?;
            if !is_paused {
                lock(&state).remove(&pool);
            }
            Ok::<_, io::Error>(())
        });
        match timeout(self.timeout, written).await {
            Ok(Ok(written)) => written.map_err(|error| StoreError::Unavailable(Box::new(error))),
            Ok(Err(error)) => Err(StoreError::Unavailable(Box::new(error))),
            Err(_) => {
                let millis = self.timeout.as_millis();
                Err(StoreError::Unavailable(format!("the disk took no change of the pauses within {millis} ms").into()))
            }
        }
    }

    async fn paused(&self) -> Result<BTreeSet<PoolId>, StoreError> {
        Ok(self.state().clone())
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn outlives_process(&self) -> bool {
        true
    }
}
