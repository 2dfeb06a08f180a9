//! The metric families of the market. Label values are names from the configuration and of rules, so their number is
//! bounded.

use prometheus::{CounterVec, GaugeVec};

use crate::metrics::scrape::FamilySet;

/// Handles of all metrics of the market.
pub(crate) struct MarketFamilies {
    pub(super) price: GaugeVec,
    pub(super) price_age: GaugeVec,
    pub(super) price_trusted: GaugeVec,
    pub(super) price_broken_rule: GaugeVec,
    pub(super) price_rule: GaugeVec,
    pub(super) source_price: GaugeVec,
    pub(super) source_age: GaugeVec,
    pub(super) source_trusted: GaugeVec,
    pub(super) source_broken_rule: GaugeVec,
    pub(super) source_refusals: CounterVec,
    pub(super) reserves_age: GaugeVec,
    pub(super) reserves_trusted: GaugeVec,
    pub(super) reserves_broken_rule: GaugeVec,
    pub(super) volatility: GaugeVec,
    pub(super) volatility_estimated: GaugeVec,
}

impl MarketFamilies {
    /// Adds all families to `set`, without any series.
    ///
    /// # Errors
    /// When a name or a label is invalid; a bug in this file.
    pub(super) fn new(set: &mut FamilySet) -> prometheus::Result<Self> {
        let mut gauge = |name, help, labels: &[&str]| set.gauge(name, help, labels);
        let asset = &["symbol"];
        let source = &["symbol", "source", "position"];
        let source_rule = &["symbol", "source", "position", "rule"];
        let pool = &["chain_id", "pool"];
        let pair = &["chain_id", "pool", "pair"];
        Ok(Self {
            price: gauge("firmquote_price_usd", "Price used for quotes; absent while no price is trusted.", asset)?,
            price_age: gauge(
                "firmquote_price_age_seconds",
                "Age of the price used for quotes; without one, of the newest price of a source.",
                asset,
            )?,
            price_trusted: gauge("firmquote_price_trusted", "1 if the asset has a trusted price.", asset)?,
            price_broken_rule: gauge(
                "firmquote_price_broken_rule",
                "1 for the broken rule that keeps an asset from being quoted.",
                &["symbol", "rule"],
            )?,
            price_rule: gauge(
                "firmquote_price_rule",
                "Limit on prices, by configuration key and in its unit.",
                &["symbol", "rule"],
            )?,
            source_price: gauge("firmquote_price_source_usd", "Last price of a source, trusted or not.", source)?,
            source_age: gauge("firmquote_price_source_age_seconds", "Age of the last price of a source.", source)?,
            source_trusted: gauge("firmquote_price_source_trusted", "1 if a source is trusted.", source)?,
            source_broken_rule: gauge(
                "firmquote_price_source_broken_rule",
                "1 for the broken rule that keeps a source from being trusted.",
                source_rule,
            )?,
            reserves_age: gauge("firmquote_reserves_age_seconds", "Age of a pool's reserves.", pool)?,
            reserves_trusted: gauge("firmquote_reserves_trusted", "1 if a pool's reserves are trusted.", pool)?,
            reserves_broken_rule: gauge(
                "firmquote_reserves_broken_rule",
                "1 for the broken rule that keeps a pool from being quoted.",
                &["chain_id", "pool", "rule"],
            )?,
            volatility: gauge(
                "firmquote_pair_annual_volatility_ratio",
                "Annual volatility used in the fee of a pair: 0.6 is 60 %.",
                pair,
            )?,
            volatility_estimated: gauge(
                "firmquote_pair_volatility_estimated",
                "1 if the volatility is estimated from prices, 0 if it is the configured one.",
                pair,
            )?,
            source_refusals: set.counter(
                "firmquote_price_source_refusals_total",
                "Updates of a source that broke a rule, by rule.",
                source_rule,
            )?,
        })
    }
}
