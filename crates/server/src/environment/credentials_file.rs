//! Exclusive, atomic editing of the credentials file: concurrent editors are locked out, and readers never see a
//! partial file.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{ErrorKind, Write as _},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, chown},
    path::{Path, PathBuf},
};

use firmquote_config::credentials_file::CredentialsDocument;

use crate::{Error, error::Context as _};

/// A credentials file, locked against other editors until the value is dropped.
pub struct CredentialsFile {
    path: PathBuf,
    /// The target if `path` is a symbolic link, as mounted secrets often are; the link is preserved.
    resolved_path: PathBuf,
    document: CredentialsDocument,
    /// The directory of `resolved_path`, which holds the lock.
    folder: File,
}

impl CredentialsFile {
    /// Reads the file at `path`, or starts with an empty document. Waits while another process edits a file in the same
    /// directory.
    ///
    /// # Errors
    /// [`Error::Unusable`] when the directory cannot be opened or locked, or the file exists but cannot be read;
    /// [`Error::CredentialsFile`] when it is invalid or uses inline tables, which cannot be edited.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let resolved_path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = resolved_path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = File::open(folder).with_context(|| format!("{}: cannot be opened", folder.display()))?;
        folder.lock().context("the folder of the credentials file cannot be locked")?;
        let text = match fs::read_to_string(&resolved_path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| format!("{}: cannot be read", path.display())),
        };
        let document = CredentialsDocument::read(path.display().to_string(), &text)?;
        Ok(Self { path: path.to_owned(), document, folder, resolved_path })
    }

    /// Returns the document for editing.
    pub const fn document(&mut self) -> &mut CredentialsDocument {
        &mut self.document
    }

    /// Replaces the file atomically and keeps its owner and mode; a new file is readable by its owner only.
    ///
    /// # Errors
    /// [`Error::CredentialsFile`] when the new content is invalid, [`Error::Unusable`] when it cannot be written; the
    /// file is then unchanged.
    pub fn write(&self) -> Result<(), Error> {
        let text = self.document.text()?;
        let written = write_whole(&self.resolved_path, &text).and_then(|()| self.folder.sync_all());
        written.with_context(|| format!("{}: cannot be written", self.path.display()))
    }
}

fn write_whole(resolved_path: &Path, text: &str) -> std::io::Result<()> {
    let mut temporary_path = resolved_path.as_os_str().to_owned();
    temporary_path.push(".new");
    let temporary_path = PathBuf::from(temporary_path);
    // A leftover of an interrupted edit may have another owner and be readable by others.
    match fs::remove_file(&temporary_path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary_path)?;
    let (mode, owner) = match fs::metadata(resolved_path) {
        Ok(meta) => (meta.permissions().mode() & 0o777, Some((meta.uid(), meta.gid()))),
        Err(_) => (0o600, None),
    };
    file.set_permissions(Permissions::from_mode(mode))?;
    if let Some((user, group)) = owner {
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (user, group) {
            chown(&temporary_path, Some(user), Some(group))?;
        }
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&temporary_path, resolved_path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_symlink_is_preserved_and_its_target_directory_locked() {
        let (links, targets) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (link, target) = (links.path().join("credentials.toml"), targets.path().join("kept.toml"));
        fs::write(&target, "# kept\n").unwrap();
        symlink(&target, &link).unwrap();
        let file = CredentialsFile::open(&link).unwrap();
        assert!(File::open(targets.path()).unwrap().try_lock().is_err(), "whoever edits the target waits");
        assert!(File::open(links.path()).unwrap().try_lock().is_ok());
        file.write().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "# kept\n");
    }
}
