//! Conversions from integers and first guesses to reals.

use firmquote_domain::{U256, U512};

use super::{Real, Ulps, limbs};
use crate::float;

impl<const N: usize> Real<N> {
    /// The number one.
    pub(crate) const ONE: Self = Self { mantissa: limbs::highest_bit(), exponent: 1 - Self::BITS, error: Ulps::ZERO };

    /// `number`, which must not be zero, exactly.
    #[inline]
    pub(crate) fn from_u64(number: u64) -> Self {
        Self::from_significand(number, 0)
    }

    /// `number`, which must not be zero; exact up to `64 * N` bits, else truncated (error 1).
    pub(crate) fn from_u256(number: U256) -> Self {
        Self::from_limbs(number.as_limbs())
    }

    /// `number`, which must not be zero; exact up to `64 * N` bits, else truncated (error 1).
    pub(crate) fn from_u512(number: U512) -> Self {
        Self::from_limbs(number.as_limbs())
    }

    /// A guess of the natural logarithm of `1 + self`, accurate to about 50 bits, as an exact number; `None` if the
    /// guess is not a normal positive double.
    pub(super) fn guess_ln_1p(&self) -> Option<Self> {
        let [.., top] = self.mantissa.as_slice() else { return None };
        let (significand, exponent) = float::guess_ln_1p(*top, self.bits() - 64)?;
        Some(Self::from_significand(significand, exponent))
    }

    /// `significand * 2^exponent`, exactly.
    #[inline]
    fn from_significand(significand: u64, exponent: i32) -> Self {
        let shift = significand.leading_zeros();
        let mut mantissa = [0; N];
        if let Some(highest) = mantissa.last_mut() {
            *highest = significand << shift;
        }
        let exponent = exponent + 64 - Self::BITS - i32::try_from(shift).unwrap_or(0);
        Self { mantissa, exponent, error: Ulps::ZERO }
    }

    /// The integer `number` (least significant limb first, not zero).
    #[expect(clippy::indexing_slicing, reason = "positions are below `used` and N by the conditions around them")]
    fn from_limbs(number: &[u64]) -> Self {
        let mut used = number.len();
        while used > 1 && number[used - 1] == 0 {
            used -= 1;
        }
        let shift = number[used - 1].leading_zeros();
        let mut mantissa = [0; N];
        // Each limb of the mantissa is filled from one limb of the number and the top bits of the limb below.
        for position in 1..=N.min(used) {
            let below = if position < used { number[used - position - 1] } else { 0 };
            mantissa[N - position] = (number[used - position] << shift) | (below >> 1 >> (63 - shift));
        }
        let bits = i32::try_from(64 * used).unwrap_or(i32::MAX) - i32::try_from(shift).unwrap_or(0);
        Self { mantissa, exponent: bits - Self::BITS, error: Ulps::new(u64::from(used > N)) }
    }
}
