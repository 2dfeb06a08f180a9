//! `exp_m1` and `ln_1p` of positive numbers, and the same of negative ones, accurate to the last places however small
//! the number.
//!
//! None of them subtracts nearly equal numbers. Two limbs take a step of a table and a short series. More limbs are
//! rare and need neither tables nor a constant such as ln 2: the exponential is a series followed by doublings, the
//! logarithm one correction of a guess in double precision.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "constants of the number of limbs, at most 64"
)]

use std::cmp::Ordering;

use super::{Limbs, Real, Ulps, limbs};

/// The maximum number of terms of the exponential series for any `N` in use; the logarithm has at most twice as many.
const MAX_TERMS: usize = 32;

impl<const N: usize> Real<N> {
    /// The series is evaluated for arguments below `2^-REDUCTION`; more doublings mean fewer terms.
    const REDUCTION: i32 = 4 * N as i32 + 8;

    /// The exponential is doubled from arguments of at most this many bits; the table for two limbs covers more.
    const REDUCED_BITS: i32 = if N == 2 { -1 } else { -Self::REDUCTION };

    /// The error of the exponential of a reduced argument: of the table, or of the series and its truncations.
    const REDUCED_ERROR: u64 = if N == 2 { Real::<2>::EXPONENTIAL_ERROR } else { 6 };

    /// Numbers with more bits are huge: at least `2^24`.
    const HUGE_BITS: i32 = 24;

    /// The number of terms after which the rest of the series is below one unit in the last place.
    const TERMS: usize = {
        let mut terms = 1;
        let mut bits = 0;
        while bits + Self::REDUCTION * terms < Self::BITS {
            terms += 1;
            bits += (terms as u32).ilog2() as i32;
        }
        // One more, because terms are added in pairs.
        assert!(terms > 1 && terms < MAX_TERMS as i32 - 1, "the table of coefficients is too small");
        terms as usize + 1
    };

    /// `1 / 2!` and `1 / 3!`, `1 / 4!` and `1 / 5!`, ... as fractions of `64 * N` bits, truncated.
    const INVERSE_FACTORIALS: [(Limbs<N>, Limbs<N>); MAX_TERMS / 2] = inverse_factorials();

    /// `1/2`, `1/3`, ... as fractions of `64 * N` bits, truncated.
    const INVERSES: [Limbs<N>; 2 * MAX_TERMS] = inverses();

    /// `e^self - 1`.
    ///
    /// The error of one step: the series and its truncations contribute at most [`Self::REDUCED_ERROR`] units, each
    /// doubling `E <- E * (2 + E)` at most 4. A relative error anywhere in the chain reaches the result multiplied by
    /// the ratio of the condition numbers `y e^y / (e^y - 1)` of `exp_m1` there and here, which is at most `1 + self`;
    /// so does an error of `self`.
    ///
    /// The error bound is unknown if [`Self::is_huge`].
    pub(crate) fn exp_m1(&self) -> Self {
        if self.bits() > Self::HUGE_BITS {
            return self.with_error(Ulps::UNKNOWN);
        }
        let halvings = (self.bits() - Self::REDUCED_BITS).max(0);
        let small = self.scaled(-halvings).taken_as_exact();
        let mut result = if N == 2 {
            small.resized().exp_m1_by_table().resized()
        } else {
            small.times_one_plus(&small.exponential_tail())
        };
        for _ in 0..halvings {
            result = result.doubled_argument();
        }
        let own = Ulps::new(Self::REDUCED_ERROR + 4 * u64::from(halvings.unsigned_abs()));
        // 1 + self is at most 2, or less than 2^(bits + 1).
        let condition_bits = 1 + self.bits().max(0).unsigned_abs();
        result.with_error(self.error.plus(own).shifted(condition_bits))
    }

    /// Whether the number is certainly so large that its exponential has more than ten million bits.
    pub(crate) fn is_huge(&self) -> bool {
        self.bits() > Self::HUGE_BITS && self.error != Ulps::UNKNOWN
    }

    /// `E * (2 + E)`: from `e^y - 1` to `e^2y - 1`. The caller sets the error bound.
    #[inline]
    fn doubled_argument(&self) -> Self {
        if self.bits() <= 1 {
            let half = self.scaled(-1).as_fraction();
            return self.times_one_plus(&half).scaled(1);
        }
        self.mul(&Self::ONE.scaled(1).add(self)).taken_as_exact()
    }

    /// `ln(1 + self)`.
    ///
    /// An error of `x` reaches the result divided by `(1 + x) ln(1 + x) / x >= 1`.
    ///
    /// With more than two limbs, for a double `y` near the result, `ln(1 + x) = y - ln(1 + (E - x) / (1 + x))` with
    /// `E = e^y - 1`. The correction is below `2^-39`, so that three truncations in it are negligible; an error of `E`
    /// reaches the result divided by `(1 + x) y / E >= 1`, an error of `x` divided by `(1 + x) y / x >= 1`.
    pub(crate) fn ln_1p(&self) -> Self {
        if N == 2 {
            let result = self.taken_as_exact().resized().ln_1p_by_table().resized();
            return result.with_error(self.error.plus(Ulps::new(Real::<2>::LOGARITHM_ERROR)));
        }
        let unknown = self.with_error(Ulps::UNKNOWN);
        let Some(guess) = self.guess_ln_1p() else { return unknown };
        let x = self.taken_as_exact();
        let exponential = guess.exp_m1();
        let error = self.error.plus(exponential.error).plus(Ulps::new(8));
        let (order, gap, _) = exponential.difference(&x);
        if order == Ordering::Equal {
            return guess.with_error(error);
        }
        if gap.bits() > x.bits() - 40 {
            return unknown;
        }
        let ratio = gap.div(&Self::ONE.add(&x));
        let result = match order {
            Ordering::Greater => guess.difference(&ratio.small_ln_1p(false)).1,
            _ => guess.add(&ratio.small_ln_1p(true)),
        };
        result.with_error(error)
    }

