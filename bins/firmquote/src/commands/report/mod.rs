//! `firmquote report`: what the swaps of a ledger earned.

mod balances;
mod format;
mod hedges;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};
use firmquote_analysis::{HedgeReport, LedgerSwaps, PriceHistory, Report, TokenNames, fee_parts, reconcile};
use firmquote_config::token_symbols;
use firmquote_domain::Hedge;
use firmquote_server::{environment, system_environment};
use firmquote_store::{
    archive::OPERATOR_DIRECTORY,
    ledger::{LedgerLine, LedgerReader},
};
use firmquote_tape::{GapRow, SegmentFiles};

pub(super) use self::format::render;
use super::{
    ledger::{LedgerSource, for_each_entry, hedges, hedges_in_file, note},
    output,
};
use crate::cli::ReportArguments;

/// Prints a report.
///
/// # Errors
/// Unless `from` is before `to`, and when the ledger or the configuration cannot be read.
pub(super) fn run(arguments: &ReportArguments) -> anyhow::Result<()> {
    let period = arguments.period.bounds()?;
    let config = arguments.config.as_deref();
    let names: TokenNames = match config {
        Some(path) => token_symbols(path, &environment::overrides()?, &system_environment())?.into_iter().collect(),
        None => TokenNames::default(),
    };
    let (mut swaps, hedges) = match &arguments.ledger {
        Some(ledger) => (from_files(ledger)?, hedges_beside(ledger)?),
        None => {
            let config = config.context("--ledger or --config is required: where the ledger is")?;
            let (mut swaps, source) = (LedgerSwaps::default(), LedgerSource::from_config(config)?);
            let hedges = hedges(&source)?;
            for_each_entry(source, |line| swaps.add_line(line))?;
            (swaps, hedges)
        }
    };
    if swaps.invalid_lines() > 0 {
        note(&format!("{} lines are not entries of this version: their swaps are missing", swaps.invalid_lines()));
    }
    let unsigned = swaps.executions_without_signature();
    if unsigned > 0 {
        note(&format!("{unsigned} executions have no signature on this ledger, and are missing"));
    }
    if let Some((from, begins_at)) = arguments.period.from().zip(swaps.begins_at())
        && from < begins_at
    {
        let begins_at = jiff::Timestamp::from_microsecond(begins_at.as_micros().try_into()?)?;
        note(&format!("the ledger begins at {begins_at}, after --from"));
    }
    for tape in &arguments.tapes {
        let lost: u64 = firmquote_tape::read::<GapRow>(tape)?.iter().map(|gap| gap.rows).sum();
        if lost > 0 {
            note(&format!("{}: the tape lost {lost} rows: requests and mark-outs may be missing", tape.display()));
        }
    }
    let segments = SegmentFiles::find_with_open(&arguments.tapes)?;
    let prices = PriceHistory::read(&segments)?;
    swaps.add_fee_parts(fee_parts(&segments)?);
    let mut report = Report::new(&swaps, &prices, &names, &arguments.by, period);
    for segment in &segments {
        report = report.with_requests(segment.read()?, period);
    }
    let pools = reconcile(&segments, &prices, period)?;
    let hedges = HedgeReport::new(&hedges, &swaps, &prices, &names, period);
    output::print(render(&report, &pools, &hedges, arguments.format, !arguments.tapes.is_empty()))
}

/// Reads the ledger in a file, or in the daily files of an archive.
pub(super) fn from_files(path: &Path) -> anyhow::Result<LedgerSwaps> {
    let name = |path: &Path| format!("--ledger {}", path.display());
    let files = if path.is_dir() { daily_files(path)? } else { vec![path.to_owned()] };
    ensure!(!files.is_empty(), "{}: no .jsonl file, as `firmquote ledger archive` writes them", name(path));
    let mut swaps = LedgerSwaps::default();
    for file in files {
        for line in LedgerReader::open(&file).with_context(|| name(&file))?.lines() {
            match line.with_context(|| name(&file))? {
                LedgerLine::Entry { text, .. } => swaps.add_line(&text),
                LedgerLine::Invalid => swaps.add_line(b""),
            }
        }
    }
    Ok(swaps)
}

/// Reads the hedges in the operator's stream beside a ledger file, or in an archive, which has none of an earlier
/// release.
fn hedges_beside(ledger: &Path) -> anyhow::Result<Vec<Hedge>> {
    if !ledger.is_dir() {
        return hedges(&LedgerSource::File(ledger.to_owned()));
    }
    let archive = ledger.join(OPERATOR_DIRECTORY);
    let files = if archive.is_dir() { daily_files(&archive)? } else { Vec::new() };
    let hedges: Vec<Vec<Hedge>> = files.iter().map(|file| hedges_in_file(file)).collect::<Result<_, _>>()?;
    Ok(hedges.concat())
}

/// Returns the daily files in the directory of an archive.
fn daily_files(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.with_context(|| format!("--ledger {}", directory.display()))?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    Ok(files)
}
