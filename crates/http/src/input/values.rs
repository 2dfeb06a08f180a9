//! The kinds of values, each with its parser, shared by bodies, paths and query strings, and its schema.

use std::{borrow::Cow, str::FromStr};

use alloy_primitives::hex;
use firmquote_api::PoolType;
use firmquote_desk::{EventCursor, MAX_SWAPS_PER_PAGE, SwapPosition};
use firmquote_domain::{
    Address, Amount, B256, ChainId, InvalidValue, LevelsId, QuoteId, StateId, Timestamp, parse_address,
};
use jiff::tz::TimeZone;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, SchemaType, Type};

use super::{
    InvalidKind, RawInput, ValueError,
    field::{Kind, Read, ReadText},
};

pub(super) const NOT_AN_INTEGER: ValueError =
    ValueError::new(InvalidKind::IntParsing, "Input should be an integer in decimal digits");
const NOT_A_STRING: ValueError = ValueError::new(InvalidKind::StringType, "Input should be a string");
const NOT_UNICODE: ValueError =
    ValueError::new(InvalidKind::StringType, "Input should be well-formed Unicode, without unpaired surrogates");

/// Parses an amount in base units: a JSON integer of any size, or decimal digits in a string.
fn amount(received: &RawInput<'_>) -> Result<Amount, ValueError> {
    let text = received.as_number_text().ok_or(NOT_AN_INTEGER)?;
    text.parse().map_err(|error| match error {
        InvalidValue::Malformed { .. } => NOT_AN_INTEGER,
        InvalidValue::OutOfRange { .. } | InvalidValue::TooPrecise { .. } => {
            out_of_range("Input should be 1 to 2^256 - 1 base units")
        }
    })
}

pub(crate) const AMOUNT: Kind<Read<Amount>> = Kind { read: amount, schema: || pattern("^0*[1-9][0-9]*$") };

/// Parses a chain id, in the notation of an amount.
fn chain_id(received: &RawInput<'_>) -> Result<ChainId, ValueError> {
    const RANGE: ValueError = out_of_range("Input should be 1 to 2^64 - 1");
    let digits = digits(received)?;
    digits.parse().ok().and_then(ChainId::new).ok_or(RANGE)
}

pub(crate) const CHAIN_ID: Kind<Read<ChainId>> =
    Kind { read: chain_id, schema: || positive_integer().maximum(usize::try_from(i64::MAX).ok()) };

/// Parses a positive number of seconds, in the notation of an amount. The upper limit depends on the pool and is not
/// checked.
fn seconds(received: &RawInput<'_>) -> Result<u32, ValueError> {
    const RANGE: ValueError = out_of_range("Input should be 1 or more seconds, and no more than the pool allows");
    let digits = digits(received)?;
    digits.parse().ok().filter(|seconds| *seconds > 0).ok_or(RANGE)
}

pub(crate) const SECONDS: Kind<Read<u32>> =
    Kind { read: seconds, schema: || positive_integer().maximum(Some(u32::MAX)) };

/// Parses a time in Unix seconds.
fn unix_seconds(received: &RawInput<'_>) -> Result<Timestamp, ValueError> {
    const RANGE: ValueError = out_of_range("Input should be 0 to 4294967295 seconds since 1970");
    digits(received)?.parse().map(Timestamp::from_seconds).map_err(|_| RANGE)
}

pub(crate) const UNIX_SECONDS: Kind<Read<Timestamp>> =
    Kind { read: unix_seconds, schema: || integer().minimum(Some(0)).maximum(Some(u32::MAX)) };

/// Parses the number of swaps of a page.
fn page_size(received: &RawInput<'_>) -> Result<usize, ValueError> {
    const RANGE: ValueError = out_of_range("Input should be 1 to 100");
    digits(received)?.parse().ok().filter(|size| (1..=MAX_SWAPS_PER_PAGE).contains(size)).ok_or(RANGE)
}

pub(crate) const PAGE_SIZE: Kind<Read<usize>> =
    Kind { read: page_size, schema: || positive_integer().maximum(Some(MAX_SWAPS_PER_PAGE)) };

