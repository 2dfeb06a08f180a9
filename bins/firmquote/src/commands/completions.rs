//! `firmquote completions`.

use clap::CommandFactory as _;
use clap_complete::{Shell, generate};

use super::output;
use crate::cli::Cli;

/// Prints a completion script for `shell`.
pub(crate) fn run(shell: Shell) -> anyhow::Result<()> {
    // `generate` panics on write errors, so it writes to memory.
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "firmquote", &mut script);
    output::print(String::from_utf8(script)?)
}
