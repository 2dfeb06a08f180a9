//! The credentials file while it is edited: nobody else edits it, and whoever reads it meanwhile finds it whole.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{ErrorKind, Write as _},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, chown},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use firmquote_config::credentials_file::CredentialsDocument;

/// A credentials file that nobody else edits until this is dropped.
pub(super) struct CredentialsFile {
    path: PathBuf,
    /// What is there if that is a link, as secrets are often mounted: it stays one.
    place: PathBuf,
    document: CredentialsDocument,
    /// The folder of `place`, whose lock it holds.
    folder: File,
}

impl CredentialsFile {
    /// Reads the file at `path`, or starts an empty one. Waits for whoever edits a file of the same folder.
    ///
    /// # Errors
    /// When it is there and cannot be read, or is not usable as it is, or not to be edited.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = File::open(folder).with_context(|| format!("{}: cannot be opened", folder.display()))?;
        folder.lock().context("the folder of the credentials file cannot be locked")?;
        let text = match fs::read_to_string(&place) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| format!("{}: cannot be read", path.display())),
        };
        let document = CredentialsDocument::read(path.display().to_string(), &text)?;
        Ok(Self { path: path.to_owned(), document, folder, place })
    }

    /// What stands in it, to be edited.
    pub(super) const fn document(&mut self) -> &mut CredentialsDocument {
        &mut self.document
    }

    /// Puts the file in place of the one that is there, whole, with the owner and mode of that one; a new one can be read by
    /// its owner alone.
    ///
    /// # Errors
    /// When what would be written is not usable, and when it cannot be written; the file stays as it was.
    pub(super) fn write(&self) -> anyhow::Result<()> {
        let text = self.document.text()?;
        let written = write_whole(&self.place, &text).and_then(|()| self.folder.sync_all());
        written.with_context(|| format!("{}: cannot be written", self.path.display()))
    }
}

fn write_whole(place: &Path, text: &str) -> std::io::Result<()> {
    let mut beside = place.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    // What an interrupted edit left behind may belong to somebody, and be readable by others.
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
    let (mode, owner) = match fs::metadata(place) {
        Ok(meta) => (meta.permissions().mode() & 0o777, Some((meta.uid(), meta.gid()))),
        Err(_) => (0o600, None),
    };
    file.set_permissions(Permissions::from_mode(mode))?;
    if let Some((user, group)) = owner {
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (user, group) {
            chown(&beside, Some(user), Some(group))?;
        }
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&beside, place)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_stays_one_and_the_folder_of_its_target_is_locked() {
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
