//! The position of a real number among the integers.

use firmquote_domain::U256;

use super::{Real, Ulps, limbs};

/// The position of the true value of a real among the integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    /// Strictly between `n` and `n + 1`.
    Inside(U256),
    /// Near the integer `n`, possibly equal to it; must be decided by other means.
    Near(U256),
    /// More than one integer is within reach.
    Unclear,
    /// 2^256 or more.
    Huge,
}

impl Bracket {
    /// The bracket of `whole` minus this value, for a value that is certainly at most `whole`.
    pub(crate) fn subtracted_from(self, whole: U256) -> Self {
        match self {
            // A value strictly between n and n + 1 leaves strictly between whole - n - 1 and whole - n.
            Self::Inside(n) => Self::Inside(whole.saturating_sub(n).saturating_sub(U256::ONE)),
            Self::Near(n) => Self::Near(whole.saturating_sub(n)),
            Self::Unclear | Self::Huge => Self::Unclear,
        }
    }
}

impl<const N: usize> Real<N> {
    /// Whether the computed number, regardless of its error, is less than one half.
    pub(crate) const fn is_below_half(&self) -> bool {
        self.bits() < 0
    }

    /// The bracket of the true value.
    ///
    /// An error of `e * u` is less than `2e` last places of the mantissa; one more makes both ends strict, so
    /// that a value that may equal an integer is never reported as inside.
    pub(crate) fn bracket(&self) -> Bracket {
        if self.error == Ulps::UNKNOWN {
            return Bracket::Unclear;
        }
        if self.bits() > 257 {
            return Bracket::Huge;
        }
        if self.exponent >= 0 {
            return Bracket::Unclear;
        }
        let (count, coarse) = self.error.parts();
        let mut reach = [0; N];
        if let Some(lowest) = reach.first_mut() {
            *lowest = 2 * count + 1;
        }
        let reach = limbs::shift_left(&reach, coarse);
        let shift = self.exponent.unsigned_abs();
        // There is no borrow: a known error is less than the mantissa's upper half. There may be a carry, next to a
        // power of two.
        let (low, _) = limbs::sub(&self.mantissa, &reach);
        let low = limbs::shift_right(&low, shift);
        let high = match limbs::add(&self.mantissa, &reach) {
            (high, false) => limbs::shift_right(&high, shift),
            (high, true) => limbs::shift_right(&limbs::halve_with_carry(&high), shift - 1),
        };
        let (Some(low), Some(high)) = (to_u256(&low), to_u256(&high)) else { return Bracket::Huge };
        match high.saturating_sub(low) {
            gap if gap.is_zero() => Bracket::Inside(low),
            gap if gap == U256::ONE => Bracket::Near(high),
            _ => Bracket::Unclear,
        }
    }
}

fn to_u256<const N: usize>(number: &[u64; N]) -> Option<U256> {
    let fits = number.iter().skip(4).all(|limb| *limb == 0);
    let mut four = [0; 4];
    for (slot, limb) in four.iter_mut().zip(number) {
        *slot = *limb;
    }
    fits.then(|| U256::from_limbs(four))
}
