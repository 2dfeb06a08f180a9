//! `firmquote tape`: checks the files of tapes, and replays them.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use firmquote_analysis::Difference;

use super::output;

/// Checks the closed files of `directories` and of the directories in them, and prints their numbers.
///
/// # Errors
/// For a file that is not the one that was written, and for a directory without any.
pub(super) fn verify(directories: &[PathBuf]) -> anyhow::Result<()> {
    for directory in directories {
        let mut files = 0;
        for tape in tapes(directory)? {
            files += firmquote_tape::verify(&tape)?;
        }
        anyhow::ensure!(files > 0, "{}: no closed file of a tape", directory.display());
        output::print(format!("{}: {files} files are as written\n", directory.display()))?;
    }
    Ok(())
}

/// Computes the requests of tapes again, and prints how many have the recorded result.
///
/// # Errors
/// For a tape that cannot be read, and if any result differs.
pub(super) fn replay(directories: &[PathBuf]) -> anyhow::Result<()> {
    let report = firmquote_analysis::replay(directories)?;
    let mut text = format!("{} of {} equal\n", report.equal, report.recomputed);
    for Difference { request, difference } in &report.differences {
        let time = jiff::Timestamp::from_microsecond(request.time.as_micros().try_into()?)?;
        let quote = request.quote_id.map_or_else(|| "-".to_owned(), |id| id.to_string());
        writeln!(text, "{time} {} {quote}: {difference}", request.operation.name())?;
    }
    let different = report.recomputed - report.equal;
    let described = u64::try_from(report.differences.len())?;
    if different > described {
        writeln!(text, "and {} more", different - described)?;
    }
    for (reason, requests) in &report.not_recomputed {
        writeln!(text, "not recomputed: {requests} {reason}")?;
    }
    output::print(text)?;
    anyhow::ensure!(different == 0, "{different} results differ");
    anyhow::ensure!(report.requests > 0, "no request on these tapes");
    Ok(())
}

/// Returns a directory and the directories in it.
fn tapes(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let name = || directory.display().to_string();
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<Result<Vec<_>, _>>).with_context(name)?;
    let mut found = vec![directory.to_owned()];
    found.extend(entries.into_iter().map(|entry| entry.path()).filter(|path| path.is_dir()));
    Ok(found)
}
