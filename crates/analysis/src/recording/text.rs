//! Domain values as texts in JSON.

use std::fmt::Display;

use firmquote_domain::{Address, BasisPoints, PoolConstant, Symbol, Usd, Volatility};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A value that is written as its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text<T>(pub(super) T);

/// A value that can be read from its text.
pub(super) trait Parse: Display + Sized {
    /// Parses what [`Display`] writes.
    fn parse(text: &str) -> Option<Self>;
}

macro_rules! parse_with {
    ($($value:ty: $parse:expr),* $(,)?) => {
        $(impl Parse for $value {
            fn parse(text: &str) -> Option<Self> {
                $parse(text).ok()
            }
        })*
    };
}

parse_with! {
    Address: str::parse,
    BasisPoints: Self::from_decimal,
    PoolConstant: Self::from_decimal,
    Symbol: Self::new,
    Usd: Self::from_decimal,
    Volatility: Self::from_decimal,
}

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T: Parse> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        T::parse(&text).map(Self).ok_or_else(|| D::Error::custom(format_args!("invalid value {text:?}")))
    }
}
