//! `firmquote check`.

use std::{io::Write as _, path::Path, process::ExitCode, sync::Arc};

use firmquote_config::Config;
use firmquote_server::{Inspection, SystemClock, environment, system_sources};
use tokio::runtime;

use super::output::Output;

/// Validates the file at `path`, prints a summary, and prints warnings about risky settings and about the responses of
/// its store, nodes and signers; as JSON without the summary. With `is_strict`, warnings fail the check.
pub(crate) fn run(path: &Path, is_strict: bool, is_json: bool) -> anyhow::Result<ExitCode> {
    let config = Config::from_file(path, &environment::overrides()?, &system_sources())?;
    let clock = Arc::new(SystemClock::new(config.store.max_clock_skew()));
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let inspection = runtime.block_on(Inspection::new(&config, path, clock));
    // Do not wait for pending DNS lookups.
    runtime.shutdown_background();
    let inspection = inspection?;
    let mut out = Output::lock();
    if is_json {
        writeln!(out, "{}", serde_json::to_string(&inspection)?)?;
    } else {
        writeln!(out, "{} is usable\n", path.display())?;
        inspection.write_summary(&config, &mut out)?;
    }
    out.flush()?;
    let is_failure = is_strict && !inspection.warnings.is_empty();
    Ok(if is_failure { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
