//! Inspection of a configuration before it is served: the responses of its store, nodes, signers and price sources, and
//! warnings for the operator. Serves nothing, and signs nothing but a probe that no contract executes.

mod defaults;
mod development_accounts;
pub(crate) mod price_reports;
mod summary;
mod warnings;
mod writability;

use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
};

use firmquote_config::{Config, PoolConfig};
use firmquote_desk::{FirmLevelsState, Pauses, PoolView};
use firmquote_domain::{Client, Clock, PoolId};
use firmquote_http::Credentials;
use firmquote_market::{Market, PoolState, Snapshot};
use firmquote_store::MemoryStore;
use serde::{Serialize, Serializer};

use crate::{
    Error,
    assembly::{self, DeskParts},
    chain,
    error::Context as _,
    features,
    host::HostParts,
    prices::{NewFeeds, PriceFeeds},
    redis,
};
pub use price_reports::PriceReport;

/// The result of inspecting a configuration. Serialized, it has the prices, the defaults and the warnings.
#[derive(Serialize)]
pub struct Inspection {
    /// Number of credentials, including those of the credentials file.
    #[serde(skip)]
    pub credentials: usize,
    /// Each pool as clients would see it, in the configuration's order; `None` where its reserves could not be read.
    #[serde(skip)]
    pub views: Vec<Option<PoolView>>,
    /// The price of each asset and its source.
    pub prices: Vec<PriceReport>,
    /// The defaults that limit signatures or stored quotes, with their effective values, each formatted as a key, a
    /// colon and the value.
    #[serde(serialize_with = "by_key")]
    pub defaults: Vec<String>,
    /// Warnings for the operator, each formatted as a key, a colon and the reason.
    #[serde(serialize_with = "by_key")]
    pub warnings: Vec<String>,
}

/// The state of each pool, in configuration order: static reserves are always known, on-chain ones only if a node
/// returns them.
pub(crate) struct ChainInspection {
    /// The state of each pool at the configured prices.
    pub(crate) states: Vec<Option<PoolState>>,
    /// Warnings for the operator.
    pub(crate) warnings: Vec<String>,
}

/// A line about a configuration key.
#[derive(Serialize)]
struct KeyLine<'l> {
    key: &'l str,
    text: &'l str,
}

/// Serializes lines with their keys apart.
fn by_key<S: Serializer>(lines: &[String], output: S) -> Result<S::Ok, S::Error> {
    output.collect_seq(lines.iter().map(|line| {
        let (key, text) = line.split_once(": ").unwrap_or(("", line));
        KeyLine { key, text }
    }))
}

impl Inspection {
    /// Inspects `config`, which was read from `file`. Takes some seconds when a price source or a node does not
    /// respond.
    ///
    /// # Errors
    /// [`Error`] for anything that would keep a server from being built.
    pub async fn new(config: &Config, file: &Path, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        features::check(config)?;
        let credentials = assembly::credentials(config)?.credentials;
        Credentials::with_terms(credentials.iter().cloned())?;
        let unwritable = writability::check(config)?;
        let chains = chain::open(config, &clock)?;
        let new = NewFeeds::create(config, &[], &chains, None, &HostParts::without_prices(config), &clock).await?;
        let ChainInspection { states, warnings: about_chains } = chain::inspect(config, &chains).await?;
        let views = views(config, states, &clock)?;
        let mut warnings = warnings::warnings(config, &credentials, &views, file)?;
        warnings.extend(unwritable);
        warnings.extend(about_chains);
        warnings.extend(redis::inspect(config, &*clock).await?);
        warnings.extend(assembly::unavailable_signers(config).await?);
        let mut prices = PriceFeeds::new(Arc::clone(&clock));
        prices.replace(config, new, &Arc::default());
        let prices = price_reports::inspect(config, prices, &*clock).await;
        let defaults = defaults::describe(config, &views);
        Ok(Self {
            credentials: credentials.iter().filter(|credential| credential.is_enabled).count(),
            views,
            prices,
            defaults,
            warnings,
        })
    }

    /// Writes a readable summary of `config`, the inspected configuration, with its prices, defaults and warnings. It
    /// contains no secrets.
    ///
    /// # Errors
    /// When writing to `out` fails.
    pub fn write_summary(&self, config: &Config, out: &mut impl Write) -> io::Result<()> {
        summary::write(out, config, self.credentials, &self.views)?;
        summary::write_section(out, "prices", &self.prices)?;
        summary::write_section(out, "effective defaults", &self.defaults)?;
        summary::write_section(out, "warnings", &self.warnings)
    }
}

/// Returns the client's view of each pool whose state is known.
fn views(
    config: &Config,
    states: Vec<Option<PoolState>>,
    clock: &Arc<dyn Clock>,
) -> Result<Vec<Option<PoolView>>, Error> {
    let states_by_pool: Vec<_> = config.pools.iter().map(PoolConfig::id).zip(states).collect();
    let states = states_by_pool.iter().filter_map(|(id, state)| Some((*id, state.clone()?)));
    let snapshot = states.fold(Snapshot::default(), |all, (id, state)| all.with(id, state));
    let store = Arc::new(MemoryStore::new(1));
    let parts = DeskParts {
        market: Arc::new(Market::new(snapshot)),
        pauses: Arc::new(Pauses::new(Arc::clone(&store) as _)),
        firm_levels: Arc::new(FirmLevelsState::new(clock.now())),
        store,
        clock: Arc::clone(clock),
        operator_view: Arc::default(),
    };
    let desk = assembly::desk(config, assembly::pool_signers(config), parts, None);
    let view = |(id, state): &(PoolId, Option<PoolState>)| match state {
        Some(_) => {
            let pools = desk.pools(id.chain_id, Some(id.address), None, &Client::Anonymous);
            Ok(pools.with_context(|| format!("pool {id}"))?.pop())
        }
        None => Ok(None),
    };
    states_by_pool.iter().map(view).collect()
}
