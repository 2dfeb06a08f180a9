//! `firmquote check`.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
    sync::Arc,
};

use firmquote_config::{Config, PoolConfig};
use firmquote_desk::{Pauses, PoolView};
use firmquote_domain::{Client, PoolId};
use firmquote_http::Credentials;
use firmquote_market::{Market, PoolState, Snapshot};
use firmquote_store::MemoryStore;
use serde_json::{Value, json};
use tokio::runtime;

use super::{
    chain_check::{self, Known},
    defaults,
    output::Output,
    price_origins, store_warnings, summary, warnings,
};
use crate::{chains, environment, prices, service, signers, sources};

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
    let config = Config::from_file(path, &environment::overrides()?, &sources::system())?;
    let credentials = service::credentials(&config)?;
    let count = credentials.len();
    Credentials::new(credentials)?;
    let chains = chains::open(&config)?;
    let (_, prices) = prices::open(&config, &chains, None)?;
    let Known { states, warnings: about_chains } = chain_check::ask(&config, &chains)?;
    let views = views(&config, states)?;
    let mut warnings = warnings::of(&config, count, &views, path)?;
    warnings.extend(about_chains);
    warnings.extend(store_warnings::ask(&config.store)?);
    let asking = runtime::Builder::new_current_thread().enable_all().build()?;
    warnings.extend(asking.block_on(signers::ask(&config))?);
    let prices = asking.block_on(price_origins::ask(&config, prices));
    asking.shutdown_background();
    let defaults = defaults::of(&config, &views);
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
    summary::write(&mut out, &config, count, &views)?;
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

/// What clients would see of each pool that something is known of.
fn views(config: &Config, states: Vec<Option<PoolState>>) -> anyhow::Result<Vec<Option<PoolView>>> {
    let known: Vec<_> = config.pools.iter().map(PoolConfig::id).zip(states).collect();
    let states = known.iter().filter_map(|(id, state)| Some((*id, state.clone()?)));
    let snapshot = states.fold(Snapshot::default(), |all, (id, state)| all.with(id, state));
    let store = Arc::new(MemoryStore::new(1));
    let pauses = Arc::new(Pauses::new(Arc::clone(&store) as _));
    let desk = service::desk(config, Arc::new(Market::new(snapshot)), store, pauses, Arc::default());
    let view = |(id, state): &(PoolId, Option<PoolState>)| match state {
        Some(_) => Ok(desk.pools(id.chain_id, Some(id.address), None, &Client::Anonymous)?.pop()),
        None => Ok(None),
    };
    known.iter().map(view).collect()
}
