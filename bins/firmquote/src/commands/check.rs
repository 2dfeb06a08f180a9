//! `firmquote check`.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
    sync::Arc,
};

use firmquote_config::Config;
use firmquote_server::{Inspection, SystemClock, environment, system_sources};
use serde_json::{Value, json};
use tokio::runtime;

use super::output::Output;

/// Output format and strictness.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    /// Whether warnings fail the check.
    pub(crate) strict: bool,
    /// Whether to print JSON.
    pub(crate) json: bool,
}

/// Validates the file at `path`, prints a summary, and prints warnings about risky settings and about the responses of
/// its store, nodes and signers.
pub(crate) fn run(path: &Path, options: Options) -> anyhow::Result<ExitCode> {
    let config = Config::from_file(path, &environment::overrides()?, &system_sources())?;
    let clock = Arc::new(SystemClock::new(config.store.max_clock_skew()));
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let inspection = runtime.block_on(Inspection::new(&config, path, clock));
    // Do not wait for pending DNS lookups.
    runtime.shutdown_background();
    let inspection = inspection?;
    let Inspection { prices, defaults, warnings, .. } = &inspection;
    let is_strict_failure = options.strict && !warnings.is_empty();
    let code = if is_strict_failure { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    let mut out = Output::lock();
    if options.json {
        let items = |texts: &[String]| texts.iter().map(|text| item(text)).collect::<Vec<_>>();
        let (defaults, warnings) = (items(defaults), items(warnings));
        writeln!(out, "{}", json!({ "prices": prices, "defaults": defaults, "warnings": warnings }))?;
        out.flush()?;
        return Ok(code);
    }
    writeln!(out, "{} is usable\n", path.display())?;
    inspection.write_summary(&config, &mut out)?;
    section(&mut out, "prices", prices.iter().map(ToString::to_string))?;
    section(&mut out, "effective defaults", defaults.iter().cloned())?;
    section(&mut out, "warnings", warnings.iter().cloned())?;
    out.flush()?;
    Ok(code)
}

/// Writes a title and a line for each item; nothing if there are no items.
fn section(out: &mut impl Write, title: &str, items: impl IntoIterator<Item = String>) -> io::Result<()> {
    let mut items = items.into_iter().peekable();
    if items.peek().is_some() {
        writeln!(out, "{title}")?;
    }
    items.try_for_each(|item| writeln!(out, "- {item}"))
}

/// Splits a line into the configuration key it refers to and its text.
fn item(line: &str) -> Value {
    let (key, text) = line.split_once(": ").unwrap_or(("", line));
    json!({ "key": key, "text": text })
}
