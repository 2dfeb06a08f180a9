//! The two parameters of the curve: listing weights and the pool constant k.

use std::num::NonZeroU16;

use crate::decimal::decimal_text;

/// Listing weight of an asset, 1 to 65535. A pool's target holds each asset in proportion to `1 / weight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Weight(NonZeroU16);

impl Weight {
    /// The weight, or `None` for zero: a zero weight voids the check of a verified pool.
    pub fn new(weight: u16) -> Option<Self> {
        NonZeroU16::new(weight).map(Self)
    }

    /// The plain number, never zero.
    pub const fn get(self) -> u16 {
        self.0.get()
    }
}

/// The pool constant k of the curve, `0 <= k < 1`, in steps of 1e-18.
///
/// At 0 the pool trades at the oracle price regardless of its composition; the larger k, the more a trade moves the
/// price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoolConstant(u64);

impl PoolConstant {
    /// No resistance: swaps at the oracle price.
    pub const ZERO: Self = Self(0);

    /// Decimals of a step.
    pub const DECIMALS: u8 = 18;

    /// The value 1 in steps: `k` is always below it.
    pub const SCALE: u64 = 10_u64.pow(Self::DECIMALS as u32);

    /// The constant of `steps` times 1e-18, or `None` from 1 upward.
    pub fn new(steps: u64) -> Option<Self> {
        (steps < Self::SCALE).then_some(Self(steps))
    }

    /// k in steps of 1e-18.
    pub const fn steps(self) -> u64 {
        self.0
    }
}

decimal_text! {
    PoolConstant: u64, Self::new, decimals: Self::DECIMALS,
    precise: "18 decimals", range: "0 or more and below 1"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k_round_trips_with_eighteen_decimals() {
        for text in ["0", "0.06", "0.123456789012345678", "0.999999999999999999"] {
            assert_eq!(text.parse::<PoolConstant>().unwrap().to_string(), text);
        }
        for text in ["1", "1.5", "0.1234567890123456789", "-0.1", "6%"] {
            assert!(text.parse::<PoolConstant>().is_err(), "{text}");
        }
    }
}
