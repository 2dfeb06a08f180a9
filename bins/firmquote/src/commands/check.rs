//! `firmquote check`.

use std::{io::Write as _, path::Path, sync::Arc};

use firmquote_desk::PoolView;
use firmquote_store::MemoryStore;

use super::{output::Output, store_warnings, summary, warnings};
use crate::{config::Config, environment, prices, service};

/// Reads the file at `path`, says what it means, and warns of what it allows and of what its store says of itself.
pub(crate) fn run(path: &Path) -> anyhow::Result<()> {
    let config = Config::from_file(path, &environment::overrides()?)?;
    prices::open(&config, None)?;
    let market = Arc::new(service::written_market(&config));
    let desk = service::desk(&config, market, Arc::new(MemoryStore::new(1)));
    let mut views: Vec<PoolView> = Vec::new();
    for pool in &config.pools {
        views.extend(desk.pools(pool.id().chain_id, Some(pool.id().address), None)?);
    }
    let mut warnings = warnings::of(&config, &views, path)?;
    warnings.extend(store_warnings::ask(&config.store)?);
    let mut out = Output::lock();
    writeln!(out, "{} is usable\n", path.display())?;
    summary::write(&mut out, &config, &views)?;
    if !warnings.is_empty() {
        writeln!(out, "warnings")?;
    }
    for warning in warnings {
        writeln!(out, "- {warning}")?;
    }
    Ok(out.flush()?)
}
