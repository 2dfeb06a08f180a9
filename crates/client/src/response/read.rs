//! Deserializers for values in responses: amounts are strings, numbers keep all their digits, and invalid values are
//! refused.

use std::{fmt::Display, str::FromStr};

use firmquote_domain::{
    Address, Amount, BasisPoints, ChainId, Decimals, Execution, GoodUntil, InvalidValue, PoolConstant, Price, Symbol,
    Timestamp, U256, UnixSeconds, Usd, Weight, parse_address, parse_decimal,
};
use firmquote_outbound::excerpt;
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::value::RawValue;

/// The maximum length of response text that is passed on, in characters.
pub(super) const MAX_TEXT_CHARS: usize = 300;

/// Reduces untrusted text to a form that is safe in a log: one line of bounded length.
pub(crate) fn one_line(text: &str) -> String {
    excerpt(text, MAX_TEXT_CHARS)
}

/// Text for people, reduced by [`one_line`].
pub(crate) fn line<'de, D: Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    String::deserialize(source).map(|text| one_line(&text))
}

/// A string, parsed by its type.
pub(crate) fn text<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(source: D) -> Result<T, D::Error> {
    String::deserialize(source)?.parse().map_err(D::Error::custom)
}

pub(crate) fn optional_text<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    source: D,
) -> Result<Option<T>, D::Error> {
    let text: Option<String> = Option::deserialize(source)?;
    text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
}

/// Base units as a string of decimal digits, zero included.
pub(crate) fn base_units<'de, D: Deserializer<'de>>(source: D) -> Result<U256, D::Error> {
    match parse_decimal(&String::deserialize(source)?, 0).map_err(D::Error::custom)? {
        (units, false) => Ok(units),
        (_, true) => Err(D::Error::custom("not a whole number of base units")),
    }
}

/// Positive amounts, each a string of decimal digits.
pub(crate) fn amounts<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<Amount>, D::Error> {
    Vec::<String>::deserialize(source)?.iter().map(|text| text.parse().map_err(D::Error::custom)).collect()
}

/// Pairs of positive amounts.
pub(crate) fn amount_pairs<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<[Amount; 2]>, D::Error> {
    let amount = |text: String| text.parse().map_err(D::Error::custom);
    let pairs = Vec::<[String; 2]>::deserialize(source)?;
    pairs.into_iter().map(|[first, second]| Ok([amount(first)?, amount(second)?])).collect()
}

/// Amounts as [`amounts`] reads them, each of which may be `null`.
pub(crate) fn optional_amounts<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<Option<Amount>>, D::Error> {
    let texts = Vec::<Option<String>>::deserialize(source)?;
    texts.iter().map(|text| text.as_ref().map(|text| text.parse().map_err(D::Error::custom)).transpose()).collect()
}

/// An address, as [`parse_address`] accepts it.
pub(crate) fn address<'de, D: Deserializer<'de>>(source: D) -> Result<Address, D::Error> {
    parse_address(&String::deserialize(source)?).map_err(D::Error::custom)
}

pub(crate) fn optional_address<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Address>, D::Error> {
    address(source).map(Some)
}

pub(crate) fn symbol<'de, D: Deserializer<'de>>(source: D) -> Result<Symbol, D::Error> {
    Symbol::new(&String::deserialize(source)?).map_err(D::Error::custom)
}

pub(crate) fn symbols<'de, D: Deserializer<'de>>(source: D) -> Result<[Symbol; 2], D::Error> {
    let [first, second] = <[String; 2]>::deserialize(source)?;
    let symbol = |text: &str| Symbol::new(text).map_err(D::Error::custom);
    Ok([symbol(&first)?, symbol(&second)?])
}

pub(crate) fn optional_symbol<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Symbol>, D::Error> {
    let text: Option<String> = Option::deserialize(source)?;
    text.map(|text| Symbol::new(&text).map_err(D::Error::custom)).transpose()
}

pub(crate) fn pairs<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<[Symbol; 2]>, D::Error> {
    let pairs = Vec::<[String; 2]>::deserialize(source)?;
    let symbol = |text: String| Symbol::new(&text).map_err(D::Error::custom);
    pairs.into_iter().map(|[first, second]| Ok([symbol(first)?, symbol(second)?])).collect()
}

pub(crate) fn chain_id<'de, D: Deserializer<'de>>(source: D) -> Result<ChainId, D::Error> {
    ChainId::new(u64::deserialize(source)?).ok_or_else(|| D::Error::custom("chain id is 0"))
}

