//! Live prices: `[[price_source]]`, their sources, and `[[price_rule]]`, the rules they must satisfy.

mod chainlink;
mod kind;
mod rule;
mod source;
mod source_config;
mod streams;

use std::collections::BTreeSet;

use firmquote_domain::Symbol;
use firmquote_market::PriceRules;

use crate::{
    ChainConfig,
    document::{error::KeyError, field::Field},
    pool::PoolConfig,
    store::StoreConfig,
};
pub(crate) use rule::RuleTable;
pub use source_config::PriceSourceConfig;

/// Checks that there is at most one push source and a way to push prices to it: requests with the admin token, or
/// Redis. `root` is the whole file.
///
/// # Errors
/// [`KeyError`] for a second push source, and when prices cannot be pushed.
pub(crate) fn check_push(
    prices: &PricesConfig,
    root: &Field<'_>,
    has_token: bool,
    store: &StoreConfig,
) -> Result<(), KeyError> {
    let mut pushed = prices.sources.iter().enumerate().filter(|(_, source)| source.is_push());
    if pushed.next().is_none() {
        return Ok(());
    }
    if let Some((position, _)) = pushed.next() {
        let kind = root.key("price_source").index(position).key("kind");
        return Err(kind.not_allowed("another kind: one source of kind \"push\" takes all pushed prices"));
    }
    if has_token || store.is_shared() {
        return Ok(());
    }
    Err(root.key("server").key("admin_token_sha256").not_allowed(
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
    /// Reads the sources of the file at `root`, and applies `rules`. Assets of sources must be assets of pools, assets of
    /// rules must be assets of sources, and volatilities of `pools` can only be estimated from prices that move.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid key.
    pub(crate) fn read(
        root: &Field<'_>,
        rules: Vec<RuleTable>,
        chains: &[ChainConfig],
        pools: &[PoolConfig],
    ) -> Result<Self, KeyError> {
        let listed: BTreeSet<&Symbol> =
            pools.iter().flat_map(|pool| &pool.pool.spec().assets).map(|asset| &asset.symbol).collect();
        let listed: Vec<Symbol> = listed.into_iter().cloned().collect();
        let tables = root.key("price_source");
        let sources = tables.entries().map(|table| source::read(&table, chains, &listed));
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        check_hosts(&sources, &tables)?;
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
        rule::apply(rules, &root.key("price_rule"), &mut assets, sources_of)?;
        check_static(&sources, pools, &tables)?;
        check_estimates(&sources, pools, root)?;
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
fn check_hosts(sources: &[PriceSourceConfig], tables: &Field<'_>) -> Result<(), KeyError> {
    let mut names = BTreeSet::new();
    for (source, table) in sources.iter().zip(tables.entries()) {
        if source.host_name().is_some_and(|name| !names.insert(name)) {
            let allowed = "a name that no other [[price_source]] of kind \"host\" has";
            return Err(table.key("name").not_allowed(allowed));
        }
    }
    Ok(())
}

/// Checks that a static source has a single price: pools that list its asset must configure the same one.
fn check_static(sources: &[PriceSourceConfig], pools: &[PoolConfig], tables: &Field<'_>) -> Result<(), KeyError> {
    for (source, table) in sources.iter().zip(tables.entries()).filter(|(source, _)| source.is_static()) {
        for (symbol, asset) in source.symbols().zip(table.key("asset").entries()) {
            let mut prices = pools.iter().filter_map(|pool| pool.price_of(symbol));
            let first = prices.next();
            if prices.any(|price| Some(price) != first) {
                let allowed = "an asset with the same price_usd in every [[pool]]";
                return Err(asset.key("symbol").not_allowed(allowed));
            }
        }
    }
    Ok(())
}

/// Checks that volatility is not estimated for a pair of two static prices: their rate never moves.
fn check_estimates(sources: &[PriceSourceConfig], pools: &[PoolConfig], root: &Field<'_>) -> Result<(), KeyError> {
    let moves = |symbol: &Symbol| {
        let mut live = sources.iter().filter(|source| !source.is_static());
        live.any(|source| source.symbols().any(|other| other == symbol))
    };
    for (config, pool) in pools.iter().zip(root.key("pool").entries()) {
        let pairs = config.pool.spec().pairs.iter().zip(&config.volatilities);
        for ((pair, estimated), table) in pairs.zip(pool.key("pair").entries()) {
            if estimated.is_some() && !pair.assets.iter().any(moves) {
                let allowed = "only for a pair with an asset of a [[price_source]] that is not static";
                return Err(table.key("volatility_half_life_seconds").not_allowed(allowed));
            }
        }
    }
    Ok(())
}