/// Parses the position of a swap: 8 bytes of microseconds, and the id of its quote, in hex digits.
fn swap_position(received: &RawInput<'_>) -> Result<SwapPosition, ValueError> {
    const SHAPE: ValueError = ValueError::new(InvalidKind::HexBytes, "Input should be the next_cursor of a page");
    let bytes: [u8; 24] = hex::decode_to_array(text(received)?.as_bytes()).map_err(|_| SHAPE)?;
    let (time, id) = bytes.split_first_chunk::<8>().ok_or(SHAPE)?;
    Ok(SwapPosition {
        signed_at: Timestamp::from_micros(u64::from_be_bytes(*time)),
        quote_id: QuoteId::from_bytes(id.try_into().map_err(|_| SHAPE)?),
    })
}

pub(crate) const SWAP_POSITION: Kind<Read<SwapPosition>> =
    Kind { read: swap_position, schema: || pattern("^[0-9a-fA-F]{48}$") };

/// Parses a date, `YYYY-MM-DD`: the beginning of that day in UTC.
fn day(received: &RawInput<'_>) -> Result<Timestamp, ValueError> {
    const DATE: ValueError = out_of_range("Input should be a date from 1970 on, such as 2026-11-20");
    let date: jiff::civil::Date = text(received)?.parse().map_err(|_| DATE)?;
    let seconds = date.to_zoned(TimeZone::UTC).map_err(|_| DATE)?.timestamp().as_second();
    u32::try_from(seconds).map(Timestamp::from_seconds).map_err(|_| DATE)
}

