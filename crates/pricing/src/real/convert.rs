//! From integers and first guesses to reals.

use firmquote_domain::{U256, U512};

use super::{Real, Ulps, limbs};
use crate::float;

impl<const N: usize> Real<N> {
    /// The number one.
    pub(crate) fn one() -> Self {
        Self::from_limbs(&[1], 0)
    }

    /// `number`, which must not be zero; exact up to `64 * N` bits, else cut (error 1).
    pub(crate) fn from_u64(number: u64) -> Self {
        Self::from_limbs(&[number], 0)
    }

    /// `number`, which must not be zero; exact up to `64 * N` bits, else cut (error 1).
    pub(crate) fn from_u256(number: U256) -> Self {
        Self::from_limbs(number.as_limbs(), 0)
    }

    /// `number`, which must not be zero; exact up to `64 * N` bits, else cut (error 1).
    pub(crate) fn from_u512(number: U512) -> Self {
        Self::from_limbs(number.as_limbs(), 0)
    }

    /// A guess of the natural logarithm of `1 + self`, good to about 50 bits, taken as an exact number.
    /// `None` where no finite positive double is one.
    pub(super) fn guess_ln_1p(&self) -> Option<Self> {
        let [.., top] = self.mantissa.as_slice() else { return None };
        let (significand, exponent) = float::guess_ln_1p(*top, self.bits() - 64)?;
        Some(Self::from_limbs(&[significand], exponent))
    }

    /// The integer `number` (least significant limb first, not zero) times `2^exponent`.
    fn from_limbs(number: &[u64], exponent: i32) -> Self {
        let mut mantissa = [0; N];
        let used = number.len() - number.iter().rev().take_while(|limb| **limb == 0).count();
        let cut = used.saturating_sub(N);
        // One limb more than fits is looked at, so that the leading bits fill the mantissa.
        let mut below = if cut > 0 { number.get(cut - 1).copied().unwrap_or(0) } else { 0 };
        for (slot, limb) in mantissa.iter_mut().zip(number.iter().take(used).skip(cut)) {
            *slot = *limb;
        }
        let shift = limbs::leading_zeros(&mantissa);
        let mut mantissa = limbs::shift_left(&mantissa, shift);
        if shift > 0 && shift < 64 {
            below >>= 64 - shift;
            if let Some(lowest) = mantissa.first_mut() {
                *lowest |= below;
            }
        }
        let cut_bits = i32::try_from(64 * cut).unwrap_or(i32::MAX);
        let shift = i32::try_from(shift).unwrap_or(i32::MAX);
        Self { mantissa, exponent: exponent + cut_bits - shift, error: Ulps::of(u64::from(cut > 0)) }
    }
}
