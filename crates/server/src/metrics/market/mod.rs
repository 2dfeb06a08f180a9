//! Metrics of the market: prices, reserves and volatilities with their trust.

mod families;

use std::{collections::HashMap, sync::Arc};

use arc_swap::ArcSwap;
use firmquote_config::Config;
use firmquote_domain::{Clock, PoolId, Timestamp, Volatility};
use firmquote_market::{Aggregation, AssetStatus, FeedStatus, MarketWriter, PoolStatus, PriceRules, Rejection, Rule};
use prometheus::GaugeVec;

use self::families::MarketFamilies;
use super::{
    ScrapeMetrics,
    scrape::{FamilySet, float, set, set_age},
};

/// Metrics of a market.
pub(crate) struct MarketMetrics {
    pub(crate) writer: Arc<MarketWriter>,
    /// The pairs of its pools.
    pub(crate) pairs: Arc<PairNames>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl ScrapeMetrics for MarketMetrics {
    fn collect(&self, set: &mut FamilySet) -> prometheus::Result<()> {
        let families = MarketFamilies::new(set)?;
        let now = self.clock.now();
        let status = self.writer.status(now);
        status.assets.iter().for_each(|asset| set_asset(&families, asset, now));
        let pairs = self.pairs.0.load();
        for pool in &status.pools {
            if let Some(pairs) = pairs.get(&pool.id) {
                set_pool(&families, pool, pairs, now);
            }
        }
        Ok(())
    }
}

fn set_asset(families: &MarketFamilies, asset: &AssetStatus, now: Timestamp) {
    let symbol = asset.symbol.as_str();
    let labels = [symbol];
    let newest = asset.feeds.iter().filter_map(|feed| feed.last_price?.1).max();
    let time = match &asset.price {
        Ok(price) => {
            set(&families.price, &labels, float(price.value));
            price.time()
        }
        Err(_) => newest,
    };
    set_age(&families.price_age, &labels, time, now);
    let broken = asset.price.as_ref().err();
    set_trust(&families.price_trusted, &families.price_broken_rule, &labels, broken, &Rule::PRICE_RULES);
    for (rule, value) in limits(&asset.rules) {
        set(&families.price_rule, &[symbol, rule], value);
    }
    for (position, feed) in asset.feeds.iter().enumerate() {
        set_feed(families, [symbol, &feed.source, &position.to_string()], feed, now);
    }
}

fn set_feed(families: &MarketFamilies, labels: [&str; 3], feed: &FeedStatus, now: Timestamp) {
    if let Some((price, time)) = feed.last_price {
        set(&families.source_price, &labels, float(price));
        set_age(&families.source_age, &labels, time, now);
    }
    let (trusted, broken_rule) = (&families.source_trusted, &families.source_broken_rule);
    set_trust(trusted, broken_rule, &labels, feed.rejection.as_ref(), &Rule::SOURCE_RULES);
    let [symbol, source, position] = labels;
    for (rule, count) in feed.rejection_counts {
        let counter = families.source_refusals.get_metric_with_label_values(&[symbol, source, position, rule.name()]);
        counter.into_iter().for_each(|counter| counter.inc_by(float(count)));
    }
}

fn set_pool(families: &MarketFamilies, pool: &PoolStatus, pairs: &[(String, Volatility)], now: Timestamp) {
    let (chain_id, address) = (pool.id.chain_id.to_string(), pool.id.address.to_string());
    let labels = [chain_id.as_str(), address.as_str()];
    let time = pool.reserves.as_ref().ok().and_then(|reserves| reserves.time());
    set_age(&families.reserves_age, &labels, time, now);
    let trusted = pool.reserves.clone().and_then(|reserves| reserves.at(now));
    let (trust, broken_rule) = (&families.reserves_trusted, &families.reserves_broken_rule);
    set_trust(trust, broken_rule, &labels, trusted.err().as_ref(), &Rule::RESERVE_RULES);
    for ((pair, configured), estimated) in pairs.iter().zip(&pool.volatilities) {
        let labels = [chain_id.as_str(), address.as_str(), pair.as_str()];
        let volatility = estimated.map_or(*configured, |estimated| estimated.quoted);
        set(&families.volatility, &labels, float(volatility));
        set(&families.volatility_estimated, &labels, f64::from(u8::from(estimated.is_some())));
    }
}

/// Sets whether a value is trusted, and which of the applicable `rules` it breaks.
fn set_trust(trusted: &GaugeVec, broken: &GaugeVec, labels: &[&str], rejection: Option<&Rejection>, rules: &[Rule]) {
    set(trusted, labels, f64::from(u8::from(rejection.is_none())));
    for rule in rules {
        let is_broken = rejection.is_some_and(|rejection| rejection.rule() == *rule);
        set(broken, &[labels, &[rule.name()]].concat(), f64::from(u8::from(is_broken)));
    }
}

/// Returns the limits by configuration key, in the units of the configuration.
fn limits(rules: &PriceRules) -> Vec<(&'static str, f64)> {
    let number = |number: u64| u32::try_from(number).map_or(f64::INFINITY, f64::from);
    let mut limits = vec![
        ("max_age_ms", number(rules.max_age_ms)),
        ("max_jump_bps_per_second", f64::from(rules.max_jump_per_second.hundredths()) / 100.0),
        ("max_move_bps_per_minute", f64::from(rules.max_move_per_minute.hundredths()) / 100.0),
        ("max_deviation_bps", number(rules.max_deviation.hundredths()) / 100.0),
        ("max_confidence_bps", number(rules.max_confidence.hundredths()) / 100.0),
    ];
    if let Aggregation::Median { min_sources } = rules.aggregation {
        limits.push(("least_sources", u64::try_from(min_sources).map_or(f64::INFINITY, number)));
    }
    limits
}

/// The pairs of each pool, in its order, with their configured volatility, according to the active configuration.
pub(crate) struct PairNames(ArcSwap<HashMap<PoolId, Vec<(String, Volatility)>>>);

impl PairNames {
    /// Collects the pairs of `config`.
    pub(crate) fn new(config: &Config) -> Self {
        Self(ArcSwap::from_pointee(pairs_by_pool(config)))
    }

    /// Replaces the pairs with those of `config`.
    pub(crate) fn replace(&self, config: &Config) {
        self.0.store(Arc::new(pairs_by_pool(config)));
    }
}

fn pairs_by_pool(config: &Config) -> HashMap<PoolId, Vec<(String, Volatility)>> {
    let pools = config.pools.iter().map(|pool| {
        let pairs = pool.pool.spec().pairs.iter();
        (pool.id(), pairs.map(|pair| (pair.to_string(), pair.fee.annual_volatility)).collect())
    });
    pools.collect()
}
