//! What swaps are grouped by.

use std::str::FromStr;

use firmquote_domain::{InvalidValue, Timestamp};
use firmquote_tape::RequestRow;
use jiff::tz::TimeZone;

use super::{names::TokenNames, swaps::Swap};
use crate::Money;

/// What swaps are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// The client; empty without credentials.
    Client,
    /// The pool as `<chain id>:<address>`.
    Pool,
    /// The pair as `input/output`.
    Pair,
    /// The day in UTC: of the quote for numbers, of the block for money.
    Day,
    /// The hour in UTC, likewise.
    Hour,
    /// The decade of the signed input in US dollars.
    Size,
}

impl Grouping {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Client, Self::Pool, Self::Pair, Self::Day, Self::Hour, Self::Size];

    /// The name of the grouping.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Pool => "pool",
            Self::Pair => "pair",
            Self::Day => "day",
            Self::Hour => "hour",
            Self::Size => "size",
        }
    }

    /// Returns the name of the group of `swap` at `time`.
    pub(super) fn name(self, swap: &Swap, time: Timestamp, names: &TokenNames) -> String {
        match self {
            Self::Client => swap.quote.client.name().unwrap_or_default().to_owned(),
            Self::Pool => swap.quote.pool.to_string(),
            Self::Pair => {
                let chain_id = swap.quote.pool.chain_id;
                let [input, output] =
                    [&swap.quote.input, &swap.quote.output].map(|leg| names.name(chain_id, leg.token));
                format!("{input}/{output}")
            }
            Self::Day => utc(time, DAY),
            Self::Hour => utc(time, HOUR),
            Self::Size => decade(&swap.signed_value().to_cents()),
        }
    }

    /// Returns the name of the group of a request; empty where it has none: the pool and the size of a refused one, and
    /// the pair of a signature.
    pub(super) fn name_of_request(self, row: &RequestRow) -> String {
        match self {
            Self::Client => row.client.clone().unwrap_or_default(),
            Self::Pool => row.quote.as_ref().map(|quote| quote.pool.to_string()).unwrap_or_default(),
            Self::Pair => {
                let pair = row.input.as_ref().zip(row.output.as_ref());
                pair.map(|(input, output)| format!("{input}/{output}")).unwrap_or_default()
            }
            Self::Day => utc(row.time, DAY),
            Self::Hour => utc(row.time, HOUR),
            Self::Size => {
                let value = row.quote.as_ref().map(|quote| Money::from(quote.value));
                value.map(|value| decade(&value.to_cents())).unwrap_or_default()
            }
        }
    }
}

/// The forms of times.
const DAY: &str = "%Y-%m-%d";
const HOUR: &str = "%Y-%m-%dT%H:00Z";

impl FromStr for Grouping {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let found = Self::ALL.into_iter().find(|grouping| grouping.as_str() == text);
        found.ok_or(InvalidValue::Malformed { expected: "client, pool, pair, day, hour or size" })
    }
}

fn utc(time: Timestamp, format: &str) -> String {
    let micros = i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
    let instant = jiff::Timestamp::from_microsecond(micros).unwrap_or(jiff::Timestamp::MAX);
    instant.to_zoned(TimeZone::UTC).strftime(format).to_string()
}

/// Returns the decade of an amount in US dollars; in the order of amounts, up to a hundred million.
pub(crate) fn decade(usd: &str) -> String {
    let digits = usd.split('.').next().unwrap_or_default().trim_start_matches('0').len();
    match digits {
        0 => "below 1".to_owned(),
        digits => format!("1e{} to 1e{digits}", digits - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_decades_and_times_are_utc() {
        for (usd, expected) in [
            ("0.99", "below 1"),
            ("1.00", "1e0 to 1e1"),
            ("9.99", "1e0 to 1e1"),
            ("10.00", "1e1 to 1e2"),
            ("123456.78", "1e5 to 1e6"),
        ] {
            assert_eq!(decade(usd), expected, "{usd}");
        }
        let time = Timestamp::from_seconds(1_795_219_199);
        assert_eq!((utc(time, DAY).as_str(), utc(time, HOUR).as_str()), ("2026-11-20", "2026-11-20T23:00Z"));
    }
}
