//! Reads a list of prices, `{"prices": [..]}`.

use firmquote_domain::{InvalidValue, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{
    InvalidPrice, InvalidPrices, InvalidReason,
    pushed_price::{self, PushedPrice},
};

/// The members of the list's object; others are ignored.
#[derive(Deserialize)]
struct PriceListBody<'j> {
    #[serde(borrow)]
    prices: Option<&'j RawValue>,
}

/// An item of a list, or its mistakes.
pub(super) type ReadItem = Result<PushedPrice, Vec<InvalidPrice>>;

/// Reads all of a list, or rejects it. Items without a time get `now`, truncated to whole milliseconds.
///
/// # Errors
/// [`InvalidPrices::Unreadable`] for anything but one JSON object in UTF-8, [`InvalidPrices::Invalid`] with every
/// mistake in it: missing members, invalid values, a repeated asset, an empty list.
pub fn read_list(json: &[u8], now: Timestamp) -> Result<Vec<PushedPrice>, InvalidPrices> {
    const DUPLICATE: InvalidValue = InvalidValue::OutOfRange { allowed: "each asset once" };
    let (mut prices, mut errors): (Vec<PushedPrice>, Vec<InvalidPrice>) = (Vec::new(), Vec::new());
    for (position, read) in items(json, Some(now))?.into_iter().enumerate() {
        match read {
            Ok(price) if prices.iter().any(|earlier| earlier.symbol == price.symbol) => errors.push(InvalidPrice {
                position: Some(position),
                member: Some("symbol"),
                reason: InvalidReason::Repeated,
                error: DUPLICATE,
                received: serde_json::to_string(price.symbol.as_str()).unwrap_or_default(),
                symbol: Some(price.symbol),
            }),
            Ok(price) => prices.push(price),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(prices) } else { Err(InvalidPrices::Invalid(errors)) }
}

/// Reads each item of a list separately. Without a `default_time` every item has to carry its own time.
///
/// # Errors
/// The mistake in the list as a whole.
pub(super) fn items(json: &[u8], default_time: Option<Timestamp>) -> Result<Vec<ReadItem>, InvalidPrices> {
    const NONE: InvalidValue = InvalidValue::Malformed { expected: "an array of prices, there is none" };
    const NOT_A_LIST: InvalidValue = InvalidValue::Malformed { expected: "an array of prices" };
    const EMPTY: InvalidValue = InvalidValue::OutOfRange { allowed: "one price or more" };
    let unreadable = |reason: &str| InvalidPrices::Unreadable(reason.to_owned());
    let text = str::from_utf8(json).map_err(|_| unreadable("it is not UTF-8"))?;
    if !text.trim_start().starts_with('{') {
        return Err(unreadable("it is not an object"));
    }
    let PriceListBody { prices } = serde_json::from_str(text).map_err(|error| unreadable(&error.to_string()))?;
    let raw = prices.ok_or_else(|| list_error(InvalidReason::Missing, NONE, text))?;
    let items: Vec<&RawValue> =
        serde_json::from_str(raw.get()).map_err(|_| list_error(InvalidReason::NotList, NOT_A_LIST, raw.get()))?;
    if items.is_empty() {
        return Err(list_error(InvalidReason::NotAllowed, EMPTY, raw.get()));
    }
    let read = |(position, item): (usize, &RawValue)| pushed_price::parse(item.get(), position, default_time);
    Ok(items.into_iter().enumerate().map(read).collect())
}

fn list_error(reason: InvalidReason, error: InvalidValue, received: &str) -> InvalidPrices {
    let received = received.to_owned();
    let (position, symbol, member) = (None, None, Some("prices"));
    InvalidPrices::Invalid(vec![InvalidPrice { position, symbol, member, reason, error, received }])
}

#[derive(Serialize)]
struct List<'p> {
    prices: &'p [PushedPrice],
}

/// Writes a list of prices in the notation that is read: `{"prices": [..]}`.
pub fn serialize_list(prices: &[PushedPrice]) -> String {
    // Strings and numbers always serialize.
    serde_json::to_string(&List { prices }).unwrap_or_default()
}
