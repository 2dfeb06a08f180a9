//! A file that only this process writes, accessed beside the tasks of a runtime.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;

use super::blocking::access_disk;
use crate::StoreError;

/// The path of a file, and how it is accessed: by one thread at a time, with a timeout.
#[derive(Debug)]
pub(super) struct StateFile {
    path: Arc<PathBuf>,
    accessing: Arc<Mutex<()>>,
    timeout: Duration,
}

impl StateFile {
    pub(super) fn new(path: PathBuf, timeout: Duration) -> Self {
        Self { path: Arc::new(path), accessing: Arc::default(), timeout }
    }

    /// Runs `access` once no other one is in progress.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it fails, or the disk takes longer than the timeout.
    pub(super) async fn access<T: Send + 'static>(
        &self,
        access: impl FnOnce(&Path) -> io::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (path, accessing) = (Arc::clone(&self.path), Arc::clone(&self.accessing));
        access_disk(self.timeout, move || {
            let _accessing = accessing.lock();
            access(&path)
        })
        .await
    }
}
