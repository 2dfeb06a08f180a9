//! Exact amounts of US dollars.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Sub},
};

use firmquote_domain::{BasisPoints, Decimals, Price, U256, Usd};
use num_bigint::{BigInt, Sign};

/// An exact amount of US dollars, positive or negative, in steps of 1e-38: base units of a token with at most 24 decimals,
/// times a price with 8, times a share with 6.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(BigInt);

/// The decimals of a step.
const DECIMALS: usize = 38;
/// The steps of a step of prices, of a token without decimals.
const PRICE_STEP: u32 = 30;
/// The decimals of a share in hundredths of a basis point.
const SHARE_DECIMALS: u32 = 6;

impl From<Usd> for Money {
    fn from(usd: Usd) -> Self {
        Self(BigInt::from(usd.steps()) * power_of_ten(PRICE_STEP))
    }
}

impl Money {
    /// Returns the value of base units of a token at a price, exactly.
    pub fn of(base_units: U256, decimals: Decimals, price: Price) -> Self {
        Self::of_integer(&BigInt::from_bytes_le(Sign::Plus, &base_units.to_le_bytes::<32>()), decimals, price)
    }

    /// Like [`Self::of`], for an amount of either sign.
    pub(crate) fn of_integer(base_units: &BigInt, decimals: Decimals, price: Price) -> Self {
        Self(base_units * price.steps() * power_of_ten(PRICE_STEP - u32::from(decimals.get())))
    }

    /// Returns this share of a value from [`Self::of`], exactly.
    pub fn share(&self, share: BasisPoints) -> Self {
        Self(&self.0 / power_of_ten(SHARE_DECIMALS) * share.hundredths())
    }

    /// Returns the ratio to `whole` in basis points, in hundredths, rounded down; `None` if that is zero.
    pub fn hundredths_of_basis_points_of(&self, whole: &Self) -> Option<BigInt> {
        (whole.0 != BigInt::ZERO).then(|| floor_div(&(&self.0 * 1_000_000), &whole.0))
    }

    /// Whether it is above zero.
    pub(crate) fn is_gain(&self) -> bool {
        *self > Self::default()
    }

    /// Returns the nearest float, for statistics.
    pub(crate) fn to_f64(&self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// Returns the amount with two decimals, rounded down.
    pub fn to_cents(&self) -> String {
        let cents = floor_div(&self.0, &power_of_ten(36));
        decimal(&cents, 2)
    }
}

/// Writes all decimals but trailing zeros.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = decimal(&self.0, DECIMALS);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// Writes an integer as a decimal with this number of decimals.
pub(crate) fn decimal(number: &BigInt, decimals: usize) -> String {
    let digits = format!("{:0>width$}", number.magnitude().to_string(), width = decimals + 1);
    let sign = if number.sign() == Sign::Minus { "-" } else { "" };
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    format!("{sign}{whole}.{fraction}")
}

pub(crate) fn power_of_ten(exponent: u32) -> BigInt {
    BigInt::from(10).pow(exponent)
}

fn floor_div(number: &BigInt, divisor: &BigInt) -> BigInt {
    let quotient = number / divisor;
    let is_negative = (number.sign() == Sign::Minus) != (divisor.sign() == Sign::Minus);
    if is_negative && &quotient * divisor != *number { quotient - 1 } else { quotient }
}

impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for &Money {
    type Output = Money;

    fn sub(self, other: Self) -> Money {
        Money(&self.0 - &other.0)
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::default(), Self::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usd(units: u64, decimals: u8, price: &str) -> Money {
        Money::of(U256::from(units), Decimals::new(decimals).unwrap(), price.parse::<Price>().unwrap())
    }

    #[test]
    fn values_are_exact_to_the_base_unit() {
        assert_eq!(usd(1_000_000_000_000_000_000, 18, "2080.527").to_string(), "2080.527");
        assert_eq!(usd(1, 24, "0.00000001").to_string(), "0.00000000000000000000000000000001");
        assert_eq!(usd(7, 0, "3").to_string(), "21");
        let largest =
            Money::of(U256::MAX, Decimals::new(0).unwrap(), "184467440737.09551615".parse::<Price>().unwrap());
        assert!(largest > usd(1, 0, "1"));
        let share = usd(1, 24, "0.00000001").share(BasisPoints::from_hundredths(863).unwrap());
        assert_eq!(share.to_string(), "0.00000000000000000000000000000000000863");
    }

    #[test]
    fn cents_and_basis_points_are_rounded_down() {
        let loss = &usd(1, 0, "1") - &usd(1, 0, "1.00000001");
        assert_eq!((loss.to_string().as_str(), loss.to_cents().as_str()), ("-0.00000001", "-0.01"));
        assert_eq!(usd(1, 0, "1.999").to_cents(), "1.99");
        let bps = |part: &Money, whole: &Money| {
            part.hundredths_of_basis_points_of(whole).map(|hundredths| decimal(&hundredths, 2))
        };
        assert_eq!(bps(&usd(1, 0, "3"), &usd(1, 0, "7")).as_deref(), Some("4285.71"));
        assert_eq!(bps(&loss, &usd(1, 0, "1")).as_deref(), Some("-0.01"));
        assert_eq!(bps(&loss, &Money::default()), None);
    }
}
