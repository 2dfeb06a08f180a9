//! The log of assets that are not quoted: when each loses its price, with the rule and the values of its sources, and
//! when it has one again.

use std::{collections::HashMap, fmt::Write as _};

use firmquote_domain::{Symbol, Timestamp};
use firmquote_market::{AssetStatus, FeedStatus, Rule};

/// The assets without a trusted price, by the rule that they break.
#[derive(Debug, Default)]
pub(super) struct PriceOutages(HashMap<Symbol, Outage>);

/// An outage of the price of one asset.
#[derive(Debug)]
struct Outage {
    rule: Rule,
    /// Whether it was logged: one that is over at the next look, as at the start, is not.
    is_logged: bool,
}

impl PriceOutages {
    /// Logs the outages that began, changed or ended between the last two looks at the prices; `assets` is their status
    /// at `now`.
    pub(super) fn log_changes(&mut self, assets: &[AssetStatus], now: Timestamp) {
        self.0.retain(|symbol, _| assets.iter().any(|asset| asset.symbol == *symbol));
        for asset in assets {
            match &asset.price {
                Ok(price) => {
                    if self.0.remove(&asset.symbol).is_some_and(|outage| outage.is_logged) {
                        let (asset, price, sources) = (asset.symbol.as_str(), price.value, sources(asset, now));
                        tracing::info!(asset, %price, sources, "the asset has a trusted price again");
                    }
                }
                Err(rejection) => {
                    let rule = rejection.rule();
                    match self.0.get_mut(&asset.symbol).filter(|outage| outage.rule == rule) {
                        None => _ = self.0.insert(asset.symbol.clone(), Outage { rule, is_logged: false }),
                        Some(Outage { is_logged: true, .. }) => {}
                        Some(outage) => {
                            outage.is_logged = true;
                            let (asset, sources) = (asset.symbol.as_str(), sources(asset, now));
                            tracing::warn!(asset, reason = %rejection, sources, "the asset has no trusted price");
                        }
                    }
                }
            }
        }
    }
}

/// Lists the sources of an asset with their last prices.
fn sources(asset: &AssetStatus, now: Timestamp) -> String {
    let mut list = String::new();
    for FeedStatus { source, last_price, rejection, .. } in &asset.feeds {
        let separator = if list.is_empty() { "" } else { "; " };
        let price = last_price.map_or_else(|| "no price".to_owned(), |(price, _)| price.to_string());
        let age = last_price.and_then(|(_, time)| Some(format!(", {} ms old", now.millis_since(time?))));
        let rejection = rejection.as_ref().map(|rejection| format!(" ({rejection})"));
        let (age, rejection) = (age.unwrap_or_default(), rejection.unwrap_or_default());
        // Writing to a text cannot fail.
        write!(list, "{separator}{source} {price}{age}{rejection}").ok();
    }
    list
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use firmquote_domain::{BasisPoints, Price};
    use firmquote_market::{Aggregation, Deviation, FeedInput, LivePrice, MarketWriter, Observation, PriceRules};

    use super::*;
    use crate::supervise::captured_log;

    const START: Timestamp = Timestamp::from_seconds(1_700_000_000);

    #[test]
    fn outages_of_each_asset_are_logged_with_their_begin_end_and_the_values_of_their_sources() {
        let wide = "9999".parse::<BasisPoints>().unwrap();
        let rules = PriceRules {
            max_age_ms: 2_500,
            max_jump_per_second: wide,
            max_move_per_minute: wide,
            max_deviation: Deviation::from_basis_points("50".parse::<BasisPoints>().unwrap()),
            max_confidence: Deviation::from_basis_points(wide),
            aggregation: Aggregation::Priority,
        };
        let symbols = ["ETH", "DAI"].map(|symbol| Symbol::new(symbol).unwrap());
        let live = |symbol: &Symbol| LivePrice {
            symbol: symbol.clone(),
            rules,
            feeds: ["one", "two"].map(|name| (name.into(), FeedInput::New)).into(),
        };
        let writer = MarketWriter::new(Arc::default(), Vec::new(), Vec::new(), START);
        writer.replace(Arc::default(), &symbols.each_ref().map(live), Vec::new(), START);
        let lines = captured_log(|| {
            let mut outages = PriceOutages::default();
            for second in 0..12 {
                let now = START.plus_seconds(second);
                let receive = |position: usize, symbol: usize, price: &str| {
                    let price = price.parse::<Price>().unwrap();
                    let observation = Observation { price, confidence_steps: 0, observed_at: now };
                    writer.receive([(&symbols[symbol], position, Ok(observation))], now);
                };
                // The first prices come after the first look.
                if second > 0 {
                    receive(0, 1, "1");
                    // ETH is silent for a while, then its sources deviate.
                    if !(2..=6).contains(&second) {
                        receive(0, 0, "2000");
                        receive(1, 0, if second == 9 || second == 10 { "2100" } else { "2001" });
                    }
                }
                outages.log_changes(&writer.status(now).assets, now);
            }
        });
        let old = "one 2000, 4000 ms old (the last update is 4000 ms old, at most 2500 ms is allowed)";
        assert_eq!(lines.len(), 4, "{lines:#?}");
        assert!(lines[0].contains("no trusted price asset=\"ETH\"") && lines[0].contains(old), "{lines:#?}");
        assert!(
            lines[1].contains("trusted price again asset=\"ETH\" price=2000 sources=\"one 2000, 0 ms old; two 2001")
        );
        assert!(lines[2].contains("two 2100, 0 ms old"), "{lines:#?}");
        assert!(lines[3].contains("trusted price again asset=\"ETH\""), "{lines:#?}");
    }
}
