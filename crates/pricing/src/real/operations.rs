//! Multiplication, division, addition and subtraction, each with its error bound.
//!
//! With relative errors `a*u` and `b*u` of the operands, a product or quotient has `(a + b + 2) * u`: one unit for the
//! truncation, one for the products of small errors, which stay below one unit as long as both bounds are known.

use std::cmp::Ordering;

use super::{Limbs, Real, Ulps, limbs};

/// The known position of a difference `a - b`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Interval<const N: usize> {
    /// `a > b`, by this difference.
    Above(Real<N>),
    /// `a < b`, by this difference.
    Below(Real<N>),
    /// `a` and `b` are too close to decide.
    Unclear,
}

impl<const N: usize> Real<N> {
    #[inline]
    pub(crate) fn mul(&self, other: &Self) -> Self {
        let (mut mantissa, low) = limbs::mul(&self.mantissa, &other.mantissa);
        let mut exponent = self.exponent + other.exponent + Self::BITS;
        if !limbs::is_normal(&mantissa) {
            mantissa = limbs::double(&mantissa, low.last().map_or(0, |limb| limb >> 63));
            exponent -= 1;
        }
        Self { mantissa, exponent, error: Ulps::ZERO }.with_error(self.chained_error(other))
    }

    pub(crate) fn div(&self, other: &Self) -> Self {
        let mut low = [0; N];
        let (numerator, exponent) = if limbs::compare(&self.mantissa, &other.mantissa) == Ordering::Less {
            (self.mantissa, 0)
        } else {
            if let (Some(highest), Some(lost)) = (low.last_mut(), self.mantissa.first()) {
                *highest = lost << 63;
            }
            (limbs::shift_right(&self.mantissa, 1), 1)
        };
        let mantissa = limbs::divide(&numerator, &low, &other.mantissa);
        let exponent = self.exponent - other.exponent - Self::BITS + exponent;
        Self { mantissa, exponent, error: Ulps::ZERO }.with_error(self.chained_error(other))
    }

    /// The error of a sum of positive numbers is at most the larger of their errors, plus two truncations.
    #[inline]
    pub(crate) fn add(&self, other: &Self) -> Self {
        let (large, small) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let aligned = limbs::shift_right(&small.mantissa, large.exponent.abs_diff(small.exponent));
        let (mut mantissa, carry) = limbs::add(&large.mantissa, &aligned);
        let mut exponent = large.exponent;
        if carry {
            mantissa = limbs::halve_with_carry(&mantissa);
            exponent += 1;
        }
        Self { mantissa, exponent, error: Ulps::ZERO }.with_error(self.error.max(other.error).plus(Ulps::new(2)))
    }

    /// `self - other`. The relative error grows by as many bits as cancel.
    ///
    /// In units of the larger operand's last place, the errors are below `2 * (a + b)` and the truncation of the
    /// smaller operand below 1; normalizing by `z` bits turns each such unit into `2^z`.
    pub(crate) fn gap(&self, other: &Self) -> Interval<N> {
        let (order, gap, cancelled) = self.difference(other);
        let last_places = self.error.plus(other.error).times(2).plus(Ulps::new(1));
        let gap = gap.with_error(last_places.shifted(cancelled));
        match order {
            _ if gap.error == Ulps::UNKNOWN => Interval::Unclear,
            Ordering::Less => Interval::Below(gap),
            Ordering::Equal => Interval::Unclear,
            Ordering::Greater => Interval::Above(gap),
        }
    }

    /// Returns the order of the two, `|self - other|` truncated by less than one unit in the last place of the larger,
    /// and the number of bits that canceled. The caller sets the error bound.
    pub(super) fn difference(&self, other: &Self) -> (Ordering, Self, u32) {
        let order = self.exponent.cmp(&other.exponent).then_with(|| limbs::compare(&self.mantissa, &other.mantissa));
        let (large, small) = if order == Ordering::Less { (other, self) } else { (self, other) };
        let aligned = limbs::shift_right(&small.mantissa, large.exponent.abs_diff(small.exponent));
        let (difference, _) = limbs::sub(&large.mantissa, &aligned);
        let cancelled = limbs::leading_zeros(&difference);
        let mantissa = limbs::shift_left(&difference, cancelled);
        let exponent = large.exponent - i32::try_from(cancelled).unwrap_or(0);
        (order, Self { mantissa, exponent, error: Ulps::ZERO }, cancelled)
    }

    /// The number as a fraction of `64 * N` bits, truncated; for numbers below 1.
    #[inline]
    pub(super) fn as_fraction(&self) -> Limbs<N> {
        limbs::shift_right(&self.mantissa, self.bits().min(0).unsigned_abs())
    }

    /// `self * (1 + fraction)`, truncated to the last place. The caller sets the error bound.
    #[inline]
    pub(super) fn times_one_plus(&self, fraction: &Limbs<N>) -> Self {
        let tail = limbs::mul_high(&self.mantissa, fraction);
        let (mantissa, carry) = limbs::add(&self.mantissa, &tail);
        if !carry {
            return Self { mantissa, ..*self };
        }
        let mantissa = limbs::halve_with_carry(&mantissa);
        Self { mantissa, exponent: self.exponent + 1, error: self.error }
    }

    /// `self * (1 - fraction)` for a fraction below one half. The caller sets the error bound.
    #[inline]
    pub(super) fn times_one_minus(&self, fraction: &Limbs<N>) -> Self {
        let tail = limbs::mul_high(&self.mantissa, fraction);
        let (mantissa, _) = limbs::sub(&self.mantissa, &tail);
        if limbs::is_normal(&mantissa) {
            return Self { mantissa, ..*self };
        }
        Self { mantissa: limbs::double(&mantissa, 0), exponent: self.exponent - 1, error: self.error }
    }

    #[inline]
    fn chained_error(&self, other: &Self) -> Ulps {
        self.error.plus(other.error).plus(Ulps::new(2))
    }
}
