//! Values that are strings in JSON.

use alloy_primitives::{Bytes, hex};
use firmquote_domain::{
    Amount, B256, Execution, GoodUntil, InvalidValue, LevelsId, QuoteId, StateId, Symbol, U256, parse_decimal,
};
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _, ser::Error as _};
use serde_json::value::RawValue;

use crate::Notation;

/// Implements the notation of a type as a string: its name and pattern in a document, its text, and the parser.
macro_rules! text {
    ($type:ty, $name:literal, $pattern:literal, $about:literal, $display:expr, $parse:expr) => {
        impl Notation for $type {
            const NAME: &'static str = $name;

            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let display = $display;
                serializer.collect_str(&display(self))
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let parse = $parse;
                parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
            }

            #[cfg(feature = "schema")]
            fn schema() -> utoipa::openapi::Schema {
                text_schema($pattern, $about).into()
            }
        }
    };
    ($type:ty, $name:literal, $pattern:literal, $about:literal) => {
        text!($type, $name, $pattern, $about, |value: &Self| *value, |text: &str| text.parse());
    };
}

text!(
    Amount,
    "Amount",
    "^[1-9][0-9]{0,77}$",
    "An amount in base units of its token, in decimal digits.",
    |amount: &Self| *amount,
    |text: &str| Self::new(integer(text)?).ok_or(InvalidValue::OutOfRange { allowed: "1 to 2^256 - 1" })
);
text!(B256, "Bytes32", "^0x[0-9a-f]{64}$", "32 bytes of hex.");
text!(StateId, "StateId", "^[0-9a-f]{32}$", "The id of a pool state: 16 bytes of hex.");
text!(LevelsId, "LevelsId", "^[0-9a-f]{32}$", "The id of price levels: 16 bytes of hex.");
text!(
    QuoteId,
    "QuoteId",
    "^[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
    "The id of a quote: a UUID of version 4, or of version 8 if the request had an `Idempotency-Key`."
);
text!(
    U256,
    "BaseUnits",
    "^(0|[1-9][0-9]{0,77})$",
    "A number of base units, also zero, in decimal digits.",
    |units: &Self| *units,
    integer
);
text!(
    GoodUntil,
    "GoodUntil",
    "^[1-9][0-9]{0,77}$",
    "A number of up to 256 bits in decimal digits, as passed to the contract: the Unix second of expiry or, for a \
     verified pool, that second packed with the values that the contract checks.",
    Self::to_word,
    |text: &str| Self::from_word(integer(text)?)
);
text!(
    Symbol,
    "Symbol",
    "^[!-~]{1,32}$",
    "The symbol of an asset, as quote requests use it.",
    |symbol: &Self| symbol.clone(),
    Self::new
);

impl Notation for Bytes {
    const NAME: &'static str = "Calldata";

    /// As they are: hex digits need no escapes, which a long string would be searched for byte by byte.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let literal = format!("\"{}\"", hex::encode_prefixed(self));
        RawValue::from_string(literal).map_err(S::Error::custom)?.serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }

    #[cfg(feature = "schema")]
    fn schema() -> utoipa::openapi::Schema {
        text_schema("^0x([0-9a-f]{2})+$", "An encoded call of the pool contract, in hex.").into()
    }
}

impl Notation for Execution {
    const NAME: &'static str = "Execution";

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let named = Self::ALL.into_iter().find(|execution| execution.name() == name);
        named.ok_or_else(|| D::Error::custom("not the name of an execution"))
    }

    #[cfg(feature = "schema")]
    fn schema() -> utoipa::openapi::Schema {
        let text = utoipa::openapi::ObjectBuilder::new().schema_type(utoipa::openapi::Type::String);
        let about = "Whether the swap executes until it expires, regardless of others (`guaranteed`), or may revert \
                     when others in its direction are executed first (`best_effort`).";
        text.enum_values(Some(Self::ALL.map(Self::name))).description(Some(about)).into()
    }
}

/// Reads decimal digits without leading zeros.
fn integer(text: &str) -> Result<U256, InvalidValue> {
    let is_canonical = text == "0" || !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    match parse_decimal(text, 0) {
        Ok((units, _)) if is_canonical => Ok(units),
        Ok(_) => Err(InvalidValue::Malformed { expected: "decimal digits without leading zeros" }),
        Err(error) => Err(error),
    }
}

/// Returns the schema of strings of `pattern`.
#[cfg(feature = "schema")]
pub(super) fn text_schema(pattern: &str, about: &str) -> utoipa::openapi::ObjectBuilder {
    let text = utoipa::openapi::ObjectBuilder::new().schema_type(utoipa::openapi::Type::String);
    text.pattern(Some(pattern)).description(Some(about))
}

#[cfg(test)]
mod tests {
    use crate::{AmountText, BaseUnits, GoodUntilText, SymbolText};

    #[test]
    fn only_the_canonical_digits_of_an_integer_are_read() {
        let largest = format!("\"{}\"", firmquote_domain::U256::MAX);
        assert_eq!(serde_json::to_string(&serde_json::from_str::<AmountText>(&largest).unwrap()).unwrap(), largest);
        assert!(serde_json::from_str::<BaseUnits>("\"0\"").unwrap().is_zero());
        for digits in ["007", "1.0", "1.9", "1.", "1e3", "+1", "-1", " 1", "", "0x1", &format!("{}0", "9".repeat(78))] {
            let json = format!("\"{digits}\"");
            assert!(serde_json::from_str::<AmountText>(&json).is_err(), "{digits}");
            assert!(serde_json::from_str::<BaseUnits>(&json).is_err(), "{digits}");
            assert!(serde_json::from_str::<GoodUntilText>(&json).is_err(), "{digits}");
        }
        assert!(serde_json::from_str::<AmountText>("\"0\"").is_err());
    }

    #[test]
    fn a_symbol_has_at_most_32_characters() {
        for (length, is_symbol) in [(0, false), (1, true), (32, true), (33, false)] {
            let json = format!("\"{}\"", "A".repeat(length));
            assert_eq!(serde_json::from_str::<SymbolText>(&json).is_ok(), is_symbol, "{length}");
        }
    }
}
