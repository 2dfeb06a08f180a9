//! The metric families of the market. Label values are names from the configuration and of rules, so their number is
//! bounded.

use prometheus::{
    GaugeVec, IntCounterVec, Opts,
    core::{Collector, Desc},
    proto::MetricFamily,
};

/// Returns the float nearest to a decimal, as the text format requires.
pub(super) fn float(decimal: impl ToString) -> f64 {
    decimal.to_string().parse().unwrap_or(f64::NAN)
}

/// All metrics of the market, created anew for each scrape.
pub(super) struct Families {
    pub(super) price: GaugeVec,
    pub(super) price_age: GaugeVec,
    pub(super) price_trusted: GaugeVec,
    pub(super) price_broken_rule: GaugeVec,
    pub(super) price_rule: GaugeVec,
    pub(super) source_price: GaugeVec,
    pub(super) source_age: GaugeVec,
    pub(super) source_trusted: GaugeVec,
    pub(super) source_broken_rule: GaugeVec,
    pub(super) source_refusals: IntCounterVec,
    pub(super) reserves_age: GaugeVec,
    pub(super) reserves_trusted: GaugeVec,
    pub(super) reserves_broken_rule: GaugeVec,
    pub(super) volatility: GaugeVec,
    pub(super) volatility_estimated: GaugeVec,
}

impl Families {
    /// Creates all families without any series.
    ///
    /// # Errors
    /// When a name or a label is invalid; a bug in this file.
    pub(super) fn new() -> prometheus::Result<Self> {
        let gauge = |name: &str, help: &str, labels: &[&str]| GaugeVec::new(Opts::new(name, help), labels);
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
            source_refusals: IntCounterVec::new(
                Opts::new("firmquote_price_source_refusals_total", "Updates of a source that broke a rule, by rule."),
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
        })
    }

    fn all(&self) -> [&dyn Collector; 15] {
        [
            &self.price,
            &self.price_age,
            &self.price_trusted,
            &self.price_broken_rule,
            &self.price_rule,
            &self.source_price,
            &self.source_age,
            &self.source_trusted,
            &self.source_broken_rule,
            &self.source_refusals,
            &self.reserves_age,
            &self.reserves_trusted,
            &self.reserves_broken_rule,
            &self.volatility,
            &self.volatility_estimated,
        ]
    }

    pub(super) fn descriptions(&self) -> Vec<Desc> {
        self.all().into_iter().flat_map(Collector::desc).cloned().collect()
    }

    pub(super) fn collect(&self) -> Vec<MetricFamily> {
        self.all().into_iter().flat_map(Collector::collect).collect()
    }
}
