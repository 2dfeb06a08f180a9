//! The `firmquote` binary: the command-line interface of the server and the client, and process-level setup.

mod cli;
mod client;
mod commands;
mod process;
mod secret;

use std::{
    io::{Write as _, stderr},
    process::ExitCode,
};

use clap::Parser as _;
use mimalloc::MiMalloc;

/// An allocator with per-thread heaps: the thread that serves a request also frees what the request allocated.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Exits with 0 on success and 1 on failure. clap exits with 2 on a usage error; client commands add one more code, 3.
fn main() -> ExitCode {
    let memory_warnings = process::keep_memory_private();
    // This cannot fail: no provider is installed before this point.
    drop(rustls::crypto::ring::default_provider().install_default());
    match commands::run(cli::Cli::parse(), &memory_warnings) {
        Ok(code) => code,
        Err(error) => {
            // If standard error is closed, there is no place left to report to.
            drop(writeln!(stderr(), "error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
