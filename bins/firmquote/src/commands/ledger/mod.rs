//! `firmquote ledger`: prints and archives issued signatures from the ledger of the configured store. It never modifies
//! a ledger.

mod archive;
mod cursor_file;
mod file;
mod printer;
mod source;
mod stream;

use std::path::Path;

use anyhow::Context as _;
use firmquote_domain::Hedge;
use firmquote_store::{EventStream, hedge_of_line, ledger::OPERATOR_FILE, read_hedges};

use crate::cli::Period;

pub(super) use self::{archive::run as archive, cursor_file::CursorFile, printer::note, source::LedgerSource};

/// Prints the last `count` entries of the ledger configured in the file at `path`, or those after `cursor`, and, with
/// `follow`, new ones.
pub(super) fn tail(path: &Path, count: usize, follow: bool, cursor: Option<CursorFile>) -> anyhow::Result<()> {
    match LedgerSource::from_config(path)? {
        LedgerSource::Stream(redis) => stream::tail(&redis, count, follow, cursor.as_ref()),
        LedgerSource::File(file) => file::tail(&file, count, follow, cursor.as_ref()),
    }
}

/// Prints the entries of a period.
///
/// # Errors
/// Unless it starts before it ends, and when the ledger cannot be read.
pub(super) fn export(path: &Path, period: &Period) -> anyhow::Result<()> {
    let (from, to) = period.bounds()?;
    let range = from..to;
    match LedgerSource::from_config(path)? {
        LedgerSource::Stream(redis) => stream::export(&redis, &range),
        LedgerSource::File(file) => file::export(&file, &range),
    }
}

/// Returns the hedges in the operator's stream beside a ledger.
///
/// # Errors
/// When it cannot be read.
pub(super) fn hedges(source: &LedgerSource) -> anyhow::Result<Vec<Hedge>> {
    match source {
        LedgerSource::Stream(redis) => {
            let mut hedges = Vec::new();
            stream::for_each_entry(redis, EventStream::Operator, |line| hedges.extend(hedge_of_line(line)))?;
            Ok(hedges.into_iter().map(|(hedge, _)| hedge).collect())
        }
        LedgerSource::File(ledger) => hedges_in_file(&ledger.with_file_name(OPERATOR_FILE)),
    }
}

/// Returns the hedges in a file of the operator's stream; none if there is no file.
///
/// # Errors
/// When it cannot be read.
pub(super) fn hedges_in_file(path: &Path) -> anyhow::Result<Vec<Hedge>> {
    let hedges = read_hedges(path).with_context(|| path.display().to_string())?;
    Ok(hedges.into_iter().map(|(hedge, _)| hedge).collect())
}

/// Calls `add` with every entry of a ledger.
///
/// # Errors
/// When the ledger cannot be read.
pub(super) fn for_each_entry(source: LedgerSource, add: impl FnMut(&[u8])) -> anyhow::Result<()> {
    match source {
        LedgerSource::Stream(redis) => stream::for_each_entry(&redis, EventStream::Ledger, add),
        LedgerSource::File(file) => file::for_each_entry(&file, add),
    }
}
