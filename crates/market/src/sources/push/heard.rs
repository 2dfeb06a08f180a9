//! Passes on what was heard of pushed prices from a shared place, where anybody may have written anything.
//!
//! Unlike a request, nobody can be answered here: what is wrong about an asset is told in its place, so that it is not
//! quoted on a price that its operator has replaced. Every price has to tell its time: nobody knows when it was written.

use firmquote_domain::{InvalidValue, Symbol};

use super::{InvalidPrice, InvalidPrices, item, list};
use crate::PriceListener;

/// Tells `listener` each price of a list, and of each asset whose price is invalid that it is.
///
/// # Errors
/// [`InvalidPrices`] with what is wrong and names no asset; the rest is told nevertheless.
pub fn tell_message(message: &[u8], listener: &dyn PriceListener) -> Result<(), InvalidPrices> {
    let mut nobodys = Vec::new();
    for item in list::items(message, None)? {
        match item {
            Ok(price) => listener.hear(&price.symbol, Ok(price.observation)),
            Err(mistakes) => match first_named(&mistakes) {
                Some((symbol, error)) => listener.hear(symbol, Err(error)),
                None => nobodys.extend(mistakes),
            },
        }
    }
    if nobodys.is_empty() { Ok(()) } else { Err(InvalidPrices::Invalid(nobodys)) }
}

/// Tells `listener` the price of `symbol` in `entry`, an item of a list, or that it is invalid: as an item about
/// another asset is.
pub fn tell_entry(symbol: &Symbol, entry: &[u8], listener: &dyn PriceListener) {
    const ANOTHERS: InvalidValue =
        InvalidValue::Malformed { expected: "an entry of the symbol that it is stored under" };
    const NO_TEXT: InvalidValue = InvalidValue::Malformed { expected: "an entry in UTF-8" };
    const NO_ITEM: InvalidValue = InvalidValue::Malformed { expected: "an entry in JSON" };
    let said = match str::from_utf8(entry).map(|text| item::read(text.trim(), 0, None)) {
        Ok(Ok(price)) if price.symbol == *symbol => Ok(price.observation),
        Ok(Ok(_)) => Err(ANOTHERS),
        Ok(Err(mistakes)) => Err(mistakes.first().map_or(NO_ITEM, |mistake| mistake.error)),
        Err(_) => Err(NO_TEXT),
    };
    listener.hear(symbol, said);
}

/// The asset of an item with mistakes, and the first of those.
fn first_named(mistakes: &[InvalidPrice]) -> Option<(&Symbol, InvalidValue)> {
    let symbol = mistakes.iter().find_map(|mistake| mistake.symbol.as_ref())?;
    Some((symbol, mistakes.first()?.error))
}
