//! Defaults that apply because the configuration omits their keys, with their effective values.

use firmquote_config::{Config, PoolConfig, StoreConfig};
use firmquote_desk::{Limit, PoolView};

/// Describes each default that limits signatures or stored quotes: its key and its effective value.
pub(super) fn describe(config: &Config, views: &[Option<PoolView>]) -> Vec<String> {
    let mut found = Vec::new();
    for (position, (pool, view)) in config.pools.iter().zip(views).enumerate() {
        found.extend(pool_defaults(pool, view.as_ref()).into_iter().map(|text| format!("pool[{position}].{text}")));
    }
    if let StoreConfig::Memory(memory) = &config.store
        && memory.is_max_quotes_default
    {
        found.push(format!("store.max_quotes: {} live quotes, derived from the available memory", memory.max_quotes));
    }
    for (symbol, rules) in &config.prices.assets {
        if !config.prices.is_from_file(symbol) {
            found.push(format!(
                "price_rule of {symbol}: a price that moves more than {} bp in a minute is not trusted",
                rules.max_move_per_minute
            ));
        }
    }
    found
}

fn pool_defaults(pool: &PoolConfig, view: Option<&PoolView>) -> Vec<String> {
    let policy = &pool.policy;
    let limits = [
        ("max_trade_usd", policy.max_trade, "per trade"),
        ("max_usd_per_minute", policy.max_per_minute, "per minute for the pool"),
        ("max_usd_per_minute_per_client", policy.max_per_minute_of_client, "per minute and client"),
        ("max_usd_per_minute_anonymous", policy.max_per_minute_of_anonymous, "per minute for all anonymous clients"),
    ];
    let shares = limits.into_iter().filter_map(|(key, limit, of)| match limit {
        Limit::Share(share) => Some((key, f64::from(share.hundredths()) / 10_000.0, of)),
        Limit::None | Limit::Usd(_) => None,
    });
    shares
        .map(|(key, percent, of)| {
            let at_present = view.and_then(|view| view.value_in_usd);
            let at_present = at_present.map(|value| format!(", {:.2} USD at present", value * percent / 100.0));
            format!("signing.{key}: {percent} % of the pool's value {of}{}", at_present.unwrap_or_default())
        })
        .collect()
}
