//! Short power series of small numbers of 128 bits: the exponential and the logarithm without their leading term.
//!
//! Terms that contribute less than `2^-64` are summed in 64 bits: their errors are scaled down as they are.

use super::{
    Real,
    limbs::{self, Limbs},
};

/// The number of pairs of terms for the largest argument, and one more.
const PAIRS: usize = 14;

/// Series are evaluated for arguments below `2^-MIN_ZEROS`.
const MIN_ZEROS: usize = 5;

/// Arguments below `2^-MAX_ZEROS` count as zero.
const MAX_ZEROS: usize = 128;

/// A power series `c_0 + c_1 t + c_2 t^2 + ...` of positive coefficients below one, which do not increase.
struct Series {
    /// `c_0, c_2, ...` and `c_1, c_3, ...`, as fractions of 128 bits, truncated.
    coefficients: [(u128, u128); PAIRS],
    /// For arguments below `2^-z`, the number of pairs that are summed in 128 bits and the number of pairs in all.
    pairs: [(u8, u8); MAX_ZEROS + 1],
}

/// `1 / (n + 2)!`
static INVERSE_FACTORIALS: Series = Series::new(true);

/// `1 / (n + 2)`
static INVERSES: Series = Series::new(false);

impl Real<2> {
    /// The relative error of the functions below, in units `u = 2^-127`: 4 from the sum of the series, one from the
    /// product with the leading term, one from its addition, one for the rounding of these numbers.
    pub(super) const SERIES_ERROR: u64 = 7;

    /// `factor * (e^t - 1)` for `t = self`, given `factor * t`, whose product does not have to wait for the series.
    #[inline]
    pub(super) fn small_exp_m1(&self, product: &Self) -> Self {
        product.times_one_plus(&self.series(&INVERSE_FACTORIALS, false))
    }

    /// `factor * (1 - e^-t)` for `t = self`, given `factor * t`.
    #[inline]
    pub(super) fn small_one_minus_exp(&self, product: &Self) -> Self {
        product.times_one_minus(&self.series(&INVERSE_FACTORIALS, true))
    }

    /// `ln(1 + self)`.
    #[inline]
    pub(super) fn small_ln_1p_by_series(&self) -> Self {
        self.times_one_minus(&self.series(&INVERSES, true))
    }

    /// `-ln(1 - self)`.
    #[inline]
    pub(super) fn small_minus_ln_1m(&self) -> Self {
        self.times_one_plus(&self.series(&INVERSES, false))
    }

    /// `t * (c_0 + c_1 t + c_2 t^2 + ...)` for `t = self`, or `t * (c_0 - c_1 t + c_2 t^2 - ...)`, as a fraction.
    ///
    /// The error is less than 8 units of `2^-128`. With `t < 2^-z`, `z >= 5`, and `s = t^2`: `t` lacks less than 1
    /// unit, `s` less than 4. A step `c + sum * s` loses less than 1 unit for `c` and 3 for the product, and an error
    /// of `sum` vanishes in `s`; with the effect of `s` on the sum, `even` and `odd` each lack less than 6 units, and
    /// `even +- t * odd` is off by less than 10. Multiplied by `t`, that leaves 0.4 units, the error of `t` 0.6 and the
    /// last product 3. The steps in 64 bits lose less than 3 units of `2^-64`, with the factor `s^wide * t <= 2^-64`.
    /// The terms left out sum to less than 1.04 units: the first is at most `2^-128`, each next one less than `2^-z` of
    /// the last.
    #[inline]
    fn series(&self, series: &Series, is_alternating: bool) -> Limbs<2> {
        let t = limbs::to_u128(&self.as_fraction());
        let square = mul_add_high(0, t, t);
        let (wide, all) = series.pairs_for(self.bits());
        let (mut even, mut odd) = (0_u64, 0_u64);
        for pair in series.coefficients.iter().take(all).skip(wide).rev() {
            even = mul_add_high_64(high(pair.0), even, high(square));
            odd = mul_add_high_64(high(pair.1), odd, high(square));
        }
        let (mut even, mut odd) = (u128::from(even) << 64, u128::from(odd) << 64);
        for pair in series.coefficients.iter().take(wide).rev() {
            even = mul_add_high(pair.0, even, square);
            odd = mul_add_high(pair.1, odd, square);
        }
        let rest = mul_add_high(0, odd, t);
        let sum = mul_add_high(0, if is_alternating { even - rest } else { even + rest }, t);
        limbs::from_u128(sum)
    }
}

impl Series {
    #[expect(clippy::indexing_slicing, reason = "runs at compile time, where an index out of bounds does not compile")]
    #[expect(clippy::cast_possible_truncation, reason = "at most PAIRS")]
    const fn new(is_factorial: bool) -> Self {
        let mut coefficients = [(0, 0); PAIRS];
        let mut inverse = u128::MAX;
        let mut n = 0;
        while n < 2 * PAIRS {
            let divisor = n as u128 + 2;
            inverse = if is_factorial { inverse / divisor } else { u128::MAX / divisor };
            let (even, odd) = &mut coefficients[n / 2];
            *(if n % 2 == 0 { even } else { odd }) = inverse;
            n += 1;
        }
        let mut pairs = [(0, 0); MAX_ZEROS + 1];
        let mut zeros = MIN_ZEROS;
        while zeros <= MAX_ZEROS {
            let (mut wide, mut all) = (0, 0);
            while zeros * (2 * wide + 1) < 64 {
                wide += 1;
            }
            while zeros * (2 * all + 1) + (coefficients[all].0.leading_zeros() as usize) < 128 {
                all += 1;
            }
            pairs[zeros] = (wide as u8, all as u8);
            zeros += 1;
        }
        Self { coefficients, pairs }
    }

    /// The numbers of pairs for an argument below `2^bits`.
    #[inline]
    fn pairs_for(&self, bits: i32) -> (usize, usize) {
        let zeros = (bits.unsigned_abs() as usize).clamp(MIN_ZEROS, MAX_ZEROS);
        self.pairs.get(zeros).map_or((0, 0), |(wide, all)| (usize::from(*wide), usize::from(*all)))
    }
}

/// `c + a * b / 2^128`, less than 3 units too small: the product of the lower halves is left out.
#[inline]
const fn mul_add_high(c: u128, a: u128, b: u128) -> u128 {
    let upper = high(a) as u128 * high(b) as u128;
    let cross = high(a) as u128 * low(b) as u128;
    let other = low(a) as u128 * high(b) as u128;
    (c + upper) + (high(cross) as u128 + high(other) as u128)
}

/// `c + a * b / 2^64`, truncated.
#[inline]
const fn mul_add_high_64(c: u64, a: u64, b: u64) -> u64 {
    c + high(a as u128 * b as u128)
}

#[inline]
const fn high(number: u128) -> u64 {
    (number >> 64) as u64
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "taking the low half is the point")]
const fn low(number: u128) -> u64 {
    number as u64
}
