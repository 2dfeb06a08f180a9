//! An entry point of the fuzz target `feeds`: messages of exchanges.
//!
//! Compiled for fuzzing and for the test that replays the target's corpus; not part of any program.

use firmquote_domain::{Price, Timestamp, U256, parse_decimal};
use serde_json::Value;

use super::{Exchange, ticker::Ticker, venue::Event};
use crate::{SourceError, fuzzing::check_error_text};

/// Reads `data` as a message of each exchange.
///
/// # Panics
/// If a price is not between bid and ask, or an error is not one short line.
pub fn messages(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    for exchange in Exchange::ALL {
        match exchange.venue().read(text, Timestamp::from_seconds(1_763_700_000)) {
            Ok(Event::Tickers(tickers)) => tickers.iter().for_each(check),
            Ok(Event::Refusal(refusal)) => check_error_text(&SourceError::Protocol { reason: refusal.reason }),
            Ok(Event::Other) => {}
            Err(error) => check_error_text(&error),
        }
    }
}

fn check(ticker: &Ticker) {
    match ticker.observation() {
        Ok(observation) => {
            let price = U256::from(observation.price.steps());
            assert!(steps(&ticker.bid) <= price && price <= steps(&ticker.ask), "{ticker:?}: {observation:?}");
        }
        Err(error) => check_error_text(&error),
    }
}

/// Converts a bid or ask to steps of a price, rounded down.
fn steps(decimal: &Value) -> U256 {
    let steps = parse_decimal(decimal.as_str().unwrap_or_default(), Price::DECIMALS);
    steps.map(|(steps, _)| steps).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use firmquote_test_corpus::replay;

    #[test]
    fn exchange_messages_pass_the_fuzz_corpus() {
        replay("feeds", messages);
    }
}
