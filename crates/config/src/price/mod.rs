//! Live prices: `[[price_source]]`, their sources, and `[[price_rule]]`, the rules they must satisfy.

mod chainlink;
mod host;
mod push;
mod rule;
mod source;
mod source_config;

use std::collections::BTreeSet;

use firmquote_domain::Symbol;
use firmquote_market::PriceRules;

use crate::{
    ChainConfig,
    document::{error::KeyError, path::KeyPath, reader::Table},
    pool::PoolConfig,
    store::StoreConfig,
};
pub(super) use rule::KEYS as RULE_KEYS;
pub(super) use source_config::KEYS as SOURCE_KEYS;
pub use source_config::PriceSourceConfig;

/// Checks that there is at most one push source and a way to push prices to it: requests with the admin token, or
/// Redis. `tables` are those of the sources of `prices`, `root` is the whole file.
///
/// # Errors
/// [`KeyError`] for a second push source, and when prices cannot be pushed.
pub(crate) fn check_push(
    tables: &[Table<'_>],
    prices: &PricesConfig,
    root: &Table<'_>,
    has_token: bool,
    store: &StoreConfig,
) -> Result<(), KeyError> {
    let pushed = |(_, source): &(&Table<'_>, &PriceSourceConfig)| matches!(source, PriceSourceConfig::Push(_));
    let mut pushed = tables.iter().zip(&prices.sources).filter(pushed);
    if pushed.next().is_none() {
        return Ok(());
    }
    if let Some((table, _)) = pushed.next() {
        return Err(table
            .field("kind")
            .not_allowed("another kind: one source of kind \"push\" takes all pushed prices"));
    }
    if has_token || matches!(store, StoreConfig::Redis(_)) {
        return Ok(());
    }
    let token = root.field("server").table(&crate::server::KEYS)?.field("admin_token_sha256");
    Err(token.not_allowed(
        "the SHA-256 of an admin token, as `firmquote credential new-admin-token` makes it: without one, no prices can \
         be sent to a [[price_source]] of kind \"push\" with a store in memory",
    ))
}

/// Every `[[price_source]]`, in order of priority, and the rules of every asset that has one.
pub struct PricesConfig {
    /// The price sources.
    pub sources: Vec<PriceSourceConfig>,
    /// Each asset with a source, once, with the rules that its prices must satisfy.
    pub assets: Vec<(Symbol, PriceRules)>,
}

impl PricesConfig {
    /// Reads all tables. Assets of sources must be assets of pools, assets of rules must be assets of sources, and
    /// volatilities of `pools` can only be estimated from prices that move.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid key.
    pub(super) fn read(
        tables: &[Table<'_>],
        rules: &[Table<'_>],
        chains: &[ChainConfig],
        pools: &[PoolConfig],
    ) -> Result<Self, KeyError> {
        let listed: BTreeSet<&Symbol> =
            pools.iter().flat_map(|pool| &pool.pool.spec().assets).map(|asset| &asset.symbol).collect();
        let listed: Vec<Symbol> = listed.into_iter().cloned().collect();
        let sources = tables.iter().map(|table| source::read(table, chains, &listed)).collect::<Result<Vec<_>, _>>()?;
        check_hosts(tables, &sources)?;
        let mut assets: Vec<(Symbol, PriceRules)> = Vec::new();
        for symbol in sources.iter().flat_map(PriceSourceConfig::symbols) {
            if assets.iter().all(|(other, _)| other != symbol) {
                assets.push((symbol.clone(), rule::default()));
            }
        }
        let sources_of = |symbol: &Symbol| {
            let live = sources.iter().filter(|source| !source.is_static());
            live.filter(|source| source.symbols().any(|other| other == symbol)).count()
        };
        rule::read_all(rules, &mut assets, sources_of)?;
        check_static(&sources, pools)?;
        check_estimates(&sources, pools)?;
        Ok(Self { sources, assets })
    }

    /// Whether the price of an asset is the configured one: it has no source, or only a static one.
    pub fn is_from_file(&self, symbol: &Symbol) -> bool {
        let mut live = self.sources.iter().filter(|source| !source.is_static());
        !live.any(|source| source.symbols().any(|other| other == symbol))
    }

    /// Returns the rules that the price of an asset must satisfy, for any source.
    pub fn rules_of(&self, symbol: &Symbol) -> PriceRules {
        let rules = self.assets.iter().find(|(other, _)| other == symbol).map(|(_, rules)| *rules);
        rules.unwrap_or_else(rule::default)
    }
}

/// Checks that each source of the embedding program is named once: it would otherwise count as two.
fn check_hosts(tables: &[Table<'_>], sources: &[PriceSourceConfig]) -> Result<(), KeyError> {
    let mut names = BTreeSet::new();
    for (table, source) in tables.iter().zip(sources) {
        if source.host_name().is_some_and(|name| !names.insert(name)) {
            let allowed = "a name that no other [[price_source]] of kind \"host\" has";
            return Err(table.field("name").not_allowed(allowed));
        }
    }
    Ok(())
}

/// Checks that a static source has a single price: pools that list its asset must configure the same one.
fn check_static(sources: &[PriceSourceConfig], pools: &[PoolConfig]) -> Result<(), KeyError> {
    let path = |position: usize, asset: usize| {
        KeyPath::default().key("price_source").index(position).key("asset").index(asset).key("symbol")
    };
    for (position, source) in sources.iter().enumerate().filter(|(_, source)| source.is_static()) {
        for (asset, symbol) in source.symbols().enumerate() {
            let mut prices = pools.iter().filter_map(|pool| pool.price_of(symbol));
            let first = prices.next();
            if prices.any(|price| Some(price) != first) {
                let allowed = "an asset with the same price_usd in every [[pool]]";
                return Err(KeyError::not_allowed(path(position, asset), symbol, allowed));
            }
        }
    }
    Ok(())
}

/// Checks that volatility is not estimated for a pair of two static prices: their rate never moves.
fn check_estimates(sources: &[PriceSourceConfig], pools: &[PoolConfig]) -> Result<(), KeyError> {
    let moves = |symbol: &Symbol| {
        let mut live = sources.iter().filter(|source| !source.is_static());
        live.any(|source| source.symbols().any(|other| other == symbol))
    };
    for (pool, config) in pools.iter().enumerate() {
        let pairs = config.pool.spec().pairs.iter().zip(&config.volatilities).enumerate();
        for (pair, (listed, rule)) in pairs {
            let Some(rule) = rule.filter(|_| !listed.assets.iter().any(moves)) else { continue };
            let table = KeyPath::default().key("pool").index(pool).key("pair").index(pair);
            let allowed = "only for a pair with an asset of a [[price_source]] that is not static";
            let key = table.key("volatility_half_life_seconds");
            return Err(KeyError::not_allowed(key, rule.half_life_seconds, allowed));
        }
    }
    Ok(())
}
