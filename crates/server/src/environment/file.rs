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
const READ_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest configuration: some ten thousand pools or credentials.
const MAX_TEXT_BYTES: u64 = 64 << 20;

/// Returns the contents of the file at `path`, at most `max_bytes` bytes, overwritten when dropped.
///
/// # Errors
/// [`UnreadableFile`] for the first problem. Ownership and mode of pipes and the like are not checked.
pub(crate) fn read(path: &Path, max_bytes: usize, readers: FileReaders) -> Result<Zeroizing<Vec<u8>>, UnreadableFile> {
    read_within(READ_TIMEOUT, path, max_bytes, readers)
}

/// Returns the text of the configuration at `path`.
///
/// # Errors
/// When it cannot be read in time, is too long or is not UTF-8.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let path = path.to_owned();
    let reading = move || {
        let mut text = String::new();
        let length = File::open(path)?.take(MAX_TEXT_BYTES + 1).read_to_string(&mut text)?;
        let is_too_long = u64::try_from(length).is_ok_and(|length| length > MAX_TEXT_BYTES);
        if is_too_long { Err(UnreadableFile::TooLong { max_bytes: length - 1 }) } else { Ok(text) }
    };
    within(READ_TIMEOUT, reading).map_err(|unreadable| match unreadable {
        UnreadableFile::Io(error) => error,
        unreadable => io::Error::other(unreadable),
    })
}

fn read_within(
    timeout: Duration,
    path: &Path,
    max_bytes: usize,
    readers: FileReaders,
) -> Result<Zeroizing<Vec<u8>>, UnreadableFile> {
    let path = path.to_owned();
    within(timeout, move || read_all(&path, max_bytes, readers))
}

/// Reads on a separate thread, which is abandoned when a read does not return.
fn within<T: Send + 'static>(
    timeout: Duration,
    read: impl FnOnce() -> Result<T, UnreadableFile> + Send + 'static,
) -> Result<T, UnreadableFile> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let reading = thread::Builder::new().name("read-file".to_owned());
    reading.spawn(move || sender.send(read()))?;
    receiver.recv_timeout(timeout).unwrap_or_else(|error| match error {
        RecvTimeoutError::Timeout => Err(UnreadableFile::TooSlow { timeout_seconds: timeout.as_secs() }),
        RecvTimeoutError::Disconnected => Err(UnreadableFile::Io(io::Error::other("the reader thread ended"))),
    })
}

fn read_all(path: &Path, max_bytes: usize, readers: FileReaders) -> Result<Zeroizing<Vec<u8>>, UnreadableFile> {
    let file = File::open(path)?;
    let meta = file.metadata()?;
    if readers == FileReaders::OwnerOnly && meta.is_file() && is_exposed(&meta) {
        return Err(UnreadableFile::Exposed);
    }
    // Reallocating would leave copies in memory, so the capacity covers the whole file.
    let mut contents = Zeroizing::new(Vec::with_capacity(max_bytes.saturating_add(1)));
    let limit = u64::try_from(max_bytes).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut contents)?;
    if contents.len() > max_bytes { Err(UnreadableFile::TooLong { max_bytes }) } else { Ok(contents) }
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
    fn a_configuration_without_an_end_is_refused() {
        let error = read_text(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.to_string(), "it is longer than 67108864 bytes");
        assert_eq!(read_text(Path::new("/dev/null")).unwrap(), "");
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
