//! Prices of assets over time, from the tape.

use std::collections::HashMap;

use firmquote_domain::{Price, Symbol, Timestamp};
use firmquote_tape::{PriceRow, SegmentFiles, TapeError};

/// The maximum age of a price at the moment for which it is taken, in seconds, unless that is further away.
const MAX_AGE_SECONDS: u64 = 2;

const MINUTE_US: u64 = 60_000_000;

/// The trusted composite prices of assets, by the time at which they were observed.
#[derive(Clone, Debug, Default)]
pub struct PriceHistory(HashMap<Symbol, Vec<(Timestamp, Price)>>);

impl FromIterator<PriceRow> for PriceHistory {
    fn from_iter<I: IntoIterator<Item = PriceRow>>(rows: I) -> Self {
        let mut history = Self::default();
        history.extend(rows);
        history
    }
}

impl Extend<PriceRow> for PriceHistory {
    fn extend<I: IntoIterator<Item = PriceRow>>(&mut self, rows: I) {
        for row in rows.into_iter().filter(|row| row.source.is_none()) {
            if let Some(price) = row.price {
                // A price without time holds whenever it is recorded.
                self.0.entry(row.symbol).or_default().push((row.observed_at.unwrap_or(row.time), price));
            }
        }
        for prices in self.0.values_mut() {
            // Stable: fast for what is in order already.
            prices.sort_by_key(|(time, _)| *time);
            prices.dedup();
        }
    }
}

impl PriceHistory {
    /// Reads the prices in these segments, one segment at a time: most rows are those of single sources.
    ///
    /// # Errors
    /// For a segment that cannot be read.
    pub fn read(segments: &[SegmentFiles]) -> Result<Self, TapeError> {
        let mut history = Self::default();
        for segment in segments {
            history.extend(segment.read::<PriceRow>()?);
        }
        Ok(history)
    }

    /// Adds a price; those of an asset in the order of time.
    pub(crate) fn push(&mut self, symbol: &Symbol, time: Timestamp, price: Price) {
        match self.0.get_mut(symbol) {
            Some(prices) => prices.push((time, price)),
            None => drop(self.0.insert(symbol.clone(), vec![(time, price)])),
        }
    }

    /// Returns the last price of an asset that was observed at or before `seconds` after `time`; `None` if that was
    /// observed before `time`, or is older than these seconds, or 2 s if they are fewer.
    pub fn after(&self, symbol: &Symbol, time: Timestamp, seconds: u32) -> Option<Price> {
        let at = time.plus_seconds(seconds);
        let (observed_at, price) = self.last(symbol, at)?;
        let max_age_us = u64::from(seconds).max(MAX_AGE_SECONDS) * 1_000_000;
        let is_fresh = at.micros_since(observed_at) <= max_age_us && (seconds == 0 || observed_at >= time);
        is_fresh.then_some(price)
    }

    /// Returns the last price that was observed at or before `at`.
    pub(crate) fn last(&self, symbol: &Symbol, at: Timestamp) -> Option<(Timestamp, Price)> {
        let prices = self.0.get(symbol)?;
        let known = prices.partition_point(|(observed_at, _)| *observed_at <= at);
        prices.get(known.checked_sub(1)?).copied()
    }

    /// Returns the realized volatility of the price of an asset in another one in the hour before `time`, in the square root
    /// of a second, from the returns of its minutes; `None` for fewer than half of them.
    pub(crate) fn realized_volatility(&self, [one, other]: [&Symbol; 2], time: Timestamp) -> Option<f64> {
        let price = |symbol, minutes: u64| {
            let at = Timestamp::from_micros(time.as_micros().saturating_sub(minutes * MINUTE_US));
            let (_, price) = self.last(symbol, at).filter(|(since, _)| at.micros_since(*since) <= MINUTE_US)?;
            price.to_string().parse::<f64>().ok()
        };
        let logarithms = (0..=60).map(|minutes| Some((price(one, minutes)? / price(other, minutes)?).ln()));
        let logarithms: Vec<Option<f64>> = logarithms.collect();
        let pairs = logarithms.iter().zip(logarithms.iter().skip(1));
        let squares: Vec<f64> = pairs.filter_map(|(later, earlier)| Some(((*later)? - (*earlier)?).powi(2))).collect();
        let count = u32::try_from(squares.len()).ok().filter(|count| *count >= 30)?;
        Some((squares.iter().sum::<f64>() / f64::from(count) / 60.0).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_price_is_taken_unless_it_is_too_old() {
        let at = |ms: u64| Timestamp::from_micros(1_795_219_200_000_000 + ms * 1_000);
        let symbol = Symbol::new("ETH").unwrap();
        let row = |ms, steps, source: Option<&str>| PriceRow {
            time: at(ms + 50),
            symbol: symbol.clone(),
            source: source.map(str::to_owned),
            price: Price::new(steps),
            observed_at: Some(at(ms)),
            rejection: None,
        };
        let rows = [row(1_000, 2, None), row(0, 1, None), row(1_500, 9, Some("x")), row(9_000, 3, None)];
        let history: PriceHistory = rows.into_iter().collect();
        for (ms, seconds, expected) in [
            (0, 0, Some(1)),
            (999, 0, Some(1)),
            (1_000, 0, Some(2)),
            (3_000, 0, Some(2)),
            (3_001, 0, None),
            (500, 1, Some(2)),
            // Observed before: nothing is known of what followed.
            (1_001, 1, None),
            (1_001, 7, None),
            (1_001, 8, Some(3)),
            (1_000, 7, Some(2)),
            (9_000, 60, Some(3)),
            (9_001, 60, None),
        ] {
            assert_eq!(history.after(&symbol, at(ms), seconds).map(Price::steps), expected, "{ms} ms, {seconds} s");
        }
        assert_eq!(history.after(&Symbol::new("DAI").unwrap(), at(0), 0), None);
    }
}
