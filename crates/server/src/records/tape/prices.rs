//! Records prices on the tape: the composite price of each asset that quotes use, and that of each source, once a second and
//! whenever the composite price has moved by a basis point. Also records changes of the service that are noticed meanwhile.

use std::{collections::HashMap, sync::Arc, time::Duration};

use firmquote_analysis::{DeskEncoder, TapeRecord};
use firmquote_domain::{Clock, Price, Symbol, Timestamp};
use firmquote_http::LiveService;
use firmquote_market::MarketWriter;
use firmquote_tape::{PriceRow, TapeRecorder};
use tokio::time::sleep;

use super::{Tape, changes::ServiceChanges};

/// The delay between two looks at the prices: moves are noticed within it.
const INTERVAL: Duration = Duration::from_millis(100);
/// The time after which a price is recorded although it has not moved, in milliseconds.
const MAX_SILENCE_MS: u64 = 1_000;

/// Records prices.
pub(crate) struct PriceTape {
    recorder: Arc<TapeRecorder<DeskEncoder>>,
    live: Arc<LiveService>,
    market: Arc<MarketWriter>,
    clock: Arc<dyn Clock>,
    recorded: HashMap<Symbol, (Timestamp, Option<Price>)>,
}

impl PriceTape {
    /// Creates the recorder of the prices that `live` quotes with.
    pub(crate) fn new(tape: &Tape, live: Arc<LiveService>, market: Arc<MarketWriter>, clock: Arc<dyn Clock>) -> Self {
        Self { recorder: Arc::clone(&tape.recorder), live, market, clock, recorded: HashMap::new() }
    }

    /// Records prices and changes until the runtime ends.
    pub(crate) async fn run(mut self) {
        let mut changes = ServiceChanges::new(self.live.desk());
        loop {
            let now = self.clock.now();
            let changed = changes.since_last_look(&self.live.desk(), now);
            if !changed.is_empty() {
                self.recorder.record(TapeRecord::Changes(changed));
            }
            let rows = self.due_rows(now);
            if !rows.is_empty() {
                self.recorder.record(TapeRecord::Prices(rows));
            }
            sleep(INTERVAL).await;
        }
    }

    /// Returns the rows that are due at `now`.
    fn due_rows(&mut self, now: Timestamp) -> Vec<PriceRow> {
        let mut rows = composite_prices(&self.live, now);
        rows.retain(|row| {
            let last = self.recorded.get(&row.symbol);
            let is_due = last
                .is_none_or(|(time, price)| now.millis_since(*time) >= MAX_SILENCE_MS || has_moved(*price, row.price));
            if is_due {
                self.recorded.insert(row.symbol.clone(), (now, row.price));
            }
            is_due
        });
        if rows.is_empty() {
            return rows;
        }
        let status = self.market.status(now);
        let sources = status.assets.into_iter().filter(|asset| rows.iter().any(|row| row.symbol == asset.symbol));
        let sources: Vec<_> = sources
            .flat_map(|asset| {
                asset.feeds.into_iter().map(move |feed| PriceRow {
                    time: now,
                    symbol: asset.symbol.clone(),
                    source: Some(feed.source.to_string()),
                    price: feed.last_price.map(|(price, _)| price),
                    observed_at: feed.last_price.and_then(|(_, time)| time),
                    rejection: feed.rejection.map(|rejection| rejection.rule().name().to_owned()),
                })
            })
            .collect();
        rows.extend(sources);
        rows
    }
}

/// Returns the price of each asset that quotes would use at `now`; that of the first pool that lists it.
fn composite_prices(live: &LiveService, now: Timestamp) -> Vec<PriceRow> {
    let desk = live.desk();
    let snapshot = desk.market.snapshot();
    let mut rows: Vec<PriceRow> = Vec::new();
    for pool in &desk.pools {
        let Some(state) = snapshot.pool(pool.id()) else { continue };
        for (asset, state) in pool.signer().pool().spec().assets.iter().zip(&state.assets) {
            if rows.iter().any(|row| row.symbol == asset.symbol) {
                continue;
            }
            let price = state.price_at(now);
            rows.push(PriceRow {
                time: now,
                symbol: asset.symbol.clone(),
                source: None,
                observed_at: state.price.as_ref().ok().and_then(|price| price.time()),
                rejection: price.as_ref().err().map(|rejection| rejection.rule().name().to_owned()),
                price: price.ok(),
            });
        }
    }
    rows
}

/// Whether a price has moved by a basis point, or become trusted or untrusted.
fn has_moved(last: Option<Price>, now: Option<Price>) -> bool {
    match (last, now) {
        (Some(last), Some(now)) => u128::from(last.steps().abs_diff(now.steps())) * 10_000 >= u128::from(last.steps()),
        (last, now) => last.is_some() != now.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_of_a_basis_point_is_recorded() {
        let price = |steps| Price::new(steps);
        for (last, now, expected) in [
            (price(10_000), price(10_000), false),
            (price(100_000), price(100_009), false),
            (price(100_000), price(100_010), true),
            (price(100_000), price(99_990), true),
            (price(1), None, true),
            (None, price(1), true),
            (None, None, false),
        ] {
            assert_eq!(has_moved(last, now), expected, "{last:?} {now:?}");
        }
    }
}
