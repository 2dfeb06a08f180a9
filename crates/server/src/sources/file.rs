//! Reads files of bounded size, those with secrets among them.

use std::{
    fs::{File, Metadata},
    io::{self, Read as _},
    os::unix::fs::MetadataExt as _,
    path::Path,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use firmquote_config::{FileReaders, UnreadableFile};
use rustix::process::geteuid;
use zeroize::Zeroizing;

/// Time limit for reading a file: a pipe may have no writer, and a network mount may hang.
const DEADLINE: Duration = Duration::from_secs(10);

/// Returns the contents of the file at `path`, at most `most` bytes, overwritten when dropped.
///
/// # Errors
/// [`UnreadableFile`] for the first problem. Ownership and mode of pipes and the like are not checked.
pub(crate) fn read(path: &Path, most: usize, readers: FileReaders) -> Result<Zeroizing<Vec<u8>>, UnreadableFile> {
    read_within(DEADLINE, path, most, readers)
}

/// Reads on a separate thread, which is abandoned when a read does not return.
fn read_within(
    deadline: Duration,
    path: &Path,
    most: usize,
    readers: FileReaders,
) -> Result<Zeroizing<Vec<u8>>, UnreadableFile> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let path = path.to_owned();
    let reading = thread::Builder::new().name("read-file".to_owned());
    reading.spawn(move || sender.send(read_all(&path, most, readers)))?;
    receiver.recv_timeout(deadline).unwrap_or_else(|error| match error {
        RecvTimeoutError::Timeout => Err(UnreadableFile::TooSlow { deadline_seconds: DEADLINE.as_secs() }),
        RecvTimeoutError::Disconnected => Err(UnreadableFile::Io(io::Error::other("the reader thread ended"))),
    })
}

fn read_all(path: &Path, most: usize, readers: FileReaders) -> Result<Zeroizing<Vec<u8>>, UnreadableFile> {
    let file = File::open(path)?;
    let meta = file.metadata()?;
    if readers == FileReaders::OwnerOnly && meta.is_file() && is_exposed(&meta) {
        return Err(UnreadableFile::Exposed);
    }
    // Reallocating would leave copies in memory, so the capacity covers the whole file.
    let mut contents = Zeroizing::new(Vec::with_capacity(most.saturating_add(1)));
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut contents)?;
    if contents.len() > most { Err(UnreadableFile::TooLong { max_bytes: most }) } else { Ok(contents) }
}

fn is_exposed(meta: &Metadata) -> bool {
    meta.mode() & too_much(meta.uid(), geteuid().as_raw()) != 0
}

/// Returns the mode bits that a secret file must not have, for this owner and this reading user.
///
/// Only `root` can assign a group to a file of `root`, and a user other than `root` can read such a file only through
/// the group: it was deliberately granted access. The mask of an access control list appears in the same bits.
const fn too_much(owner: u32, reader: u32) -> u32 {
    if owner == 0 && reader != 0 { 0o037 } else { 0o077 }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_pipe_without_a_writer_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("key");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let read = read_within(Duration::from_millis(50), &pipe, 100, FileReaders::OwnerOnly);
        assert!(matches!(read, Err(UnreadableFile::TooSlow { .. })), "{read:?}");
    }

    #[test]
    fn groups_may_read_only_secrets_of_root_and_write_none() {
        const ROOT: u32 = 0;
        const SERVICE: u32 = 65_532;
        for (owner, reader, mode, is_taken) in [
            (SERVICE, SERVICE, 0o600, true),
            (SERVICE, SERVICE, 0o400, true),
            (SERVICE, SERVICE, 0o440, false),
            (SERVICE, SERVICE, 0o604, false),
            (ROOT, SERVICE, 0o440, true),
            (ROOT, SERVICE, 0o640, true),
            (ROOT, SERVICE, 0o660, false),
            (ROOT, SERVICE, 0o444, false),
            (ROOT, SERVICE, 0o450, false),
            (ROOT, ROOT, 0o600, true),
            (ROOT, ROOT, 0o640, false),
            (SERVICE, ROOT, 0o640, false),
        ] {
            assert_eq!(mode & too_much(owner, reader) == 0, is_taken, "{mode:o} of {owner}, read by {reader}");
        }
    }
}
