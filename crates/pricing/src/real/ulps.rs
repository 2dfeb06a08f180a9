//! Bounds on relative errors.

/// A bound on a relative error: `count * 2^coarse` units of `u = 2^(1 - 64N)`.
///
/// Counts stay small: growth by cancellation or poor conditioning goes into `coarse`, rounded up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ulps {
    count: u64,
    coarse: u32,
}

impl Ulps {
    pub(super) const ZERO: Self = Self::new(0);

    /// The absence of a bound.
    pub(super) const UNKNOWN: Self = Self { count: 0, coarse: u32::MAX };

    /// `count` units; counts are far below `2^48`.
    pub(super) const fn new(count: u64) -> Self {
        Self { count, coarse: 0 }
    }

    /// The sum, rounded up.
    #[inline]
    pub(super) fn plus(self, other: Self) -> Self {
        if self.coarse == other.coarse {
            return Self::rounded(self.count + other.count, self.coarse);
        }
        let (large, small) = if self.coarse > other.coarse { (self, other) } else { (other, self) };
        let aligned = small.count.checked_shr(large.coarse - small.coarse).unwrap_or(0) + 1;
        Self::rounded(large.count + aligned, large.coarse)
    }

    /// A bound on both: the larger of the two, or their sum if they differ in `coarse`.
    #[inline]
    pub(super) fn max(self, other: Self) -> Self {
        if self.coarse == other.coarse { Self { count: self.count.max(other.count), ..self } } else { self.plus(other) }
    }

    #[inline]
    pub(super) fn times(self, factor: u16) -> Self {
        Self::rounded(self.count * u64::from(factor), self.coarse)
    }

    /// The bound times `2^bits`.
    pub(super) const fn shifted(self, bits: u32) -> Self {
        Self { coarse: self.coarse.saturating_add(bits), ..self }
    }

    /// Whether the bound is below `2^bits` units, and therefore useful.
    pub(super) const fn is_below(self, bits: u32) -> bool {
        self.coarse.saturating_add(u64::BITS - self.count.leading_zeros()) <= bits
    }

    /// The bound as a count and the power of two that multiplies it.
    pub(super) const fn parts(self) -> (u64, u32) {
        (self.count, self.coarse)
    }

    /// The bound with its count reduced to at most `2^48`, rounded up: sums and multiples of counts fit 64 bits.
    #[inline]
    fn rounded(count: u64, coarse: u32) -> Self {
        let excess = (u64::BITS - count.leading_zeros()).saturating_sub(48);
        if excess == 0 {
            return Self { count, coarse };
        }
        Self { count: (count >> excess) + 1, coarse: coarse.saturating_add(excess) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_up() {
        let coarse = Ulps::new(5).shifted(10);
        assert_eq!(coarse.plus(Ulps::new(1)).parts(), (6, 10));
        assert_eq!(Ulps::new(3).plus(Ulps::new(4)).parts(), (7, 0));
        assert_eq!(Ulps::new(1 << 47).times(1 << 10).parts(), ((1 << 47) + 1, 10));
        assert_eq!(coarse.max(Ulps::new(7)).parts(), (6, 10));
        assert!(coarse.is_below(13) && !coarse.is_below(12));
        assert!(!Ulps::UNKNOWN.plus(Ulps::new(1)).times(7).is_below(10_000));
    }
}
