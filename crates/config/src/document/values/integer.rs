//! Integers with their range and unit.

use std::{marker::PhantomData, time::Duration};

use firmquote_domain::{Amount, ChainId, Decimals, InvalidValue, U256, Weight, parse_decimal};

use super::{
    setting::{Form, Setting, Syntax},
    text::allowed,
};

/// A unit of integers.
pub(crate) trait Unit {
    /// The unit behind a range, with a space before it.
    const TEXT: &'static str;
}

macro_rules! units {
    ($($unit:ident $text:literal)*) => {
        $(
            #[doc = concat!("The unit of numbers written as `1", $text, "`.")]
            pub(crate) enum $unit {}
            impl Unit for $unit {
                const TEXT: &'static str = $text;
            }
        )*
    };
}

units! {
    Plain ""
    Second " seconds"
    Millisecond " milliseconds"
    Ms " ms"
    Request " requests"
    Login " logins"
    Block " blocks"
    Quote " quotes"
    Replica " replicas"
    Source " sources"
    Day " days"
}

/// The form of an integer from `MIN` to `MAX`.
pub(crate) struct InRange<const MIN: u64, const MAX: u64, U>(PhantomData<U>);

/// An integer from `MIN` to `MAX`.
pub(crate) type Integer<T, const MIN: u64, const MAX: u64, U = Plain> = Setting<T, InRange<MIN, MAX, U>>;

impl<T: TryFrom<u64>, const MIN: u64, const MAX: u64, U: Unit> Form<T> for InRange<MIN, MAX, U> {
    const SYNTAX: Syntax = Syntax::Integer;

    fn parse(text: &str) -> Result<T, String> {
        let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| is_digits && (MIN..=MAX).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("{MIN} to {MAX}{}", U::TEXT))
    }
}

/// A type that is read from an integer.
pub(crate) trait FromInteger: Sized {
    /// The smallest and the largest.
    const RANGE: [u64; 2];

    /// Converts an integer; `None` out of range.
    fn from_integer(number: u64) -> Option<Self>;
}

/// The form of [`FromInteger`].
pub(crate) enum AsInteger {}

impl<T: FromInteger> Form<T> for AsInteger {
    const SYNTAX: Syntax = Syntax::Integer;

    fn parse(text: &str) -> Result<T, String> {
        let [min, max] = T::RANGE;
        let number = InRange::<0, { u64::MAX }, Plain>::parse(text).ok();
        number.and_then(T::from_integer).ok_or_else(|| format!("{min} to {max}"))
    }
}

impl FromInteger for ChainId {
    const RANGE: [u64; 2] = [1, u64::MAX];

    fn from_integer(number: u64) -> Option<Self> {
        Self::new(number)
    }
}

impl FromInteger for Decimals {
    const RANGE: [u64; 2] = [0, Self::MAX as u64];

    fn from_integer(number: u64) -> Option<Self> {
        Self::new(number.try_into().ok()?)
    }
}

impl FromInteger for Weight {
    const RANGE: [u64; 2] = [1, u16::MAX as u64];

    fn from_integer(number: u64) -> Option<Self> {
        Self::new(number.try_into().ok()?)
    }
}

/// A time from `MIN` to `MAX` whole seconds.
pub(crate) type Seconds<const MIN: u64, const MAX: u64> = Setting<Duration, AsSeconds<MIN, MAX>>;

/// The form of [`Seconds`].
pub(crate) enum AsSeconds<const MIN: u64, const MAX: u64> {}

impl<const MIN: u64, const MAX: u64> Form<Duration> for AsSeconds<MIN, MAX> {
    const SYNTAX: Syntax = Syntax::Integer;

    fn parse(text: &str) -> Result<Duration, String> {
        InRange::<MIN, MAX, Second>::parse(text).map(Duration::from_secs)
    }
}

/// A time from `MIN` to `MAX` milliseconds.
pub(crate) type Millis<const MIN: u64, const MAX: u64> = Setting<Duration, AsMillis<MIN, MAX>>;

/// The form of [`Millis`].
pub(crate) enum AsMillis<const MIN: u64, const MAX: u64> {}

impl<const MIN: u64, const MAX: u64> Form<Duration> for AsMillis<MIN, MAX> {
    const SYNTAX: Syntax = Syntax::Integer;

    fn parse(text: &str) -> Result<Duration, String> {
        InRange::<MIN, MAX, Ms>::parse(text).map(Duration::from_millis)
    }
}

/// An integer of base units of a token, of 256 bits.
pub(crate) type BaseUnits<T> = Setting<T, InBaseUnits>;

/// The form of [`BaseUnits`].
pub(crate) enum InBaseUnits {}

impl Form<Amount> for InBaseUnits {
    const SYNTAX: Syntax = Syntax::WideInteger;

    fn parse(text: &str) -> Result<Amount, String> {
        if text.is_empty() {
            return Err("1 to 2^256 - 1 base units".to_owned());
        }
        text.parse().map_err(allowed)
    }
}

/// Zero included.
impl Form<U256> for InBaseUnits {
    const SYNTAX: Syntax = Syntax::WideInteger;

    fn parse(text: &str) -> Result<U256, String> {
        const WHOLE: InvalidValue = InvalidValue::Malformed { expected: "a decimal integer of base units" };
        if text.is_empty() {
            return Err("0 to 2^256 - 1 base units".to_owned());
        }
        let parsed =
            parse_decimal(text, 0).and_then(|(units, is_fraction)| if is_fraction { Err(WHOLE) } else { Ok(units) });
        parsed.map_err(allowed)
    }
}
