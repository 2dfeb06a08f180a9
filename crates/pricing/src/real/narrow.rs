//! The functions of numbers of two limbs, which settle nearly every price: one step of a table, then a short series.
//!
//! All terms are positive, so that every result is accurate to its last places, however small the argument. The
//! arguments are taken as exact; errors are in units of `u = 2^-127`.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "numbers of bits, at most 128, and an index below 64"
)]

use super::{
    Real, Ulps, limbs,
    tables::{self, Entry, INDEX_BITS, Table},
};

impl Real<2> {
    /// The error of the exponentials: that of the series, of the factor, 1, of the product, 2, and of the sum, 2.
    pub(super) const EXPONENTIAL_ERROR: u64 = Self::SERIES_ERROR + 5;

    /// The error of the logarithms: that of the series, of its argument, 3, at most doubled by the condition of the
    /// logarithm, and of the sum, 2; from one on another 6.
    pub(super) const LOGARITHM_ERROR: u64 = Self::SERIES_ERROR + 14;

    /// `e^self - 1` for `self < 1/2`. The caller sets the error bound.
    #[inline]
    pub(super) fn exp_m1_by_table(&self) -> Self {
        self.exponential(&tables::EXP_M1, Self::small_exp_m1)
    }

    /// `1 - e^-self` for `self < 1/2`. The caller sets the error bound.
    #[inline]
    pub(super) fn one_minus_exp_by_table(&self) -> Self {
        self.exponential(&tables::ONE_MINUS_EXP, Self::small_one_minus_exp)
    }

    /// `-ln(1 - self)` for `self < 1/2`. The caller sets the error bound.
    #[inline]
    pub(super) fn minus_ln_1m_by_table(&self) -> Self {
        self.logarithm(&tables::MINUS_LN_1M, Self::small_minus_ln_1m)
    }

    /// `ln(1 + self)`. The caller sets the error bound.
    ///
    /// From one on, `1 + self = 2^e * (1 + f)`. The sum is off by 2 units of itself, which is 3 units of its logarithm,
    /// at least `ln 2`; `e * ln 2` is off by 3, less than the other summand, and the addition loses 2.
    #[inline]
    pub(super) fn ln_1p_by_table(&self) -> Self {
        if self.bits() <= 0 {
            return self.logarithm(&tables::LN_1P, Self::small_ln_1p_by_series);
        }
        let sum = Self::ONE.add(self);
        let power = sum.bits() - 1;
        let powers = tables::LN_2.mul(&Self::from_u64(u64::from(power.unsigned_abs())));
        match sum.without_leading_bits(1) {
            Some(f) => powers.add(&f.scaled(-power).logarithm(&tables::LN_1P, Self::small_ln_1p_by_series)),
            None => powers,
        }
    }

    #[inline]
    fn exponential(&self, table: &Table, small: impl Fn(&Self, &Self) -> Self) -> Self {
        match self.split(table) {
            None => small(self, self),
            Some((entry, None)) => entry.value,
            Some((entry, Some(rest))) => entry.value.add(&small(&rest, &entry.factor.mul(&rest))),
        }
    }

    #[inline]
    fn logarithm(&self, table: &Table, small: impl Fn(&Self) -> Self) -> Self {
        match self.split(table) {
            None => small(self),
            Some((entry, None)) => entry.value,
            Some((entry, Some(rest))) => entry.value.add(&small(&entry.factor.mul(&rest))),
        }
    }

    /// The entry for the multiple of `1/64` below a number less than one, and the rest unless it is zero; `None` below
    /// `1/64`.
    #[inline]
    fn split<'a>(&self, table: &'a Table) -> Option<(&'a Entry, Option<Self>)> {
        let leading = u32::try_from(self.bits() + INDEX_BITS as i32).ok().filter(|bits| *bits > 0)?;
        let [_, top] = self.mantissa;
        let entry = table.get((top >> (64 - leading)) as usize)?;
        Some((entry, self.without_leading_bits(leading)))
    }

    /// The number without the highest `count < 64` bits of its mantissa, exactly; `None` if nothing is left.
    #[inline]
    fn without_leading_bits(&self, count: u32) -> Option<Self> {
        let [low, top] = self.mantissa;
        let rest = [low, top & (u64::MAX >> count)];
        let zeros = limbs::leading_zeros(&rest);
        (zeros < 128).then(|| Self {
            mantissa: limbs::shift_left(&rest, zeros),
            exponent: self.exponent - zeros as i32,
            error: Ulps::ZERO,
        })
    }
}
