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

use super::{defaults, output::Output, summary};

/// How the result is shown, and what counts as a failure.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    /// Whether a warning is one.
    pub(crate) strict: bool,
    /// Whether it is JSON.
    pub(crate) json: bool,
}

/// Reads the file at `path`, says what it means, and warns of what it allows and of what its store, its nodes and its
/// signers say.
pub(crate) fn run(path: &Path, options: Options) -> anyhow::Result<ExitCode> {
    let config = Config::from_file(path, &environment::overrides()?, &system_sources())?;
    let clock = Arc::new(SystemClock::new(config.store.max_clock_skew()));
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let inspection = runtime.block_on(Inspection::new(&config, path, clock));
    // A name that is still being resolved is not waited for.
    runtime.shutdown_background();
    let Inspection { credentials, views, prices, warnings } = inspection?;
    let defaults = defaults::describe(&config, &views);
    let is_strict_failure = options.strict && !warnings.is_empty();
    let code = if is_strict_failure { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    let mut out = Output::lock();
    if options.json {
        let items = |texts: &[String]| texts.iter().map(|text| item(text)).collect::<Vec<_>>();
        let (defaults, warnings) = (items(&defaults), items(&warnings));
        writeln!(out, "{}", json!({ "prices": prices, "defaults": defaults, "warnings": warnings }))?;
        out.flush()?;
        return Ok(code);
    }
    writeln!(out, "{} is usable\n", path.display())?;
    summary::write(&mut out, &config, credentials, &views)?;
    section(&mut out, "prices", prices.iter().map(ToString::to_string))?;
    section(&mut out, "defaults in force", defaults)?;
    section(&mut out, "warnings", warnings)?;
    out.flush()?;
    Ok(code)
}

/// A title and a line for each item; nothing where there are none.
fn section(out: &mut impl Write, title: &str, items: impl IntoIterator<Item = String>) -> io::Result<()> {
    let mut items = items.into_iter().peekable();
    if items.peek().is_some() {
        writeln!(out, "{title}")?;
    }
    items.try_for_each(|item| writeln!(out, "- {item}"))
}

/// A line as the key that it is about, and what is to be said of it.
fn item(line: &str) -> Value {
    let (key, text) = line.split_once(": ").unwrap_or(("", line));
    json!({ "key": key, "text": text })
}
