//! Reads pushed prices from a shared store, whose contents are untrusted.
//!
//! Unlike a request, an entry has no sender to respond to: an invalid price is published as such for its asset, so that
//! the asset is not quoted with a price that its operator has replaced. Every price must carry its time, because the
//! time of writing is unknown.

use std::collections::HashMap;

use firmquote_domain::{InvalidValue, Symbol};
use parking_lot::Mutex;

use super::{InvalidPrice, InvalidPrices, list, pushed_price};
use crate::{Observation, PriceListener};

/// A reader of price messages, and of entries that contain the last price of each asset.
///
/// A price that was published from a message is not published again from the entry: a later message may have been
/// invalid, and its rejection would be lost. Assets that the reader was not created for are ignored.
#[derive(Debug)]
pub struct PushedPriceReader {
    /// The last published price of each asset.
    last: Mutex<HashMap<Symbol, Option<Observation>>>,
}

impl PushedPriceReader {
    /// Creates a reader of the prices of `symbols`, none of which was published yet.
    pub fn new(symbols: &[Symbol]) -> Self {
        Self { last: Mutex::new(symbols.iter().map(|symbol| (symbol.clone(), None)).collect()) }
    }

    /// Publishes each price of a list to `listener`, and an error for each asset whose price is invalid.
    ///
    /// # Errors
    /// [`InvalidPrices`] with the mistakes that name no asset; the rest is published nevertheless.
    pub fn receive_message(&self, message: &[u8], listener: &dyn PriceListener) -> Result<(), InvalidPrices> {
        let items = list::items(message, None)?;
        let (mut updates, mut unattributed) = (Vec::new(), Vec::new());
        for item in &items {
            match item {
                Ok(price) => {
                    if self.replace(&price.symbol, Some(price.observation)).is_some() {
                        updates.push((&price.symbol, Ok(price.observation)));
                    }
                }
                Err(errors) => match asset_error(errors) {
                    Some((symbol, error)) if self.last.lock().contains_key(symbol) => {
                        updates.push((symbol, Err(error)))
                    }
                    Some(_) => {}
                    None => unattributed.extend(errors.iter().cloned()),
                },
            }
        }
        listener.receive(&updates);
        if unattributed.is_empty() { Ok(()) } else { Err(InvalidPrices::Invalid(unattributed)) }
    }

    /// Publishes the price of `symbol` in `entry`, an item of a list, to `listener`, unless it was published last; or
    /// an error if the entry is invalid or about another asset.
    pub fn receive_entry(&self, symbol: &Symbol, entry: &[u8], listener: &dyn PriceListener) {
        let update = read_entry(symbol, entry);
        let Some(before) = self.replace(symbol, update.ok()) else { return };
        if update.is_err() || before != update.ok() {
            listener.receive(&[(symbol, update)]);
        }
    }

    /// Stores the published price of `symbol` and returns the previous one; `None` for an unknown asset.
    fn replace(&self, symbol: &Symbol, next: Option<Observation>) -> Option<Option<Observation>> {
        self.last.lock().get_mut(symbol).map(|last| std::mem::replace(last, next))
    }
}

fn read_entry(symbol: &Symbol, entry: &[u8]) -> Result<Observation, InvalidValue> {
    const WRONG_SYMBOL: InvalidValue =
        InvalidValue::Malformed { expected: "an entry of the symbol that it is stored under" };
    const NOT_UTF8: InvalidValue = InvalidValue::Malformed { expected: "an entry in UTF-8" };
    const NOT_JSON: InvalidValue = InvalidValue::Malformed { expected: "an entry in JSON" };
    let text = str::from_utf8(entry).map_err(|_| NOT_UTF8)?;
    match pushed_price::parse(text.trim(), 0, None) {
        Ok(price) if price.symbol == *symbol => Ok(price.observation),
        Ok(_) => Err(WRONG_SYMBOL),
        Err(errors) => Err(errors.first().map_or(NOT_JSON, |error| error.error)),
    }
}

/// Returns the asset of an item with mistakes, and the first mistake.
fn asset_error(errors: &[InvalidPrice]) -> Option<(&Symbol, InvalidValue)> {
    let symbol = errors.iter().find_map(|error| error.symbol.as_ref())?;
    Some((symbol, errors.first()?.error))
}
