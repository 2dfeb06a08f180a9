//! `firmquote tape`: checks the files of tapes.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

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

/// Returns a directory and the directories in it.
fn tapes(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let name = || directory.display().to_string();
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<Result<Vec<_>, _>>).with_context(name)?;
    let mut found = vec![directory.to_owned()];
    found.extend(entries.into_iter().map(|entry| entry.path()).filter(|path| path.is_dir()));
    Ok(found)
}