pub(crate) fn seconds<'de, D: Deserializer<'de>>(source: D) -> Result<UnixSeconds, D::Error> {
    u32::deserialize(source).map(UnixSeconds::new)
}

pub(crate) fn optional_seconds<'de, D: Deserializer<'de>>(source: D) -> Result<Option<UnixSeconds>, D::Error> {
    seconds(source).map(Some)
}

/// `YYYY-MM-DD HH:MM:SS.ffffff+00:00`.
pub(crate) fn instant<'de, D: Deserializer<'de>>(source: D) -> Result<Timestamp, D::Error> {
    let instant: jiff::Timestamp = text(source)?;
    u64::try_from(instant.as_microsecond()).map(Timestamp::from_micros).map_err(D::Error::custom)
}

/// An instant as [`instant`] reads it, or `null`.
pub(crate) fn optional_instant<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Timestamp>, D::Error> {
    let instant: Option<jiff::Timestamp> = optional_text(source)?;
    let micros =
        instant.map(|instant| u64::try_from(instant.as_microsecond()).map_err(D::Error::custom)).transpose()?;
    Ok(micros.map(Timestamp::from_micros))
}

/// A name of [`Execution`], or `null`; `None` for a name from a later release of the service.
pub(crate) fn optional_execution<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Execution>, D::Error> {
    let name: Option<String> = Option::deserialize(source)?;
    Ok(Execution::ALL.into_iter().find(|execution| name.as_deref() == Some(execution.name())))
}

/// `good_until` as signed, in decimal digits.
pub(crate) fn good_until<'de, D: Deserializer<'de>>(source: D) -> Result<GoodUntil, D::Error> {
    let (word, _): (U256, bool) = parse_decimal(&String::deserialize(source)?, 0).map_err(D::Error::custom)?;
    GoodUntil::from_word(word).map_err(D::Error::custom)
}

/// The float nearest to the number; the JSON parser may return one of its neighbors.
pub(crate) fn float<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    Box::<RawValue>::deserialize(source)?.get().parse().map_err(D::Error::custom)
}

/// A float as [`float`] reads it, or `null`.
pub(crate) fn optional_float<'de, D: Deserializer<'de>>(source: D) -> Result<Option<f64>, D::Error> {
    optional_number(source, str::parse)
}

/// An exact price, or `null`.
pub(crate) fn optional_price<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Price>, D::Error> {
    optional_number(source, Price::from_decimal)
}

/// An exact amount of US dollars.
pub(crate) fn usd<'de, D: Deserializer<'de>>(source: D) -> Result<Usd, D::Error> {
    number(source, Usd::from_decimal)
}

/// An exact amount of US dollars, or `null`.
pub(crate) fn optional_usd<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Usd>, D::Error> {
    optional_number(source, Usd::from_decimal)
}

pub(crate) fn constant<'de, D: Deserializer<'de>>(source: D) -> Result<PoolConstant, D::Error> {
    number(source, PoolConstant::from_decimal)
}

pub(crate) fn rate<'de, D: Deserializer<'de>>(source: D) -> Result<BasisPoints, D::Error> {
    number(source, BasisPoints::from_decimal)
}

pub(crate) fn optional_rate<'de, D: Deserializer<'de>>(source: D) -> Result<Option<BasisPoints>, D::Error> {
    rate(source).map(Some)
}

pub(crate) fn weight<'de, D: Deserializer<'de>>(source: D) -> Result<Weight, D::Error> {
    Weight::new(u16::deserialize(source)?).ok_or_else(|| D::Error::custom("weight is 0"))
}

pub(crate) fn decimals<'de, D: Deserializer<'de>>(source: D) -> Result<Decimals, D::Error> {
    Decimals::new(u8::deserialize(source)?).ok_or_else(|| D::Error::custom("more than 24 decimals"))
}

/// A number parsed like [`number`], or `null`.
fn optional_number<'de, T, E: Display, D: Deserializer<'de>>(
    source: D,
    read: fn(&str) -> Result<T, E>,
) -> Result<Option<T>, D::Error> {
    let number: Option<Box<RawValue>> = Option::deserialize(source)?;
    number.map(|number| read(number.get()).map_err(D::Error::custom)).transpose()
}

/// A number parsed from its digits, never through a float.
fn number<'de, T, D: Deserializer<'de>>(source: D, read: fn(&str) -> Result<T, InvalidValue>) -> Result<T, D::Error> {
    read(Box::<RawValue>::deserialize(source)?.get()).map_err(D::Error::custom)
}
