//! `firmquote check`.

use std::{io::Write as _, path::Path};

use firmquote_desk::PoolView;

use super::{output::Output, summary, warnings};
use crate::{config::Config, environment, service};

/// Reads the file at `path`, says what it means, and warns of what it allows.
pub(crate) fn run(path: &Path) -> anyhow::Result<()> {
    let config = Config::from_file(path, &environment::overrides()?)?;
    let desk = service::desk(&config);
    let mut views: Vec<PoolView> = Vec::new();
    for pool in &config.pools {
        views.extend(desk.pools(pool.id().chain_id, Some(pool.id().address), None)?);
    }
    let mut out = Output::lock();
    writeln!(out, "{} is usable\n", path.display())?;
    summary::write(&mut out, &config, &views)?;
    let warnings = warnings::of(&config, &views, path)?;
    if !warnings.is_empty() {
        writeln!(out, "warnings")?;
    }
    for warning in warnings {
        writeln!(out, "- {warning}")?;
    }
    Ok(out.flush()?)
}
