//! `auth.credentials_file`: a file of `[[credential]]` tables of its own, which `firmquote credential` edits and which is
//! read again whenever it changes.

use std::{path::Path, sync::Arc};

use firmquote_http::Credential;

use crate::{
    ConfigError, NoSources, Sources,
    config::{parse, text_of},
    credential,
    document::reader::{Keys, Table},
};

/// Nothing but credentials stands in it.
const KEYS: Keys = Keys::new(&["credential"]);

/// The credentials of the file at `path`.
///
/// # Errors
/// [`ConfigError`] for the first thing that is wrong.
pub fn read(path: &Path, sources: &Arc<dyn Sources>) -> Result<Vec<Credential>, ConfigError> {
    let (file, text) = text_of(path, &**sources)?;
    of_text(&file, &text)
}

/// The credentials of `text`, which stands in `file`.
///
/// # Errors
/// [`ConfigError`] for the first thing that is wrong.
pub fn of_text(file: &str, text: &str) -> Result<Vec<Credential>, ConfigError> {
    // Hashes stand in the file itself: it names nothing.
    let sources: Arc<dyn Sources> = Arc::new(NoSources);
    parse(file, text, &[], |root| {
        credential::read_all(&Table::root(root, &KEYS, &sources)?.field("credential").tables(&credential::KEYS)?)
    })
}
