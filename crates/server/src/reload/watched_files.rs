//! Detects changed files by polling, which also sees files that are renamed into place, behind a symbolic link, or on a
//! network file system, where kernel notifications do not arrive.

use std::{
    fs, io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

/// How often the files are polled.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The metadata of a file; differs after every write or replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileStamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// Files with their metadata when they were read.
#[derive(Debug)]
pub(super) struct WatchedFiles {
    files: Vec<(PathBuf, Option<FileStamp>)>,
    /// Their metadata at the last poll.
    polled: Vec<Option<FileStamp>>,
    /// Number of consecutive polls with the metadata in `polled`, and the number required.
    polls: u32,
    required_polls: u32,
}

impl WatchedFiles {
    /// Watches `files` from now on; a change counts once `polls` polls have seen the same state. Must be called before
    /// the files are read, so that no change is missed.
    pub(super) fn new(files: impl IntoIterator<Item = PathBuf>, polls: u32) -> Self {
        let files: Vec<_> =
            files.into_iter().map(|path| (stamp(&path), path)).map(|(stamp, path)| (path, stamp)).collect();
        Self { polled: files.iter().map(|(_, stamp)| *stamp).collect(), files, polls: 0, required_polls: polls }
    }

    /// Adds files to watch, from now on.
    pub(super) fn add(&mut self, files: impl IntoIterator<Item = PathBuf>) {
        for path in files {
            if self.files.iter().all(|(existing, _)| *existing != path) {
                let stamp = stamp(&path);
                self.files.push((path, stamp));
                self.polled.push(stamp);
            }
        }
    }

    /// Marks the files as read in their current state. Must be called before they are read.
    pub(super) fn mark_read(&mut self) {
        for ((path, read), polled) in self.files.iter_mut().zip(&mut self.polled) {
            *read = stamp(path);
            *polled = *read;
        }
        self.polls = 0;
    }

    /// Whether the files are unchanged since they were read, as of the last poll.
    pub(super) fn is_unchanged(&self) -> bool {
        self.files.iter().zip(&self.polled).all(|((_, read), polled)| read == polled)
    }

    /// Polls the files; returns whether one has changed since it was read and all are stable again.
    pub(super) fn have_changed(&mut self) -> bool {
        let now: Vec<_> = self.files.iter().map(|(path, _)| stamp(path)).collect();
        self.polls = if now == self.polled { self.polls.saturating_add(1) } else { 1 };
        self.polled = now;
        self.polls >= self.required_polls
            && self.files.iter().zip(&self.polled).any(|((_, read), polled)| read != polled)
    }
}

/// Returns `None` for a file that is missing or inaccessible: reading it reports why.
fn stamp(path: &Path) -> Option<FileStamp> {
    let meta: io::Result<fs::Metadata> = fs::metadata(path);
    meta.ok().map(|meta| FileStamp {
        device: meta.dev(),
        inode: meta.ino(),
        size: meta.size(),
        modified: (meta.mtime(), meta.mtime_nsec()),
        changed: (meta.ctime(), meta.ctime_nsec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_reported_once_it_has_settled() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, "1").unwrap();
        let mut watched = WatchedFiles::new([path.clone()], 2);
        assert!(!watched.have_changed());
        fs::write(&path, "22").unwrap();
        assert!(!watched.have_changed(), "it may still be written");
        fs::write(&path, "333").unwrap();
        assert!(!watched.have_changed());
        assert!(watched.have_changed() && watched.have_changed(), "until it is read anew");
        assert!(!WatchedFiles::new([path.clone()], 2).have_changed());
        watched.mark_read();
        assert!(!watched.have_changed() && watched.is_unchanged());
        let other = directory.path().join("other");
        watched.add([path.clone(), other.clone()]);
        fs::write(&other, "1").unwrap();
        assert!(!watched.have_changed() && watched.have_changed() && !watched.is_unchanged(), "a file that is new");
        let mut watched = WatchedFiles::new([path.clone()], 2);
        fs::write(directory.path().join("new"), "333").unwrap();
        fs::rename(directory.path().join("new"), &path).unwrap();
        assert!(!watched.have_changed() && watched.have_changed(), "another file in its place");
        fs::remove_file(&path).unwrap();
        assert!(!watched.have_changed() && watched.have_changed(), "none in its place");
    }
}
