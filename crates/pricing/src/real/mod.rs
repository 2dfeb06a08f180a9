//! Positive real numbers of `64 * N` bits with an error bound.
//!
//! A [`Real`] is a binary floating-point number with a bound on its relative error. Every operation propagates the
//! bound, so that the final result is either certain to lie strictly between two integers, or reported as undecided:
//! then the same formula runs again with twice the limbs (Ziv 1991). Integers only, so the same bits on every machine.

mod bracket;
mod convert;
#[cfg(test)]
mod error_bounds;
mod functions;
mod limbs;
mod narrow;
mod operations;
mod series;
mod tables;
mod ulps;

use self::{limbs::Limbs, ulps::Ulps};
pub(crate) use bracket::Bracket;
pub(crate) use operations::Interval;

/// A positive number `mantissa * 2^exponent` whose true value differs from it by a factor of at most
/// `1 + error * u`, with `u = 2^(1 - 64N)`, one unit in the last place at worst.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Real<const N: usize> {
    /// The top bit is always set.
    mantissa: Limbs<N>,
    exponent: i32,
    error: Ulps,
}

impl<const N: usize> Real<N> {
    /// Bits of the mantissa.
    const BITS: i32 = {
        assert!(N >= 2 && N <= 64, "two to 64 limbs");
        #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "at most 64 limbs")]
        let bits = 64 * N as i32;
        bits
    };

    /// Bounds of this many bits or more count as unknown. Below that, the product of two errors is less than one unit:
    /// `2^(32N - 8) * 2^(32N - 8) * u < 1`.
    #[expect(clippy::cast_sign_loss, reason = "the number of bits is positive")]
    const MAX_ERROR_BITS: u32 = (Self::BITS / 2 - 8) as u32;

    /// The number with a zero error bound, for functions whose error is bounded as a whole.
    const fn taken_as_exact(self) -> Self {
        Self { error: Ulps::ZERO, ..self }
    }

    /// The number with another error bound.
    #[inline]
    const fn with_error(self, error: Ulps) -> Self {
        let error = if error.is_below(Self::MAX_ERROR_BITS) { error } else { Ulps::UNKNOWN };
        Self { error, ..self }
    }

    /// The same number with another number of limbs: exact for as many or more, else truncated.
    #[inline]
    fn resized<const M: usize>(&self) -> Real<M> {
        let mut mantissa = [0; M];
        for (slot, limb) in mantissa.iter_mut().rev().zip(self.mantissa.iter().rev()) {
            *slot = *limb;
        }
        Real { mantissa, exponent: self.exponent + Self::BITS - Real::<M>::BITS, error: self.error }
    }

    /// The number times `2^power`, exactly.
    const fn scaled(self, power: i32) -> Self {
        Self { exponent: self.exponent + power, ..self }
    }

    /// The smallest `b` with `self < 2^b`.
    const fn bits(&self) -> i32 {
        self.exponent + Self::BITS
    }
}