    /// `1 - e^-self`.
    ///
    /// An error of `self` reaches the result multiplied by `y / (e^y - 1) <= 1`.
    pub(crate) fn one_minus_exp(&self) -> Self {
        if N == 2 && self.bits() < 0 {
            let result = self.taken_as_exact().resized().one_minus_exp_by_table().resized();
            return result.with_error(self.error.plus(Ulps::new(Real::<2>::EXPONENTIAL_ERROR)));
        }
        let e = self.exp_m1();
        e.div(&Self::ONE.add(&e))
    }

    /// `-ln(1 - self)` for `self < 1/2`.
    ///
    /// An error of `self` reaches the result multiplied by `x / ((1 - x) * -ln(1 - x))`, at most 2.
    pub(crate) fn minus_ln_1m(&self) -> Self {
        if N == 2 {
            let result = self.taken_as_exact().resized().minus_ln_1m_by_table().resized();
            return result.with_error(self.error.times(2).plus(Ulps::new(Real::<2>::LOGARITHM_ERROR)));
        }
        // At least one half remains, so that the error of the difference is at most that of `self` and 2 more.
        let (_, rest, _) = Self::ONE.difference(self);
        self.div(&rest.with_error(self.error.plus(Ulps::new(2)))).ln_1p()
    }

    /// `(e^t - 1 - t) / t` for `t = self < 2^-REDUCTION`, as a fraction: `t/2! + t^2/3! + ...`
    #[inline]
    fn exponential_tail(&self) -> Limbs<N> {
        let t = self.as_fraction();
        let square = limbs::mul_high(&t, &t);
        // Small arguments need fewer terms: each term adds as many bits as t has leading zeros.
        let zeros = self.bits().min(-Self::REDUCTION).unsigned_abs() as usize;
        let terms = Self::TERMS.min(64 * N / zeros + 2) / 2;
        let coefficients = const { &Self::INVERSE_FACTORIALS };
        // Even and odd powers separately: two independent chains of products.
        let (mut even, mut odd) = ([0; N], [0; N]);
        for pair in coefficients.iter().take(terms).rev() {
            (even, _) = limbs::add(&pair.0, &limbs::mul_high(&even, &square));
            (odd, _) = limbs::add(&pair.1, &limbs::mul_high(&odd, &square));
        }
        let (sum, _) = limbs::add(&even, &limbs::mul_high(&odd, &t));
        limbs::mul_high(&sum, &t)
    }

    /// `ln(1 + self)`, or `-ln(1 - self)` when `is_negative`, for `self < 2^-39`, accurate to `64 * N - 40` bits.
    #[inline]
    fn small_ln_1p(&self, is_negative: bool) -> Self {
        let r = self.as_fraction();
        let mut sum = [0; N];
        let inverses = const {
            assert!(64 * N / 40 < 2 * MAX_TERMS, "the table of inverses is too small");
            &Self::INVERSES
        };
        for inverse in inverses.iter().take(64 * N / 40 + 1).rev() {
            let product = limbs::mul_high(&sum, &r);
            (sum, _) = if is_negative { limbs::add(inverse, &product) } else { limbs::sub(inverse, &product) };
        }
        let tail = limbs::mul_high(&sum, &r);
        if is_negative { self.times_one_plus(&tail) } else { self.times_one_minus(&tail) }
    }
}

#[expect(clippy::indexing_slicing, reason = "runs at compile time, where an index out of bounds does not compile")]
const fn inverse_factorials<const N: usize>() -> [(Limbs<N>, Limbs<N>); MAX_TERMS / 2] {
    let mut table = [([0; N], [0; N]); MAX_TERMS / 2];
    let mut inverse = [u64::MAX; N];
    let mut position = 0;
    while position < table.len() {
        let even = limbs::divide_small(&inverse, 2 * position as u64 + 2);
        inverse = limbs::divide_small(&even, 2 * position as u64 + 3);
        table[position] = (even, inverse);
        position += 1;
    }
    table
}

#[expect(clippy::indexing_slicing, reason = "runs at compile time, where an index out of bounds does not compile")]
const fn inverses<const N: usize>() -> [Limbs<N>; 2 * MAX_TERMS] {
    let mut table = [[0; N]; 2 * MAX_TERMS];
    let mut position = 0;
    while position < table.len() {
        table[position] = limbs::divide_small(&[u64::MAX; N], position as u64 + 2);
        position += 1;
    }
    table
}
