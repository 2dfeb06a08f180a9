//! Samples of pools in a file, for a store whose contents end with the process.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use firmquote_domain::PoolId;

use super::{exclusive_file::replace_file, state_file::StateFile};
use crate::{PoolSample, StoreError};

/// The name of the file in its directory.
const FILE_NAME: &str = "samples";

/// The number of appended lines after which the file is written anew, without those that are too old.
const MAX_APPENDED: usize = 20_000;

/// The samples in `<directory>/samples`: one line per sample, the pool and a line of JSON. Appended lines are not
/// synced to the disk: a crash of the machine may lose the last ones.
#[derive(Debug)]
pub struct SampleFile {
    file: StateFile,
    appended: AtomicUsize,
}

impl SampleFile {
    /// Uses the file in `directory`, which must belong to this process alone, and returns the samples in it, without
    /// lines that cannot be read. A write fails if the disk takes longer than `timeout`.
    ///
    /// # Errors
    /// When the file exists and cannot be read.
    pub fn open(directory: &Path, timeout: Duration) -> io::Result<(Self, Vec<(PoolId, PoolSample)>)> {
        let path = directory.join(FILE_NAME);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read?,
        };
        let samples = text.split(|byte| *byte == b'\n').filter_map(parse).collect();
        // At the limit, so that the first write replaces what an earlier process left.
        let appended = AtomicUsize::new(MAX_APPENDED);
        Ok((Self { file: StateFile::new(path, timeout), appended }, samples))
    }

    /// Adds a sample; from time to time, replaces the file with `all` samples, which include it.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the disk does not respond.
    pub(crate) async fn add(
        &self,
        (pool, sample): (PoolId, &PoolSample),
        all: impl FnOnce() -> Vec<(PoolId, PoolSample)>,
    ) -> Result<(), StoreError> {
        if self.appended.fetch_add(1, Ordering::Relaxed) >= MAX_APPENDED {
            return self.replace(&all()).await;
        }
        let line = line(pool, sample)?;
        self.file.access(move |path| OpenOptions::new().append(true).open(path)?.write_all(line.as_bytes())).await
    }

    /// Replaces the file with these samples.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the disk does not respond.
    pub(crate) async fn replace(&self, all: &[(PoolId, PoolSample)]) -> Result<(), StoreError> {
        let lines = all.iter().map(|(pool, sample)| line(*pool, sample)).collect::<Result<String, StoreError>>()?;
        self.file.access(move |path| replace_file(path, lines.as_bytes())).await?;
        self.appended.store(0, Ordering::Relaxed);
        Ok(())
    }
}

fn line(pool: PoolId, sample: &PoolSample) -> Result<String, StoreError> {
    let sample = sample.to_json().map_err(|error| StoreError::Unavailable(Box::new(error)))?;
    Ok(format!("{pool} {sample}\n"))
}

fn parse(line: &[u8]) -> Option<(PoolId, PoolSample)> {
    let (pool, sample) = str::from_utf8(line).ok()?.split_once(' ')?;
    Some((pool.parse().ok()?, PoolSample::from_json(sample.as_bytes())?))
}
