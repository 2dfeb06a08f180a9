//! Pushed prices: lists in requests, which are accepted or rejected as a whole, and messages and entries of a shared
//! store, whose prices are independent.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic outside its test functions too")]

mod lists;
mod reader;

use std::sync::Mutex;

use firmquote_domain::{InvalidValue, Price, Symbol, Timestamp};
use firmquote_market::{
    Observation, PriceListener, PriceUpdate,
    push::{PushedPrice, PushedPriceReader, read_list, serialize_list},
};
use proptest::prelude::*;

const NOW: Timestamp = Timestamp::from_micros(1_763_700_000_123_456);

fn symbol(text: &str) -> Symbol {
    Symbol::new(text).unwrap()
}

fn list(item: &str) -> String {
    format!("{{\"prices\":[{item}]}}")
}

fn reader() -> PushedPriceReader {
    PushedPriceReader::new(&["ETH", "USDC", "DAI"].map(symbol))
}

/// A recorder of updates in their order.
#[derive(Default)]
struct RecordingListener(Mutex<Vec<(String, Result<Observation, InvalidValue>)>>);

impl PriceListener for RecordingListener {
    fn receive(&self, updates: &[PriceUpdate<'_>]) {
        self.0.lock().unwrap().extend(updates.iter().map(|(symbol, update)| (symbol.to_string(), *update)));
    }
}

impl RecordingListener {
    /// Returns each asset with its price, or without one.
    fn received(&self) -> Vec<(String, Option<String>)> {
        let received = self.0.lock().unwrap();
        received
            .iter()
            .map(|(symbol, update)| (symbol.clone(), update.ok().map(|observation| observation.price.to_string())))
            .collect()
    }
}

proptest! {
    #[test]
    fn prices_round_trip_to_the_last_digit(
        steps in 1..=u64::MAX,
        confidence_steps in 0..=u64::MAX,
        millis in 0..=u64::MAX / 1_000,
    ) {
        let observed_at = Timestamp::from_micros(millis * 1_000);
        let observation = Observation { price: Price::new(steps).unwrap(), confidence_steps, observed_at };
        let price = PushedPrice { symbol: symbol("U\"S\\D"), observation, has_time: true };
        prop_assert_eq!(read_list(serialize_list(std::slice::from_ref(&price)).as_bytes(), NOW), Ok(vec![price]));
    }

    #[test]
    fn arbitrary_input_never_panics(bytes in any::<Vec<u8>>(), text in any::<String>()) {
        let (listener, reader) = (RecordingListener::default(), reader());
        for json in [bytes, list(&text).into_bytes(), text.into_bytes()] {
            drop(read_list(&json, NOW));
            drop(reader.receive_message(&json, &listener));
            reader.receive_entry(&symbol("ETH"), &json, &listener);
        }
    }
}
