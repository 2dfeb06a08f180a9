//! Tells when files were changed. They are looked at again and again: that also sees what is renamed into place, behind a
//! link, or on a network, where a kernel's notices do not reach.

use std::{
    fs, io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

/// How often the files are looked at.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// What a file looked like; another one whenever it was written or replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileStamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// Files with what they looked like when they were read.
#[derive(Debug)]
pub(super) struct WatchedFiles {
    files: Vec<(PathBuf, Option<FileStamp>)>,
    /// What they looked like at the last look.
    seen: Vec<Option<FileStamp>>,
    /// How many looks have seen that, and how many have to.
    looks: u32,
    most_looks: u32,
}

impl WatchedFiles {
    /// Watches `files` from now on; a change counts once so many looks have seen the same. To be called before they are
    /// read, so that no change is missed.
    pub(super) fn new(files: impl IntoIterator<Item = PathBuf>, looks: u32) -> Self {
        let files: Vec<_> =
            files.into_iter().map(|path| (stamp(&path), path)).map(|(stamp, path)| (path, stamp)).collect();
        Self { seen: files.iter().map(|(_, stamp)| *stamp).collect(), files, looks: 0, most_looks: looks }
    }

    /// Watches these files as well, from now on.
    pub(super) fn add(&mut self, files: impl IntoIterator<Item = PathBuf>) {
        for path in files {
            if self.files.iter().all(|(known, _)| *known != path) {
                let stamp = stamp(&path);
                self.files.push((path, stamp));
                self.seen.push(stamp);
            }
        }
    }

    /// Takes the files for read as they are now. To be called before they are.
    pub(super) fn begin(&mut self) {
        for ((path, read), seen) in self.files.iter_mut().zip(&mut self.seen) {
            *read = stamp(path);
            *seen = *read;
        }
        self.looks = 0;
    }

    /// Whether the files are as they were when they were read, as far as the last look has seen.
    pub(super) fn is_at_rest(&self) -> bool {
        self.files.iter().zip(&self.seen).all(|((_, read), seen)| read == seen)
    }

    /// Whether a file has changed since it was read, and has come to rest.
    pub(super) fn have_changed(&mut self) -> bool {
        let now: Vec<_> = self.files.iter().map(|(path, _)| stamp(path)).collect();
        self.looks = if now == self.seen { self.looks.saturating_add(1) } else { 1 };
        self.seen = now;
        self.looks >= self.most_looks && self.files.iter().zip(&self.seen).any(|((_, read), seen)| read != seen)
    }
}

/// `None` for a file that is not there or cannot be looked at: reading it says why.
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
    fn a_change_is_told_once_it_has_come_to_rest() {
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
        watched.begin();
        assert!(!watched.have_changed() && watched.is_at_rest());
        let other = directory.path().join("other");
        watched.add([path.clone(), other.clone()]);
        fs::write(&other, "1").unwrap();
        assert!(!watched.have_changed() && watched.have_changed() && !watched.is_at_rest(), "a file that is new");
        let mut watched = WatchedFiles::new([path.clone()], 2);
        fs::write(directory.path().join("new"), "333").unwrap();
        fs::rename(directory.path().join("new"), &path).unwrap();
        assert!(!watched.have_changed() && watched.have_changed(), "another file in its place");
        fs::remove_file(&path).unwrap();
        assert!(!watched.have_changed() && watched.have_changed(), "none in its place");
    }
}
