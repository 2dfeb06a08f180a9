//! The source of each asset's price and the rules it must satisfy: shown by `check` and logged by `serve`.

use std::{fmt, time::Duration};

use firmquote_config::{Config, PriceSourceConfig};
use firmquote_domain::{Clock, Price, Symbol, Timestamp};
use firmquote_market::{Aggregation, MarketStatus, PriceRules};
use serde::Serialize;
use tokio::time::{Instant, sleep};

use crate::prices::PriceFeeds;

/// How long to wait for the sources.
const MAX_WAIT: Duration = Duration::from_secs(3);
/// Delay between two polls of the prices.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The price of one asset and its source.
#[derive(Debug, Serialize)]
pub struct PriceReport {
    /// Its symbol.
    pub asset: String,
    /// Names of the sources in order of priority, or a note that the price is fixed.
    pub source: String,
    /// The rules that the price must satisfy; `None` for a fixed price.
    pub rule: Option<String>,
    /// The price in USD; `None` while it is not trusted.
    pub price_usd: Option<String>,
    /// Age of the source's price in milliseconds.
    pub age_ms: Option<u64>,
    /// Why the price is not trusted.
    pub reason: Option<String>,
}

/// Runs the sources until every price is trusted, or for [`MAX_WAIT`] at most.
pub(super) async fn inspect(config: &Config, prices: PriceFeeds, clock: &dyn Clock) -> Vec<PriceReport> {
    let deadline = Instant::now() + MAX_WAIT;
    loop {
        let mut origins = list(config, &prices.writer().status(clock.now()), clock.now());
        let is_known = |origin: &PriceReport| origin.price_usd.is_some() || !has_live_source(config, &origin.asset);
        if origins.iter().all(is_known) || Instant::now() >= deadline {
            for origin in &mut origins {
                if let Some(reason) = &mut origin.reason {
                    prices.failures(&origin.asset).for_each(|failure| reason.push_str(&format!("; {failure}")));
                }
            }
            return origins;
        }
        sleep(POLL_INTERVAL).await;
    }
}

/// Whether some source can be queried for the price. Pushed prices are in Redis; without Redis, they arrive
/// at any time.
fn has_live_source(config: &Config, asset: &str) -> bool {
    let is_shared = config.store.is_shared();
    let is_live = |source: &&PriceSourceConfig| !source.is_static() && (is_shared || !source.is_push());
    let mut sources = config.prices.sources.iter().filter(is_live);
    sources.any(|source| source.symbols().any(|symbol| symbol.as_str() == asset))
}

/// Lists the current price of every asset of the pools, each asset once.
pub(crate) fn list(config: &Config, status: &MarketStatus, now: Timestamp) -> Vec<PriceReport> {
    let mut origins: Vec<PriceReport> = Vec::new();
    for pool in &config.pools {
        for (asset, price) in pool.pool.spec().assets.iter().zip(&pool.prices) {
            let symbol = &asset.symbol;
            if origins.iter().any(|earlier| earlier.asset == symbol.as_str()) {
                continue;
            }
            let live = status.assets.iter().find(|live| live.symbol == *symbol);
            origins.push(match live.filter(|_| !config.prices.is_from_file(symbol)) {
                None => fixed_price(symbol, *price),
                Some(live) => {
                    let names: Vec<&str> = live.feeds.iter().map(|feed| &*feed.source).collect();
                    let (price, reason) = match &live.price {
                        Ok(trusted) => (Some(*trusted), None),
                        Err(reason) => (None, Some(reason.to_string())),
                    };
                    PriceReport {
                        asset: symbol.to_string(),
                        source: names.join(", "),
                        rule: Some(rule(&live.rules)),
                        price_usd: price.map(|price| price.value.to_string()),
                        age_ms: price.map(|price| now.millis_since(price.since)),
                        reason,
                    }
                }
            });
        }
    }
    origins
}

fn fixed_price(symbol: &Symbol, price: Price) -> PriceReport {
    PriceReport {
        asset: symbol.to_string(),
        source: "fixed in the file".to_owned(),
        rule: None,
        price_usd: Some(price.to_string()),
        age_ms: None,
        reason: None,
    }
}

fn rule(rules: &PriceRules) -> String {
    let aggregation = match rules.aggregation {
        Aggregation::Priority => "the first trusted source".to_owned(),
        Aggregation::Median { min_sources } => format!("the median of at least {min_sources}"),
    };
    format!(
        "{aggregation}, at most {} ms old, {} bp per second, {} bp per minute, {} between sources",
        rules.max_age_ms, rules.max_jump_per_second, rules.max_move_per_minute, rules.max_deviation
    )
}

impl fmt::Display for PriceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asset, source, rule, price_usd, age_ms, reason } = self;
        write!(f, "{asset}: {source}")?;
        if let Some(price) = price_usd {
            write!(f, ", {price} USD")?;
        }
        if let Some(age) = age_ms {
            write!(f, ", {age} ms old")?;
        }
        if let Some(reason) = reason {
            write!(f, ", not trusted now: {reason}")?;
        }
        rule.as_ref().map_or(Ok(()), |rule| write!(f, "; {rule}"))
    }
}
