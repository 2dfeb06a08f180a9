//! A token listed by a pool, and the symbol used in requests.

use alloy_primitives::{Address, U256};

use crate::{Symbol, Weight};

/// Decimals of a token, 0 to 24: one whole token is `10^decimals` base units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimals(u8);

impl Decimals {
    /// The most decimals a listed token may have.
    pub const MAX: u8 = 24;

    /// The decimals, or `None` above [`Self::MAX`].
    pub fn new(decimals: u8) -> Option<Self> {
        (decimals <= Self::MAX).then_some(Self(decimals))
    }

    /// The plain number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Base units in one whole token.
    pub const fn units_per_token(self) -> u128 {
        10_u128.pow(self.0 as u32)
    }

    /// Converts `base_units` to 18 decimals, as the pool's invariant check does; digits beyond 18 are truncated.
    /// `None` past 2^256 - 1.
    pub fn to_18_decimals(self, base_units: U256) -> Option<U256> {
        let shift = U256::from(10_u128.pow(u32::from(self.0.abs_diff(18))));
        if self.0 <= 18 { base_units.checked_mul(shift) } else { Some(base_units / shift) }
    }
}

/// A token listed by a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// The name used in requests.
    pub symbol: Symbol,
    /// The token contract; for the chain's native coin its wrapped-native contract.
    pub address: Address,
    /// Decimals of the token contract.
    pub decimals: Decimals,
    /// Listing weight in the pool.
    pub weight: Weight,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_scale_to_eighteen_decimals_from_both_directions() {
        let scaled = |decimals, units: u64| Decimals::new(decimals).unwrap().to_18_decimals(U256::from(units));
        assert_eq!(scaled(6, 5), Some(U256::from(5_000_000_000_000_u64)));
        assert_eq!(scaled(18, 5), Some(U256::from(5)));
        assert_eq!(scaled(24, 5_999_999), Some(U256::from(5)));
        assert_eq!(Decimals::new(0).unwrap().to_18_decimals(U256::MAX), None);
        assert_eq!(Decimals::new(25), None);
    }

    #[test]
    fn symbols_are_short_printable_names() {
        for text in ["ETH", "USDC.e", "1INCH", "a"] {
            assert_eq!(Symbol::new(text).unwrap().as_str(), text);
        }
        for text in ["", "A B", "ETH\n", "ΞTH", &"X".repeat(33)] {
            assert!(Symbol::new(text).is_err(), "{text:?}");
        }
    }
}
