//! Passes on what was heard of pushed prices from a shared place, where anybody may have written anything.
//!
//! Unlike a request, nobody can be answered here: what is wrong about an asset is told in its place, so that it is not
//! quoted on a price that its operator has replaced. Every price has to tell its time: nobody knows when it was written.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use firmquote_domain::{InvalidValue, Symbol};

use super::{InvalidPrice, InvalidPrices, item, list};
use crate::{Observation, PriceListener};

/// Passes on messages of prices, and entries that hold the last price of each asset.
///
/// What a message said is not told again when it is found in the entry: a message after it may have been invalid, and
/// would be forgotten. Of assets that are not its own it tells nothing.
#[derive(Debug)]
pub struct BoardReader {
    /// The last price that was told of each asset.
    last: Mutex<HashMap<Symbol, Option<Observation>>>,
}

impl BoardReader {
    /// A reader of the prices of `symbols`, none of which was told yet.
    pub fn new(symbols: &[Symbol]) -> Self {
        Self { last: Mutex::new(symbols.iter().map(|symbol| (symbol.clone(), None)).collect()) }
    }

    /// Tells `listener` each price of a list, and of each asset whose price is invalid that it is.
    ///
    /// # Errors
    /// [`InvalidPrices`] with what is wrong and names no asset; the rest is told nevertheless.
    pub fn receive_message(&self, message: &[u8], listener: &dyn PriceListener) -> Result<(), InvalidPrices> {
        let mut nobodys = Vec::new();
        for item in list::items(message, None)? {
            match item {
                Ok(price) => {
                    if self.replace(&price.symbol, Some(price.observation)).is_some() {
                        listener.receive(&price.symbol, Ok(price.observation));
                    }
                }
                Err(mistakes) => match first_named(&mistakes) {
                    Some((symbol, error)) if self.last().contains_key(symbol) => listener.receive(symbol, Err(error)),
                    Some(_) => {}
                    None => nobodys.extend(mistakes),
                },
            }
        }
        if nobodys.is_empty() { Ok(()) } else { Err(InvalidPrices::Invalid(nobodys)) }
    }

    /// Tells `listener` the price of `symbol` in `entry`, an item of a list, unless that was told last; or that it is
    /// invalid, as an item about another asset is.
    pub fn receive_entry(&self, symbol: &Symbol, entry: &[u8], listener: &dyn PriceListener) {
        let update = read_entry(symbol, entry);
        let Some(before) = self.replace(symbol, update.ok()) else { return };
        if update.is_err() || before != update.ok() {
            listener.receive(symbol, update);
        }
    }

    /// Remembers what is told of `symbol` and returns what was told last; nothing for an asset that is not its own.
    fn replace(&self, symbol: &Symbol, next: Option<Observation>) -> Option<Option<Observation>> {
        self.last().get_mut(symbol).map(|last| std::mem::replace(last, next))
    }

    /// Whoever panicked left the map whole: every change is one call.
    fn last(&self) -> MutexGuard<'_, HashMap<Symbol, Option<Observation>>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read_entry(symbol: &Symbol, entry: &[u8]) -> Result<Observation, InvalidValue> {
    const ANOTHERS: InvalidValue =
        InvalidValue::Malformed { expected: "an entry of the symbol that it is stored under" };
    const NO_TEXT: InvalidValue = InvalidValue::Malformed { expected: "an entry in UTF-8" };
    const NO_ITEM: InvalidValue = InvalidValue::Malformed { expected: "an entry in JSON" };
    let text = str::from_utf8(entry).map_err(|_| NO_TEXT)?;
    match item::read(text.trim(), 0, None) {
        Ok(price) if price.symbol == *symbol => Ok(price.observation),
        Ok(_) => Err(ANOTHERS),
        Err(mistakes) => Err(mistakes.first().map_or(NO_ITEM, |mistake| mistake.error)),
    }
}

/// The asset of an item with mistakes, and the first of those.
fn first_named(mistakes: &[InvalidPrice]) -> Option<(&Symbol, InvalidValue)> {
    let symbol = mistakes.iter().find_map(|mistake| mistake.symbol.as_ref())?;
    Some((symbol, mistakes.first()?.error))
}
