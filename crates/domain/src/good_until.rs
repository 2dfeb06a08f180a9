//! `good_until`: when a signed swap stops being valid, in the two forms that pools read.

use alloy_primitives::{U256, U512};

use crate::{Amount, Decimals, InvalidValue, PoolConstant, Price, UnixSeconds, Weight};

/// A `good_until` word above this is packed for the contract; up to it, the word is plain Unix seconds (year 3000).
pub const PACKED_ABOVE: u64 = 32_503_708_800;

/// The form of `good_until` that a pool contract expects. Signing the other form would disable the contract's check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoodUntilKind {
    /// Unix seconds.
    Plain,
    /// Prices, k, weights and Unix seconds in one word; the contract recomputes the invariant with them.
    Verified,
}

impl GoodUntilKind {
    /// The name in configurations and responses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Verified => "verified",
        }
    }
}

/// The numbers that a verified pool checks a swap with.
///
/// None of them but k can be zero: a zero price or weight would void the contract's check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedGoodUntil {
    /// Price of the input asset.
    pub input_price: Price,
    /// Price of the output asset.
    pub output_price: Price,
    /// The pool constant.
    pub k: PoolConstant,
    /// Listing weight of the input asset.
    pub input_weight: Weight,
    /// Listing weight of the output asset.
    pub output_weight: Weight,
    /// The last second in which the swap is valid.
    pub expires_at: UnixSeconds,
}

/// The check of a verified pool when it executes a signed swap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SettlementCheck {
    /// The curve: other swaps that are executed first may make it revert.
    #[default]
    Curve,
    /// A bound on the rate, which no reserves influence.
    Price,
}

/// The value that a bounded rate leaves to the pool, in units of 1e-18 US dollars: more than all rounding in the
/// contract's divisions, even for a push swap of 0.2 % of the stated input.
const RATE_MARGIN: u64 = 1_000;

impl PackedGoodUntil {
    /// Returns the same numbers with a bound on the rate of a swap in place of the curve. With a k of 0 the contract
    /// compares values at the packed prices; the price of the output is the largest, at most the one packed already, at
    /// which the output is certainly worth less than the input. `None` if that price rounds to zero.
    pub fn with_rate_bound(self, input: (Amount, Decimals), output: (Amount, Decimals)) -> Option<Self> {
        let one_dollar = U512::from(Price::SCALE);
        let eighteen = |(amount, decimals): (Amount, Decimals)| decimals.to_18_decimals(amount.base_units());
        let value = U512::from(eighteen(input)?) * U512::from(self.input_price.steps()) / one_dollar;
        let value = value.checked_sub(U512::from(RATE_MARGIN))?;
        let price_steps = (value * one_dollar).checked_div(U512::from(eighteen(output)?))?;
        let price_steps = u64::try_from(price_steps).unwrap_or(u64::MAX).min(self.output_price.steps());
        Some(Self { output_price: Price::new(price_steps)?, k: PoolConstant::ZERO, ..self })
    }
}

/// When a signed swap stops being valid on chain; the last second still counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoodUntil {
    /// For a pool of kind [`GoodUntilKind::Plain`].
    Plain(UnixSeconds),
    /// For a pool of kind [`GoodUntilKind::Verified`].
    Packed(PackedGoodUntil),
}

impl GoodUntil {
    /// The last second in which the swap is valid.
    pub const fn expires_at(&self) -> UnixSeconds {
        match self {
            Self::Plain(seconds) => *seconds,
            Self::Packed(packed) => packed.expires_at,
        }
    }

    /// The kind of pool that reads this form.
    pub const fn kind(&self) -> GoodUntilKind {
        match self {
            Self::Plain(_) => GoodUntilKind::Plain,
            Self::Packed(_) => GoodUntilKind::Verified,
        }
    }

