//! `firmquote check`.

use std::{io::Write as _, path::Path, sync::Arc};

use firmquote_desk::{Pauses, PoolView};
use firmquote_domain::PoolId;
use firmquote_http::Credentials;
use firmquote_market::{Market, PoolState, Snapshot};
use firmquote_store::MemoryStore;
use tokio::runtime;

use super::{
    chain_check::{self, Known},
    output::Output,
    store_warnings, summary, warnings,
};
use crate::{
    chains,
    config::{Config, PoolConfig},
    environment, prices, service, signers,
};

/// Reads the file at `path`, says what it means, and warns of what it allows and of what its store, its nodes and its
/// signers say.
pub(crate) fn run(path: &Path) -> anyhow::Result<()> {
    let config = Config::from_file(path, &environment::overrides()?)?;
    let credentials = service::credentials(&config)?;
    let count = credentials.len();
    Credentials::new(credentials)?;
    let chains = chains::open(&config)?;
    prices::open(&config, &chains, None)?;
    let Known { states, warnings: about_chains } = chain_check::ask(&config, &chains)?;
    let views = views(&config, states)?;
    let mut warnings = warnings::of(&config, count, &views, path)?;
    warnings.extend(about_chains);
    warnings.extend(store_warnings::ask(&config.store)?);
    let asking = runtime::Builder::new_current_thread().enable_all().build()?;
    warnings.extend(asking.block_on(signers::ask(&config))?);
    let mut out = Output::lock();
    writeln!(out, "{} is usable\n", path.display())?;
    summary::write(&mut out, &config, count, &views)?;
    if !warnings.is_empty() {
        writeln!(out, "warnings")?;
    }
    for warning in warnings {
        writeln!(out, "- {warning}")?;
    }
    Ok(out.flush()?)
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
        Some(_) => Ok(desk.pools(id.chain_id, Some(id.address), None)?.pop()),
        None => Ok(None),
    };
    known.iter().map(view).collect()
}
