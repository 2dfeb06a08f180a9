//! Values that are numbers in JSON. Decimals are read from their digits and never pass through a float.

use firmquote_domain::{BasisPoints, ChainId, Decimals, PoolConstant, Price, UnixSeconds, Usd, Weight};
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _, ser::Error as _};
use serde_json::value::RawValue;

use crate::Notation;

/// A number of 64 bits: clients in some languages take 32 without the format.
#[cfg(feature = "schema")]
fn schema_of(kind: utoipa::openapi::Type, format: utoipa::openapi::KnownFormat) -> utoipa::openapi::ObjectBuilder {
    let format = utoipa::openapi::SchemaFormat::KnownFormat(format);
    utoipa::openapi::ObjectBuilder::new().schema_type(kind).format(Some(format))
}

/// Implements the notation of a type as a number with all its digits.
macro_rules! decimal {
    ($type:ty, $name:literal, $minimum:ident, $about:literal) => {
        impl Notation for $type {
            const NAME: &'static str = $name;

            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                RawValue::from_string(self.to_string()).map_err(S::Error::custom)?.serialize(serializer)
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let digits = Box::<RawValue>::deserialize(deserializer)?;
                digits.get().parse().map_err(D::Error::custom)
            }

            #[cfg(feature = "schema")]
            fn schema() -> utoipa::openapi::Schema {
                let number = schema_of(utoipa::openapi::Type::Number, utoipa::openapi::KnownFormat::Double);
                number.$minimum(Some(0)).description(Some($about)).into()
            }
        }
    };
}

decimal!(BasisPoints, "BasisPoints", minimum, "Basis points: hundredths of a percent, with at most two decimals.");
decimal!(PoolConstant, "PoolConstant", minimum, "The pool constant of the pricing formula, dimensionless.");
decimal!(Price, "Price", exclusive_minimum, "The price of a whole token in US dollars, with at most 8 decimals.");
decimal!(Usd, "Usd", minimum, "An amount of US dollars.");

/// Implements the notation of a type as an integer: its smallest value, the integer, and the value of an integer.
macro_rules! integer {
    ($type:ty, $name:literal, $integer:ty, $minimum:literal, $about:literal, $value:expr) => {
        impl Notation for $type {
            const NAME: &'static str = $name;

            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.get().serialize(serializer)
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = $value;
                value(<$integer>::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("out of range"))
            }

            #[cfg(feature = "schema")]
            fn schema() -> utoipa::openapi::Schema {
                let integer = schema_of(utoipa::openapi::Type::Integer, utoipa::openapi::KnownFormat::Int64);
                integer.minimum(Some($minimum)).description(Some($about)).into()
            }
        }
    };
}

integer!(ChainId, "ChainId", u64, 1, "A chain id (EIP-155).", Self::new);
integer!(Decimals, "Decimals", u8, 0, "Decimals of a token.", Self::new);
integer!(UnixSeconds, "UnixSeconds", u32, 0, "A Unix time in seconds.", |seconds| Some(Self::new(seconds)));
integer!(Weight, "Weight", u16, 1, "A weight in the pricing formula.", Self::new);

/// For display: written and read as the nearest double.
impl Notation for f64 {
    const NAME: &'static str = "DisplayNumber";

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(*self)
    }

    /// The JSON parser may return a neighbor of the nearest double, so that the digits are parsed here.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number: Self = Box::<RawValue>::deserialize(deserializer)?.get().parse().map_err(D::Error::custom)?;
        if number.is_finite() && number >= 0.0 { Ok(number) } else { Err(D::Error::custom("out of range")) }
    }

    #[cfg(feature = "schema")]
    fn schema() -> utoipa::openapi::Schema {
        let number = schema_of(utoipa::openapi::Type::Number, utoipa::openapi::KnownFormat::Double);
        number.minimum(Some(0)).description(Some("A number for display: the nearest double.")).into()
    }
}

#[cfg(test)]
mod tests {
    use crate::{BasisPointsNumber, DisplayNumber, PriceNumber};

    #[test]
    fn decimals_keep_digits_that_a_double_would_lose() {
        for digits in ["123456789.12345678", "0.00000001", "2080.527", "1"] {
            let price: PriceNumber = serde_json::from_str(digits).unwrap();
            assert_eq!(serde_json::to_string(&price).unwrap(), digits);
        }
        for invalid in ["0", "-1", "\"1\"", "null", "1e400"] {
            assert!(serde_json::from_str::<PriceNumber>(invalid).is_err(), "{invalid}");
        }
        assert_eq!(serde_json::from_str::<BasisPointsNumber>("8.63").unwrap().hundredths(), 863);
    }

    #[test]
    fn display_numbers_are_the_nearest_double() {
        let tokens: DisplayNumber = serde_json::from_str("1379287189836924236912345").unwrap();
        assert_eq!(tokens.to_bits(), 1.379_287_189_836_924_2e24_f64.to_bits());
        assert_eq!(serde_json::to_string(&tokens).unwrap(), "1.3792871898369242e+24");
        for invalid in ["1e999", "-1", "\"1\"", "null"] {
            assert!(serde_json::from_str::<DisplayNumber>(invalid).is_err(), "{invalid}");
        }
    }
}
