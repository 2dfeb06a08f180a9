//! `firmquote ledger`: shows the signatures that left, wherever the store of a configuration writes them down. Nothing
//! is ever changed in a ledger.

mod file;
mod printer;
mod stream;

use std::{path::Path, time::Duration};

use anyhow::{bail, ensure};
use firmquote_config::StoreConfig;
use firmquote_domain::Timestamp;

use firmquote_server::{environment, system_sources};

/// How long `--follow` waits before it looks for new entries again.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// A stretch of time.
pub(super) struct Span {
    /// Its first instant.
    from: Timestamp,
    /// The instant it ends before, if it ends.
    to: Option<Timestamp>,
}

impl Span {
    /// From one instant up to, and without, another; without instants, all time.
    ///
    /// # Errors
    /// When it ends before it begins.
    pub(super) fn new(from: Option<Timestamp>, to: Option<Timestamp>) -> anyhow::Result<Self> {
        let from = from.unwrap_or(Timestamp::from_micros(0));
        ensure!(to.is_none_or(|to| from < to), "--from has to be before --to");
        Ok(Self { from, to })
    }

    fn contains(&self, instant: Timestamp) -> bool {
        self.from <= instant && self.to.is_none_or(|to| instant < to)
    }
}

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
