//! One pushed price and its notation; parsing it reports every mistake. No number becomes a float.

use std::borrow::Cow;

use firmquote_domain::{InvalidValue, Price, Symbol, Timestamp, U256, Usd, parse_decimal};
use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct as _};
use serde_json::value::RawValue;

use super::{InvalidPrice, InvalidReason};
use crate::Observation;

/// A valid pushed price of an asset. Serialized in the notation that it is parsed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushedPrice {
    /// The asset.
    pub symbol: Symbol,
    /// Its price, with a time of whole milliseconds.
    pub observation: Observation,
    /// Whether that time was sent, and is not the default.
    pub has_time: bool,
}

impl Serialize for PushedPrice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Observation { price, confidence_steps, observed_at } = self.observation;
        let mut item = serializer.serialize_struct("PushedPrice", 4)?;
        item.serialize_field("symbol", self.symbol.as_str())?;
        item.serialize_field("price_usd", &price.to_string())?;
        item.serialize_field("confidence_usd", &Usd::new(confidence_steps).to_string())?;
        item.serialize_field("observed_at", &(observed_at.as_micros() / 1_000))?;
        item.end()
    }
}

/// The unparsed members; others are ignored.
#[derive(Default, Deserialize)]
struct Members<'j> {
    #[serde(borrow)]
    symbol: Option<&'j RawValue>,
    #[serde(borrow)]
    price_usd: Option<&'j RawValue>,
    #[serde(borrow)]
    confidence_usd: Option<&'j RawValue>,
    #[serde(borrow)]
    observed_at: Option<&'j RawValue>,
}

/// A mistake in a value, before its location is added.
type ValueError = (InvalidReason, InvalidValue);

/// Reads the item at `position`. An item without a time gets `default_time`; without that, the time is required.
///
/// # Errors
/// All mistakes in the item.
pub(super) fn parse(
    json: &str,
    position: usize,
    default_time: Option<Timestamp>,
) -> Result<PushedPrice, Vec<InvalidPrice>> {
    let mut item = PriceReader { json, position, symbol: None, errors: Vec::new() };
    // Serde would read an array as the members in their order.
    let members = json.starts_with('{').then(|| serde_json::from_str::<Members<'_>>(json).ok()).flatten();
    let Some(members) = members else {
        const EXPECTED: InvalidValue =
            InvalidValue::Malformed { expected: "an object with symbol and price_usd, each member once" };
        item.add_error(None, (InvalidReason::NotObject, EXPECTED), json);
        return Err(item.errors);
    };
    item.symbol = item.parse_required("symbol", members.symbol, parse_symbol);
    let price = item.parse_required("price_usd", members.price_usd, parse_price);
    let confidence = members.confidence_usd.map_or(Some(0), |raw| item.parse("confidence_usd", raw, parse_confidence));
    let has_time = members.observed_at.is_some();
    let observed_at = match (members.observed_at, default_time) {
        (None, Some(default)) => Some(truncate_to_millis(default)),
        (raw, _) => item.parse_required("observed_at", raw, parse_time),
    };
    match (&item.symbol, price, confidence, observed_at) {
        (Some(symbol), Some(price), Some(confidence_steps), Some(observed_at)) => Ok(PushedPrice {
            symbol: symbol.clone(),
            observation: Observation { price, confidence_steps, observed_at },
            has_time,
        }),
        _ => Err(item.errors),
    }
}

/// An item that is being read.
struct PriceReader<'j> {
    json: &'j str,
    position: usize,
    symbol: Option<Symbol>,
    errors: Vec<InvalidPrice>,
}

impl PriceReader<'_> {
    fn parse_required<T>(
        &mut self,
        member: &'static str,
        raw: Option<&RawValue>,
        parse: fn(&str) -> Result<T, ValueError>,
    ) -> Option<T> {
        const REQUIRED: InvalidValue = InvalidValue::Malformed { expected: "a value, there is none" };
        let Some(raw) = raw else {
            self.add_error(Some(member), (InvalidReason::Missing, REQUIRED), self.json);
            return None;
        };
        self.parse(member, raw, parse)
    }

    fn parse<T>(
        &mut self,
        member: &'static str,
        raw: &RawValue,
        parse: fn(&str) -> Result<T, ValueError>,
    ) -> Option<T> {
        parse(raw.get()).map_err(|error| self.add_error(Some(member), error, raw.get())).ok()
    }

    fn add_error(&mut self, member: Option<&'static str>, (reason, error): ValueError, received: &str) {
        let (position, symbol) = (Some(self.position), self.symbol.clone());
        self.errors.push(InvalidPrice { position, symbol, member, reason, error, received: received.to_owned() });
    }
}

fn parse_symbol(json: &str) -> Result<Symbol, ValueError> {
    const EXPECTED: InvalidValue = InvalidValue::Malformed { expected: "the symbol of an asset in a text" };
    let text = serde_json::from_str::<String>(json).map_err(|_| (InvalidReason::NotText, EXPECTED))?;
    Symbol::new(&text).map_err(|error| (InvalidReason::NotAllowed, error))
}

fn parse_price(json: &str) -> Result<Price, ValueError> {
    number_text(json).ok_or(NOT_DECIMAL)?.parse::<Price>().map_err(decimal_error)
}

/// Parses a confidence to steps of 1e-8, rounded up: it never becomes narrower. One that does not fit becomes the
/// maximum.
fn parse_confidence(json: &str) -> Result<u64, ValueError> {
    let (steps, is_cut) =
        parse_decimal(&number_text(json).ok_or(NOT_DECIMAL)?, Price::DECIMALS).map_err(decimal_error)?;
    Ok(u64::try_from(steps.saturating_add(U256::from(u8::from(is_cut)))).unwrap_or(u64::MAX))
}

fn parse_time(json: &str) -> Result<Timestamp, ValueError> {
    const EXPECTED: InvalidValue = InvalidValue::Malformed { expected: "Unix milliseconds, an integer" };
    const RANGE: InvalidValue = InvalidValue::OutOfRange { allowed: "0 to 18446744073709551 Unix milliseconds" };
    let digits =
        number_text(json).filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    let digits = digits.ok_or((InvalidReason::NotInteger, EXPECTED))?;
    let micros = digits.parse::<u64>().ok().and_then(|millis| millis.checked_mul(1_000));
    micros.map(Timestamp::from_micros).ok_or((InvalidReason::NotAllowed, RANGE))
}

/// Returns the content of a JSON number or string, unchecked; `None` for other values.
fn number_text(json: &str) -> Option<Cow<'_, str>> {
    if json.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
        return Some(Cow::Borrowed(json));
    }
    serde_json::from_str::<String>(json).ok().map(Cow::Owned)
}

const NOT_DECIMAL: ValueError =
    (InvalidReason::NotDecimal, InvalidValue::Malformed { expected: "a plain decimal number such as 12 or 0.345" });

const fn decimal_error(error: InvalidValue) -> ValueError {
    match error {
        InvalidValue::Malformed { .. } => (InvalidReason::NotDecimal, error),
        InvalidValue::OutOfRange { .. } | InvalidValue::TooPrecise { .. } => (InvalidReason::NotAllowed, error),
    }
}

/// Truncates to whole milliseconds, so that no time becomes later.
const fn truncate_to_millis(time: Timestamp) -> Timestamp {
    Timestamp::from_micros(time.as_micros() / 1_000 * 1_000)
}
