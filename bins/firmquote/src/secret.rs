//! Secrets in files: the first line of one that only its owner can read.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use firmquote_config::{FileReaders, secret_file};
use firmquote_server::system_environment;
use zeroize::Zeroizing;

/// Reads the secret in the first line of the file at `path`; `name` says what it is.
///
/// # Errors
/// When the file cannot be read, others can read it, or its first line is empty.
pub(crate) fn from_file(path: &Path, name: &str) -> anyhow::Result<Zeroizing<Vec<u8>>> {
    let contents = system_environment().file(path, secret_file::MAX_FILE_BYTES, FileReaders::OwnerOnly);
    let contents = contents.with_context(|| format!("cannot read the {name} from {}", path.display()))?;
    let secret = secret_file::first_line(&contents).ok_or_else(|| missing(path, name))?;
    Ok(Zeroizing::new(secret.to_owned()))
}

/// Reads a secret that is UTF-8.
///
/// # Errors
/// Those of [`from_file`].
pub(crate) fn text_from_file(path: &Path, name: &str) -> anyhow::Result<Zeroizing<String>> {
    let secret = from_file(path, name)?;
    let text = str::from_utf8(&secret).map_err(|_| missing(path, name))?;
    Ok(Zeroizing::new(text.to_owned()))
}

fn missing(path: &Path, name: &str) -> anyhow::Error {
    anyhow!("{} has no {name} in its first line", path.display())
}
