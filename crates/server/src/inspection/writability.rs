//! Whether the service could write the files that a configuration names.

use std::{
    fs::{self, OpenOptions},
    io,
    path::Path,
};

use firmquote_config::Config;

use crate::{Error, error::Context as _};

/// A file that is created in a directory, and removed again, to see whether it can be.
const PROBE_FILE: &str = ".firmquote-check";

/// Tries to write where the ledger, the tape and the state would be. Returns a warning about the state directory, without
/// which the service starts anyway.
///
/// # Errors
/// For a ledger file and a tape that could not be written.
pub(super) fn check(config: &Config) -> Result<Option<String>, Error> {
    if let Some(tape) = &config.tape {
        let directory = &tape.directory;
        // It is created at the start.
        probe(existing(directory))
            .with_context(|| format!("tape.directory: cannot write to {}", directory.display()))?;
    }
    let Some(memory) = config.store.memory() else { return Ok(None) };
    if let Some(path) = &memory.ledger_file {
        let is_writable = match path.metadata() {
            // Nothing is written to a pipe.
            Ok(metadata) if !metadata.is_file() => Ok(()),
            Ok(_) => OpenOptions::new().append(true).open(path).map(drop),
            Err(_) => probe(path.parent().unwrap_or(path)),
        };
        is_writable.with_context(|| format!("store.ledger_file: cannot append to {}", path.display()))?;
    }
    let Some(directory) = &memory.state_directory else { return Ok(None) };
    Ok(probe(directory).err().map(|error| {
        format!(
            "store.state_dir: cannot write to {} ({error}); pauses and revocations end with the process, and pauses that \
             cannot be read pause every pool",
            directory.display()
        )
    }))
}

/// Creates a file in a directory, and removes it again.
fn probe(directory: &Path) -> io::Result<()> {
    let path = directory.join(PROBE_FILE);
    OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
    fs::remove_file(path)
}

/// Returns the directory in which `directory` would be created; itself, if it exists.
fn existing(directory: &Path) -> &Path {
    match directory.parent() {
        Some(parent) if !directory.exists() => existing(parent),
        _ => directory,
    }
}
