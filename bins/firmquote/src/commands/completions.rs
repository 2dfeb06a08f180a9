//! `firmquote completions`.

use std::io::Write as _;

use clap::CommandFactory as _;
use clap_complete::{Shell, generate};

use super::output::Output;
use crate::cli::Cli;

/// Prints a script that completes the command line in `shell`.
pub(crate) fn run(shell: Shell) -> anyhow::Result<()> {
    let mut out = Output::lock();
    generate(shell, &mut Cli::command(), "firmquote", &mut out);
    Ok(out.flush()?)
}
