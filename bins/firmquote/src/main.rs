//! The `firmquote` program: the command line over the server and the client, and what only a process can decide.

mod cli;
mod client;
mod commands;
mod process;

use std::{
    io::{Write as _, stderr},
    process::ExitCode,
};

use clap::Parser as _;
use mimalloc::MiMalloc;

/// What a request allocates is freed by the thread that served it: an allocator with a heap for each thread.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// 0 when all is well, 1 when something is not; clap answers wrong usage with 2, and commands of clients have one code more.
fn main() -> ExitCode {
    let exposures = process::keep_memory_private();
    // Nothing was installed before: this is the first that the process does with TLS.
    drop(rustls::crypto::ring::default_provider().install_default());
    match commands::run(cli::Cli::parse(), &exposures) {
        Ok(code) => code,
        Err(error) => {
            // Nobody is left to tell when standard error is closed.
            drop(writeln!(stderr(), "error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