pub(crate) const DAY: Kind<Read<Timestamp>> = Kind { read: day, schema: || pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$") };

/// Parses a line of at most 200 characters, which can be logged.
fn line<'r>(received: &'r RawInput<'_>) -> Result<Cow<'r, str>, ValueError> {
    const RANGE: ValueError = out_of_range("Input should be 1 to 200 characters, none of them a control character");
    let line = text(received)?;
    let is_line = (1..=200).contains(&line.chars().count()) && !line.chars().any(char::is_control);
    if is_line { Ok(line) } else { Err(RANGE) }
}

pub(crate) const LINE: Kind<ReadText> =
    Kind { read: line, schema: || pattern("^[^\\u0000-\\u001f\\u007f-\\u009f]{1,200}$") };

/// A symbol: any text. The desk checks whether such an asset exists.
pub(crate) const SYMBOLS: Kind<ReadText> = Kind { read: text, schema: || pattern("^[!-~]{1,32}$") };

/// Parses a quote id.
fn quote_id(received: &RawInput<'_>) -> Result<QuoteId, ValueError> {
    const SHAPE: ValueError =
        ValueError::new(InvalidKind::UuidParsing, "Input should be a UUID: 8-4-4-4-12 hex digits");
    text(received)?.parse().map_err(|_| SHAPE)
}

pub(crate) const QUOTE_ID: Kind<Read<QuoteId>> = Kind {
    read: quote_id,
    schema: || pattern("^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"),
};

/// Parses the id of an event.
fn event_cursor(received: &RawInput<'_>) -> Result<EventCursor, ValueError> {
    text(received)?.parse().map_err(|_| out_of_range("Input should be the id of an event"))
}

pub(crate) const EVENT_CURSOR: Kind<Read<EventCursor>> =
    Kind { read: event_cursor, schema: || pattern("^[0-9a-fA-F]{32}(\\.[0-9]+-[0-9]+){2}$") };

/// The id of an event of a client: any text, since a stream begins anew after one that is not known.
pub(crate) const CLIENT_EVENT_ID: Kind<ReadText> = Kind { read: text, schema: || pattern("^[A-Za-z0-9_-]+$") };

/// Parses an id of 16 bytes.
fn hex_id<T: FromStr>(received: &RawInput<'_>) -> Result<T, ValueError> {
    const SHAPE: ValueError = ValueError::new(InvalidKind::HexBytes, "Input should be 32 hex digits");
    text(received)?.parse().map_err(|_| SHAPE)
}

const fn hex_ids<T: FromStr>() -> Kind<Read<T>> {
    Kind { read: hex_id, schema: || pattern("^[0-9a-fA-F]{32}$") }
}

pub(crate) const STATE_ID: Kind<Read<StateId>> = hex_ids();
pub(crate) const LEVELS_ID: Kind<Read<LevelsId>> = hex_ids();

/// Parses an address; mixed case requires a valid EIP-55 checksum.
fn address(received: &RawInput<'_>) -> Result<Address, ValueError> {
    const SHAPE: ValueError = ValueError::new(
        InvalidKind::AddressParsing,
        "Input should be an address: 0x and 40 hex digits, in mixed case with its EIP-55 checksum",
    );
    parse_address(&text(received)?).map_err(|_| SHAPE)
}

pub(crate) const ADDRESS: Kind<Read<Address>> = Kind { read: address, schema: || pattern(ADDRESS_PATTERN) };

const ADDRESS_PATTERN: &str = "^0x[0-9a-fA-F]{40}$";

/// Parses an address that tokens can be paid to: not the zero address.
fn destination(received: &RawInput<'_>) -> Result<Address, ValueError> {
    const RANGE: ValueError = out_of_range("Input should not be the zero address");
    let address = address(received)?;
    if address.is_zero() { Err(RANGE) } else { Ok(address) }
}

pub(crate) const DESTINATION: Kind<Read<Address>> = Kind { read: destination, schema: || pattern(ADDRESS_PATTERN) };

/// Parses exactly 32 bytes of hex.
fn aux_data(received: &RawInput<'_>) -> Result<B256, ValueError> {
    const SHAPE: ValueError = ValueError::new(InvalidKind::HexBytes, "Input should be 32 bytes: 0x and 64 hex digits");
    let text = text(received)?;
    let digits = text.strip_prefix("0x").filter(|digits| digits.len() == 64).ok_or(SHAPE)?;
    let mut bytes = [0; 32];
    hex::decode_to_slice(digits, &mut bytes).map_err(|_| SHAPE)?;
    Ok(B256::from(bytes))
}

pub(crate) const AUX_DATA: Kind<Read<B256>> = Kind { read: aux_data, schema: || pattern("^0x[0-9a-fA-F]{64}$") };

/// Parses the name of a set of pool data; the default set has none.
fn fieldset(received: &RawInput<'_>) -> Result<PoolType, ValueError> {
    const NAMES: ValueError = out_of_range("Input should be offchain-data or all, or absent");
    let named = |text: Cow<'_, str>| NAMED_SETS.into_iter().find(|set| set.fieldset() == Some(&text));
    received.as_text().and_then(named).ok_or(NAMES)
}

const NAMED_SETS: [PoolType; 2] = [PoolType::Offchain, PoolType::All];

pub(crate) const FIELDSET: Kind<Read<PoolType>> = Kind {
    read: fieldset,
    schema: || {
        let names = NAMED_SETS.into_iter().filter_map(PoolType::fieldset);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names))
    },
};

/// Parses a boolean: a literal in a body, a word in a query.
fn boolean(received: &RawInput<'_>) -> Result<bool, ValueError> {
    const SHAPE: ValueError = ValueError::new(InvalidKind::BoolType, "Input should be true or false");
    received.as_bool().ok_or(SHAPE)
}

pub(crate) const BOOLEAN: Kind<Read<bool>> =
    Kind { read: boolean, schema: || ObjectBuilder::new().schema_type(Type::Boolean) };

/// Returns the text of a string.
pub(crate) fn text<'r>(received: &'r RawInput<'_>) -> Result<Cow<'r, str>, ValueError> {
    received.as_text().ok_or(if received.is_string() { NOT_UNICODE } else { NOT_A_STRING })
}

/// The schema of a string.
pub(crate) fn pattern(pattern: impl Into<String>) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern))
}

/// The schema of an integer.
pub(crate) fn integer() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Integer).format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
}

pub(crate) fn positive_integer() -> ObjectBuilder {
    integer().minimum(Some(1))
}

/// The schema of a decimal: a number, or a string that contains one.
pub(crate) fn decimal() -> ObjectBuilder {
    let kinds = SchemaType::from_iter([Type::Number, Type::String]);
    ObjectBuilder::new().schema_type(kinds).pattern(Some(r"^[0-9]+(\.[0-9]+)?$"))
}

