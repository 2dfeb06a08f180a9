//! `firmquote check`.

use std::{
    io::{Write as _, stderr},
    path::Path,
    process::ExitCode,
    sync::Arc,
};

use firmquote_config::{Config, ConfigError};
use firmquote_server::{Inspection, SystemClock, environment, system_environment};
use serde::Serialize;
use tokio::runtime;

use super::output::Output;

/// The outcome of a check; its number is the exit code. clap exits with 2 on a usage error.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    /// Nothing prevents the start.
    Usable = 0,
    /// A key is invalid, or something that the configuration names does not match it.
    Invalid = 1,
    /// Usable, with warnings, in a strict check.
    Warnings = 3,
    /// The file cannot be read.
    Unreadable = 4,
}

/// What a check prints as JSON.
#[derive(Serialize)]
struct Report<'r> {
    outcome: Outcome,
    /// Why it is not usable.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    inspection: Option<&'r Inspection>,
}

/// Validates the file at `path`, prints a summary, and prints warnings about risky settings and about the responses of
/// its store, nodes and signers; as JSON without the summary. With `is_strict`, warnings fail the check.
pub(crate) fn run(path: &Path, is_strict: bool, is_json: bool) -> anyhow::Result<ExitCode> {
    let result = inspect(path);
    let outcome = match &result {
        Ok((_, inspection)) if is_strict && !inspection.warnings.is_empty() => Outcome::Warnings,
        Ok(_) => Outcome::Usable,
        Err(error) if matches!(error.downcast_ref(), Some(ConfigError::Unreadable { .. })) => Outcome::Unreadable,
        Err(_) => Outcome::Invalid,
    };
    let mut out = Output::lock();
    match &result {
        _ if is_json => {
            let error = result.as_ref().err().map(|error| format!("{error:#}"));
            let inspection = result.as_ref().ok().map(|(_, inspection)| inspection);
            writeln!(out, "{}", serde_json::to_string(&Report { outcome, error, inspection })?)?;
        }
        Ok((config, inspection)) => {
            writeln!(out, "{} is usable\n", path.display())?;
            inspection.write_summary(config, &mut out)?;
        }
        // If standard error is closed, there is no place left to report to.
        Err(error) => drop(writeln!(stderr(), "error: {error:#}")),
    }
    out.flush()?;
    Ok(ExitCode::from(outcome as u8))
}

fn inspect(path: &Path) -> anyhow::Result<(Config, Inspection)> {
    let config = Config::from_file(path, &environment::overrides()?, &system_environment())?;
    let clock = Arc::new(SystemClock::new(config.store.max_clock_skew()));
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let inspection = runtime.block_on(Inspection::new(&config, path, clock));
    // Do not wait for pending DNS lookups.
    runtime.shutdown_background();
    Ok((config, inspection?))
}
