//! Decimals, written as a number or a text. They are read from their digits and never become floats, except for shares
//! of requests.

use std::str::FromStr;

use firmquote_domain::{BasisPoints, InvalidValue, Usd, parse_decimal};

use super::{
    setting::{Form, Setting, Syntax},
    text::allowed,
};

/// A value that is written as a decimal.
pub(crate) type Decimal<T> = Setting<T, AsDecimal>;

/// The form of a [`Decimal`].
pub(crate) enum AsDecimal {}

impl<T: FromStr<Err = InvalidValue>> Form<T> for AsDecimal {
    const SYNTAX: Syntax = Syntax::Any;

    fn parse(text: &str) -> Result<T, String> {
        text.parse().map_err(|error| range::<T>().unwrap_or_else(|| allowed(error)))
    }
}

/// A ratio from 0 to 1.
pub(crate) struct Ratio(pub f64);

impl FromStr for Ratio {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        const RANGE: &str = "0 to 1";
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        match text.parse() {
            Ok(ratio) if is_plain && ratio <= 1.0 => Ok(Self(ratio)),
            _ => Err(InvalidValue::OutOfRange { allowed: RANGE }),
        }
    }
}

/// A share from 0 to below 1.
pub(crate) struct Share(pub BasisPoints);

impl FromStr for Share {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        const RANGE: InvalidValue = InvalidValue::OutOfRange { allowed: "0 or more and below 1" };
        match parse_decimal(text, 6)? {
            (_, true) => Err(InvalidValue::TooPrecise { allowed: "6 decimals" }),
            (share, false) => u32::try_from(share).ok().and_then(BasisPoints::from_hundredths).map(Self).ok_or(RANGE),
        }
    }
}

/// An amount of US dollars above zero.
pub(crate) struct PositiveUsd(pub Usd);

impl FromStr for PositiveUsd {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        positive_usd(text, "0.00000001 to 184467440737.09551615 USD").map(Self)
    }
}

/// A limit in US dollars above zero, or `"none"`. Zero would amount to a pause.
pub(crate) struct UsdLimit(pub Option<Usd>);

impl FromStr for UsdLimit {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        if text == NONE {
            return Ok(Self(None));
        }
        positive_usd(text, "0.00000001 to 184467440737.09551615 USD, or \"none\"").map(|usd| Self(Some(usd)))
    }
}

/// A limit in basis points above zero, or `"none"`. Zero would amount to a pause.
pub(crate) struct BasisPointsLimit(pub Option<BasisPoints>);

impl FromStr for BasisPointsLimit {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        const RANGE: InvalidValue =
            InvalidValue::OutOfRange { allowed: "0.01 to below 10000 basis points, or \"none\"" };
        if text == NONE {
            return Ok(Self(None));
        }
        match text.parse::<BasisPoints>() {
            Ok(limit) if limit != BasisPoints::default() => Ok(Self(Some(limit))),
            Err(error @ (InvalidValue::TooPrecise { .. } | InvalidValue::Malformed { .. })) => Err(error),
            Ok(_) | Err(InvalidValue::OutOfRange { .. }) => Err(RANGE),
        }
    }
}

/// The word for no limit.
pub(crate) const NONE: &str = "none";

fn positive_usd(text: &str, allowed: &'static str) -> Result<Usd, InvalidValue> {
    match text.parse::<Usd>() {
        Ok(amount) if amount != Usd::default() => Ok(amount),
        Err(error @ InvalidValue::TooPrecise { .. }) => Err(error),
        _ => Err(InvalidValue::OutOfRange { allowed }),
    }
}

/// Returns the range of `T`, from its own errors for numbers beyond every range and precision.
fn range<T: FromStr<Err = InvalidValue>>() -> Option<String> {
    /// A number with more precision than any key allows, and too small to be truncated without loss.
    const PRECISE: &str = "0.0000000150000000001";
    let large = |zeros: usize| format!("1{}", "0".repeat(zeros));
    // Beyond every range but that of amounts, then beyond amounts.
    let allowed = [30, 80].into_iter().find_map(|zeros| match large(zeros).parse::<T>() {
        Err(InvalidValue::OutOfRange { allowed }) => Some(allowed),
        _ => None,
    })?;
    match PRECISE.parse::<T>() {
        Err(InvalidValue::TooPrecise { allowed: precision }) => Some(format!("{allowed}, with at most {precision}")),
        _ => Some(allowed.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_limit_is_rejected() {
        let usd = |text: &str| text.parse::<PositiveUsd>().map(|amount| amount.0);
        assert_eq!(usd("0.00000001"), Ok(Usd::new(1)));
        assert!(usd("0").is_err() && usd("0.00").is_err() && usd("-1").is_err());
    }
}
