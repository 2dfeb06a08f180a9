//! Files that belong to one process at a time: new ones that follow no link, replacements, and exclusive locks.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

/// Creates the file at `path` with mode 0600, in place of a leftover. A link at `path` is removed, not followed: it may
/// lead to any file that this process can write.
///
/// # Errors
/// When the leftover cannot be removed or the file not be created, also because another process just did.
pub(crate) fn create_new(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Atomically replaces the file at `path`; the new one has mode 0600, and outlives a crash of the machine.
///
/// # Errors
/// When it cannot be written. The file is then what it was, or the new one.
pub fn replace_file(path: &Path, contents: &[u8]) -> io::Result<()> {
    let temporary = path.with_added_extension("new");
    let mut file = create_new(&temporary)?;
    file.write_all(contents)?;
    file.sync_all()?;
    fs::rename(temporary, path)?;
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}

/// Locks `file` exclusively, until it is closed.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] with this `message` when another process holds the lock, otherwise the error of
/// the lock call.
pub(crate) fn try_lock(file: &File, message: &'static str) -> io::Result<()> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => io::Error::new(io::ErrorKind::WouldBlock, message),
        TryLockError::Error(error) => error,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_new_file_replaces_a_leftover_and_follows_no_link() {
        let directory = tempfile::tempdir().unwrap();
        let (victim, path) = (directory.path().join("victim"), directory.path().join("new"));
        fs::write(&victim, "precious").unwrap();
        symlink(&victim, &path).unwrap();
        for _ in 0..2 {
            create_new(&path).unwrap().set_len(3).unwrap();
            assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
            assert!(!fs::symlink_metadata(&path).unwrap().is_symlink());
        }
    }
}
