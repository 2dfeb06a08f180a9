//! `firmquote ledger`: prints issued signatures from the ledger of the configured store. It never modifies a ledger.

mod file;
mod printer;
mod stream;

use std::path::Path;

use anyhow::{bail, ensure};
use firmquote_config::StoreConfig;
use firmquote_domain::Timestamp;
use firmquote_server::{environment, system_sources};

/// Prints the last `count` entries of the ledger configured in the file at `path` and, with `follow`, new ones.
pub(super) fn tail(path: &Path, count: usize, follow: bool) -> anyhow::Result<()> {
    match read(path)? {
        StoreConfig::Redis(redis) => stream::tail(&redis, count, follow),
        StoreConfig::Memory(memory) => match memory.ledger_file {
            Some(ledger) => file::tail(&ledger, count, follow),
            None => none(path),
        },
    }
}

/// Prints the entries from `from` (inclusive) to `to` (exclusive), all by default.
///
/// # Errors
/// Unless `from` is before `to`, and when the ledger cannot be read.
pub(super) fn export(path: &Path, from: Option<Timestamp>, to: Option<Timestamp>) -> anyhow::Result<()> {
    let range = from.unwrap_or(Timestamp::from_micros(0))..to.unwrap_or(Timestamp::from_micros(u64::MAX));
    ensure!(!range.is_empty(), "--from has to be before --to");
    match read(path)? {
        StoreConfig::Redis(redis) => stream::export(&redis, &range),
        StoreConfig::Memory(memory) => match memory.ledger_file {
            Some(ledger) => file::export(&ledger, &range),
            None => none(path),
        },
    }
}

fn read(path: &Path) -> anyhow::Result<StoreConfig> {
    Ok(StoreConfig::from_file(path, &environment::overrides()?, &system_sources())?)
}

fn none(path: &Path) -> anyhow::Result<()> {
    bail!("{}: no ledger is configured, set store.ledger_file", path.display())
}
