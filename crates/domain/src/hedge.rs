//! Hedges: trades on other venues that offset what swaps left a pool with, as the operator's hedger reports them.

use std::{fmt, str::FromStr};

use crate::{Decimals, HedgeName, InvalidValue, Symbol, Timestamp, U256, Usd, WholeTokens, parse_decimal};

/// A quantity of an asset in whole units with 18 decimals, above zero and below 10^38.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity(U256);

impl Quantity {
    /// The decimals of a step.
    pub const DECIMALS: u8 = 18;

    /// The quantity in steps of 1e-18.
    pub const fn steps(self) -> U256 {
        self.0
    }
}

impl FromStr for Quantity {
    type Err = InvalidValue;

    /// Reads a decimal such as `1.5`.
    ///
    /// # Errors
    /// [`InvalidValue`] for malformed text, more than 18 decimals, zero, and 10^38 or more.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        const RANGE: InvalidValue = InvalidValue::OutOfRange { allowed: "above 0 and below 10^38" };
        let (steps, is_cut) = parse_decimal(text, Self::DECIMALS).map_err(|error| match error {
            InvalidValue::OutOfRange { .. } => RANGE,
            error => error,
        })?;
        if is_cut {
            return Err(InvalidValue::TooPrecise { allowed: "18 decimals" });
        }
        let is_in_range = !steps.is_zero() && steps < U256::from(10).pow(U256::from(38 + u32::from(Self::DECIMALS)));
        if is_in_range { Ok(Self(steps)) } else { Err(RANGE) }
    }
}

impl fmt::Display for Quantity {
    /// A plain decimal without trailing zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Decimals::new(Self::DECIMALS) {
            Some(decimals) => WholeTokens(self.0, decimals).fmt(f),
            None => Err(fmt::Error),
        }
    }
}

/// A trade on another venue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hedge {
    /// Its id, unique among the hedges of a service.
    pub id: HedgeName,
    /// Where it was traded.
    pub venue: HedgeName,
    /// What was paid.
    pub sold: (Symbol, Quantity),
    /// What was received.
    pub bought: (Symbol, Quantity),
    /// The price as the venue states it, for information.
    pub price: Option<Quantity>,
    /// The fee of the venue.
    pub fee: Usd,
    /// When it was executed.
    pub executed_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_and_names_are_exact_and_bounded() {
        for text in ["1.5", "0.000000000000000001", "99999999999999999999999999999999999999"] {
            assert_eq!(text.parse::<Quantity>().unwrap().to_string(), text);
        }
        let large = format!("1{}", "0".repeat(38));
        for text in ["", "0", "0.0", "-1", "1e3", "0.0000000000000000001", &large, &"9".repeat(90)] {
            assert!(text.parse::<Quantity>().is_err(), "{text}");
        }
        assert!("binance-2026".parse::<HedgeName>().is_ok());
        for text in ["", "a b", "a\n", "ä", &"a".repeat(65)] {
            assert!(text.parse::<HedgeName>().is_err(), "{text}");
        }
    }
}
