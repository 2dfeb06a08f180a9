//! `auth.credentials_file`: a file of `[[credential]]` tables of its own, which `firmquote credential` edits and which is
//! read again whenever it changes.

use std::path::Path;

use firmquote_http::Credential;

use super::{
    ConfigError, credential, parse,
    reader::{Keys, Table},
    text_of,
};

/// Nothing but credentials stands in it.
const KEYS: Keys = Keys::new(&["credential"]);

/// The credentials of the file at `path`.
///
/// # Errors
/// [`ConfigError`] for the first thing that is wrong.
pub(crate) fn read(path: &Path) -> Result<Vec<Credential>, ConfigError> {
    let (file, text) = text_of(path)?;
    of_text(&file, &text)
}

/// The credentials of `text`, which stands in `file`.
///
/// # Errors
/// [`ConfigError`] for the first thing that is wrong.
pub(crate) fn of_text(file: &str, text: &str) -> Result<Vec<Credential>, ConfigError> {
    parse(file, text, &[], |root| {
        credential::read_all(&Table::root(root, &KEYS)?.field("credential").tables(&credential::KEYS)?)
    })
}