pub(crate) const fn out_of_range(message: &'static str) -> ValueError {
    ValueError::new(InvalidKind::OutOfRange, message)
}

/// Returns the text if it consists of one or more decimal digits and nothing else.
pub(crate) fn digits<'r>(received: &'r RawInput<'_>) -> Result<Cow<'r, str>, ValueError> {
    let is_digits = |text: &Cow<'_, str>| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    received.as_number_text().filter(is_digits).ok_or(NOT_AN_INTEGER)
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    fn json(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn integers_are_exact_in_both_notations() {
        let largest = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        for text in [largest, &format!("\"{largest}\""), &format!("\"000{largest}\"")] {
            let raw = json(text);
            assert_eq!(amount(&RawInput::Json(&raw)), Ok(Amount::MAX), "{text}");
        }
        assert_eq!(chain_id(&RawInput::Text("18446744073709551615".into())).map(ChainId::get), Ok(u64::MAX));
        assert_eq!(seconds(&RawInput::Text("060".into())), Ok(60));
    }

    #[test]
    fn non_integers_are_reported() {
        for text in
            ["-1", "1.0", "1e18", "-0", "\"+1\"", "\"0x1\"", "\" 1\"", "\"1\\u0000\"", "\"\"", "true", "[1]", "{}"]
        {
            let raw = json(text);
            let received = RawInput::Json(&raw);
            assert_eq!(amount(&received), Err(NOT_AN_INTEGER), "{text}");
            assert_eq!(chain_id(&received), Err(NOT_AN_INTEGER), "{text}");
            assert_eq!(seconds(&received), Err(NOT_AN_INTEGER), "{text}");
        }
    }

    #[test]
    fn out_of_range_numbers_are_reported() {
        let kind = |problem: ValueError| problem.kind;
        for text in ["0", "00", "115792089237316195423570985008687907853269984665640564039457584007913129639936"] {
            assert_eq!(amount(&RawInput::Text(text.into())).map_err(kind), Err(InvalidKind::OutOfRange), "{text}");
        }
        for text in ["0", "18446744073709551616"] {
            assert_eq!(chain_id(&RawInput::Text(text.into())).map_err(kind), Err(InvalidKind::OutOfRange), "{text}");
            assert_eq!(seconds(&RawInput::Text(text.into())).map_err(kind), Err(InvalidKind::OutOfRange), "{text}");
        }
    }

    #[test]
    fn text_members_of_a_body_must_be_strings() {
        let raw = json("\"USD\\u0043\"");
        assert_eq!((SYMBOLS.read)(&RawInput::Json(&raw)).unwrap(), "USDC");
        for text in ["1", "true", "[\"USDC\"]"] {
            let raw = json(text);
            assert_eq!((SYMBOLS.read)(&RawInput::Json(&raw)), Err(NOT_A_STRING), "{text}");
        }
        for text in ["\"\\ud800\"", "\"\\udc00\\ud800\""] {
            let raw = json(text);
            assert_eq!((SYMBOLS.read)(&RawInput::Json(&raw)), Err(NOT_UNICODE), "{text}");
            assert_eq!(address(&RawInput::Json(&raw)), Err(NOT_UNICODE), "{text}");
        }
    }

    #[test]
    fn booleans_have_two_forms_in_bodies_and_six_in_queries() {
        let raw = json("true");
        assert_eq!(boolean(&RawInput::Json(&raw)), Ok(true));
        for (text, value) in
            [("true", true), ("True", true), ("1", true), ("false", false), ("False", false), ("0", false)]
        {
            assert_eq!(boolean(&RawInput::Text(text.into())), Ok(value), "{text}");
        }
        for text in ["\"true\"", "1", "0"] {
            let raw = json(text);
            assert!(boolean(&RawInput::Json(&raw)).is_err(), "{text}");
        }
        for text in ["TRUE", "01", "", "yes"] {
            assert!(boolean(&RawInput::Text(text.into())).is_err(), "{text}");
        }
    }
}