    /// The `uint256` that is signed and sent.
    ///
    /// Packed, from high to low bits: input price (64 bits, 8 decimals), output price (64), k (64, 18 decimals),
    /// input weight (16), output weight (16), Unix seconds (32).
    pub fn to_word(&self) -> U256 {
        match self {
            Self::Plain(seconds) => U256::from(seconds.get()),
            Self::Packed(packed) => {
                let low = (u64::from(packed.input_weight.get()) << 48)
                    | (u64::from(packed.output_weight.get()) << 32)
                    | u64::from(packed.expires_at.get());
                U256::from_limbs([low, packed.k.steps(), packed.output_price.steps(), packed.input_price.steps()])
            }
        }
    }

    /// Reads a word as the contract would; the inverse of [`Self::to_word`].
    ///
    /// # Errors
    /// [`InvalidValue::OutOfRange`] for plain seconds past 32 bits and for a packed word with a zero price,
    /// a zero weight or a k of 1 and more.
    pub fn from_word(word: U256) -> Result<Self, InvalidValue> {
        if word <= U256::from(PACKED_ABOVE) {
            let seconds = u32::try_from(word).map_err(|_| RANGE)?;
            return Ok(Self::Plain(UnixSeconds::new(seconds)));
        }
        let [low, k, output_price, input_price] = word.into_limbs();
        let weight = |shift: u32| u16::try_from((low >> shift) & 0xffff).ok().and_then(Weight::new).ok_or(RANGE);
        Ok(Self::Packed(PackedGoodUntil {
            input_price: Price::new(input_price).ok_or(RANGE)?,
            output_price: Price::new(output_price).ok_or(RANGE)?,
            k: PoolConstant::new(k).ok_or(RANGE)?,
            input_weight: weight(48)?,
            output_weight: weight(32)?,
            expires_at: UnixSeconds::new(u32::try_from(low & u64::from(u32::MAX)).map_err(|_| RANGE)?),
        }))
    }
}

const RANGE: InvalidValue =
    InvalidValue::OutOfRange { allowed: "seconds of 32 bits, or packed prices and weights above zero and k below 1" };

#[cfg(test)]
mod tests {
    use super::*;

    fn packed() -> PackedGoodUntil {
        PackedGoodUntil {
            input_price: Price::new(58_026_568_430).unwrap(),
            output_price: Price::new(100_101_696).unwrap(),
            k: PoolConstant::new(50_000_000_000_000_000).unwrap(),
            input_weight: Weight::new(100).unwrap(),
            output_weight: Weight::new(188).unwrap(),
            expires_at: UnixSeconds::new(1_697_236_000),
        }
    }

    #[test]
    fn a_good_until_word_of_a_live_deployment_is_reproduced() {
        let word = "364238673390486983853316167090878487969884185392043445686993915855904".parse().unwrap();
        assert_eq!(GoodUntil::Packed(packed()).to_word(), word);
        assert_eq!(GoodUntil::from_word(word), Ok(GoodUntil::Packed(packed())));
    }

    #[test]
    fn plain_words_are_seconds() {
        let plain = GoodUntil::Plain(UnixSeconds::new(1_697_235_920));
        assert_eq!(plain.to_word(), U256::from(1_697_235_920_u64));
        assert_eq!(GoodUntil::from_word(plain.to_word()), Ok(plain));
    }

    #[test]
    fn words_that_void_the_check_are_rejected() {
        let [low, k, output, input] = GoodUntil::Packed(packed()).to_word().into_limbs();
        for limbs in [
            [low, k, output, 0],
            [low, k, 0, input],
            [low, PoolConstant::SCALE, output, input],
            [low & !(0xffff << 48), k, output, input],
            [low & !(0xffff << 32), k, output, input],
            [u64::from(u32::MAX) + 1, 0, 0, 0],
            [1_697_235_920_000, 0, 0, 0],
        ] {
            assert_eq!(GoodUntil::from_word(U256::from_limbs(limbs)), Err(RANGE), "{limbs:?}");
        }
    }
}
