//! The client commands: `firmquote quote`, `sign`, `status`, `levels`, `pool` and `verify`.

mod chain;
mod levels;
mod pool;
mod print;
mod quote;
mod quote_request;
mod report;
mod sign;
mod status;
mod verify;

use std::{
    io::{Write as _, stderr},
    process::ExitCode,
};

use crate::cli::ClientCommand;

/// Runs a client command, and reports a failure on standard error as one line of text or JSON.
///
/// # Errors
/// When the runtime cannot be created, or standard error is closed.
pub(super) fn run(command: ClientCommand) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (is_json, done) = runtime.block_on(async {
        match command {
            ClientCommand::Quote(arguments) => (arguments.json, quote::run(&arguments).await),
            ClientCommand::Sign(arguments) => (arguments.json, sign::run(&arguments).await),
            ClientCommand::Status(arguments) => (arguments.json, status::run(&arguments).await),
            ClientCommand::Levels(arguments) => (arguments.json, levels::run(&arguments).await),
            ClientCommand::Pool(arguments) => (arguments.json, pool::run(&arguments).await),
            ClientCommand::Verify(arguments) => (arguments.json, verify::run(&arguments).await),
        }
    });
    match done {
        Ok(code) => Ok(code),
        Err(failure) => {
            if is_json {
                writeln!(stderr(), "{}", failure.json()?)?;
            } else {
                writeln!(stderr(), "error: {}", failure.message())?;
            }
            Ok(failure.exit_code())
        }
    }
}
