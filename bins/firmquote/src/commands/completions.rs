//! `firmquote completions` and `firmquote version`.

use std::io::Write as _;

use clap::CommandFactory as _;
use clap_complete::{Shell, generate};

use super::output::Output;
use crate::cli::Cli;

/// Prints the version.
pub(crate) fn version() -> anyhow::Result<()> {
    let mut out = Output::lock();
    writeln!(out, "firmquote {}", env!("CARGO_PKG_VERSION"))?;
    Ok(out.flush()?)
}

/// Prints a completion script for `shell`.
pub(crate) fn run(shell: Shell) -> anyhow::Result<()> {
    // `generate` panics on write errors, so it writes to memory.
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "firmquote", &mut script);
    let mut out = Output::lock();
    out.write_all(&script)?;
    Ok(out.flush()?)
}
