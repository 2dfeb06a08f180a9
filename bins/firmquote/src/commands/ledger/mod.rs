//! `firmquote ledger`: shows the signatures that left, wherever the store of a configuration writes them down. Nothing
//! is ever changed in a ledger.

mod file;
mod printer;
mod stream;

use std::path::Path;

use anyhow::bail;
use firmquote_config::StoreConfig;
use firmquote_server::{environment, system_sources};

pub(crate) use printer::Span;

/// Shows the last `count` entries of the ledger of the store in the file at `path`, and with `follow` those to come.
pub(super) fn tail(path: &Path, count: usize, follow: bool) -> anyhow::Result<()> {
    match read(path)? {
        StoreConfig::Redis(redis) => stream::tail(&redis, count, follow),
        StoreConfig::Memory(memory) => match memory.ledger_file {
            Some(ledger) => file::tail(&ledger, count, follow),
            None => none(path),
        },
    }
}

/// Shows the entries of `span`.
pub(super) fn export(path: &Path, span: &Span) -> anyhow::Result<()> {
    match read(path)? {
        StoreConfig::Redis(redis) => stream::export(&redis, span),
        StoreConfig::Memory(memory) => match memory.ledger_file {
            Some(ledger) => file::export(&ledger, span),
            None => none(path),
        },
    }
}

fn read(path: &Path) -> anyhow::Result<StoreConfig> {
    Ok(StoreConfig::from_file(path, &environment::overrides()?, &system_sources())?)
}

fn none(path: &Path) -> anyhow::Result<()> {
    bail!("{}: no ledger is kept, set store.ledger_file", path.display())
}
