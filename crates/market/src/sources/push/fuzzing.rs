//! The entry point of the fuzz target `pushed`: lists of prices as requests, messages and entries.
//!
//! Compiled for fuzzing and for the test that replays the target's corpus; not part of any program.

use firmquote_domain::{InvalidValue, Symbol, Timestamp};
use parking_lot::Mutex;

use super::{PushedPrice, PushedPriceReader, list, read_list, serialize_list};
use crate::{Observation, PriceListener, PriceUpdate, fuzzing::check_error_text};

const NOW: Timestamp = Timestamp::from_seconds(1_763_700_000);

/// Reads `data` as a request, and as a message and an entry.
///
/// # Panics
/// If a list does not survive a round trip, if a message is read differently than a request or an unknown asset is
/// published, or if an error is not one short line.
pub fn pushed(data: &[u8]) {
    match read_list(data, NOW) {
        Ok(prices) => {
            let timed = prices.iter().map(|price| PushedPrice { has_time: true, ..price.clone() }).collect();
            assert_eq!(read_list(serialize_list(&prices).as_bytes(), NOW), Ok(timed));
            let received = receive(serialize_list(&prices).as_bytes(), &prices);
            assert!(
                received.iter().map(|(symbol, update)| (symbol, *update)).eq(prices.iter().map(expected_update)),
                "{received:?}"
            );
        }
        Err(error) => check_error_text(&error),
    }
    let prices: Vec<_> = list::items(data, None).unwrap_or_default().into_iter().flatten().collect();
    receive(data, &prices);
}

fn expected_update(price: &PushedPrice) -> (&Symbol, Result<Observation, InvalidValue>) {
    (&price.symbol, Ok(price.observation))
}

/// Returns what a reader of the assets of `prices` publishes for a message, after checking the message as the entry of
/// the first asset as well.
fn receive(message: &[u8], prices: &[PushedPrice]) -> Vec<(Symbol, Result<Observation, InvalidValue>)> {
    let symbols: Vec<_> = prices.iter().map(|price| price.symbol.clone()).collect();
    let (reader, received) = (PushedPriceReader::new(&symbols), Received::default());
    if let Err(error) = reader.receive_message(message, &received) {
        check_error_text(&error);
    }
    let received_from_message = received.take();
    assert!(received_from_message.iter().all(|(symbol, _)| symbols.contains(symbol)), "{received_from_message:?}");
    if let Some(first) = symbols.first() {
        reader.receive_entry(first, message, &received);
        assert!(
            received.take().iter().all(|(symbol, update)| symbol == first && update.is_err()),
            "a list is no entry"
        );
    }
    received_from_message
}

#[derive(Default)]
struct Received(Mutex<Vec<(Symbol, Result<Observation, InvalidValue>)>>);

impl Received {
    fn take(&self) -> Vec<(Symbol, Result<Observation, InvalidValue>)> {
        std::mem::take(&mut self.0.lock())
    }
}

impl PriceListener for Received {
    fn receive(&self, updates: &[PriceUpdate<'_>]) {
        let updates = updates.iter().map(|(symbol, update)| ((*symbol).clone(), *update));
        self.0.lock().extend(updates);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use firmquote_test_corpus::replay;

    #[test]
    fn pushed_prices_pass_the_fuzz_corpus() {
        replay("pushed", pushed);
    }
}
