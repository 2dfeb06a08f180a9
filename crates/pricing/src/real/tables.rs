//! Tables of the exponential and the logarithm at multiples of `1/64`, computed at compile time with 192 bits.
//!
//! An entry is truncated to 128 bits from a fraction that lacks less than `2^12` units of `2^-192`; as no entry is
//! below `2^-7`, its relative error is less than one unit `u = 2^-127`.

#![expect(clippy::indexing_slicing, reason = "runs at compile time, where an index out of bounds does not compile")]

use super::{
    Real, Ulps,
    limbs::{self, Limbs},
};

/// The number of table intervals in the unit interval.
pub(super) const INTERVALS: usize = 64;

/// The binary logarithm of [`INTERVALS`].
pub(super) const INDEX_BITS: u32 = 6;

/// A function at `c = j/64`, and the factor that reduces an argument `c + t` to a small one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) value: Real<2>,
    pub(super) factor: Real<2>,
}

/// Entries `j = 1, 2, ...`; the others, among them `j = 0`, are never read.
pub(super) type Table = [Entry; INTERVALS];

/// `e^c - 1` and `e^c`, for `c < 1/2`: `e^(c+t) - 1 = value + factor * (e^t - 1)`.
pub(super) static EXP_M1: Table = exponentials(false);

/// `1 - e^-c` and `e^-c`, for `c < 1/2`: `1 - e^-(c+t) = value + factor * (1 - e^-t)`.
pub(super) static ONE_MINUS_EXP: Table = exponentials(true);

/// `ln(1 + c)` and `1 / (1 + c)`, for `c < 1`: `ln(1 + c + t) = value + ln(1 + factor * t)`.
pub(super) static LN_1P: Table = logarithms(false);

/// `-ln(1 - c)` and `1 / (1 - c)`, for `c < 1/2`: `-ln(1 - c - t) = value - ln(1 - factor * t)`.
pub(super) static MINUS_LN_1M: Table = logarithms(true);

/// `ln 2`.
pub(super) const LN_2: Real<2> = from_fraction(&logarithm(INTERVALS, false), 0);

/// A fraction of 192 bits.
type Fraction = Limbs<3>;

const UNUSED: Entry = Entry { value: Real::ONE, factor: Real::ONE };

/// One, less `2^-192`.
const ONE: Fraction = [u64::MAX; 3];

const fn exponentials(is_negative: bool) -> Table {
    let mut table = [UNUSED; INTERVALS];
    let mut j = 1;
    while j < INTERVALS / 2 {
        let value = exponential(j, is_negative);
        let factor = if is_negative {
            from_fraction(&limbs::sub(&ONE, &value).0, 0)
        } else {
            // (1 + value) / 2.
            let mut half = halved(&value);
            half[2] |= 1 << 63;
            from_fraction(&half, 1)
        };
        table[j] = Entry { value: from_fraction(&value, 0), factor };
        j += 1;
    }
    table
}

const fn logarithms(is_negative: bool) -> Table {
    let mut table = [UNUSED; INTERVALS];
    let count = if is_negative { INTERVALS / 2 } else { INTERVALS };
    let mut j = 1;
    while j < count {
        let one_and_c = if is_negative { INTERVALS - j } else { INTERVALS + j };
        // Half of 1 / (1 +- j/64) is below one: 32 / (64 +- j).
        let half = limbs::multiply_small(&limbs::divide_small(&ONE, one_and_c as u64), INTERVALS as u64 / 2);
        table[j] = Entry { value: from_fraction(&logarithm(j, is_negative), 0), factor: from_fraction(&half, 1) };
        j += 1;
    }
    table
}

/// `e^c - 1`, or `1 - e^-c`, for `c = j/64 < 1/2`, by the series of the exponential.
///
/// The division by 64 before the multiplication by `j < 32` makes the errors of the terms at most 33, 25, 16, ...
/// units. The terms decrease by more than `2n` each, and the fortieth is below one unit.
const fn exponential(j: usize, is_negative: bool) -> Fraction {
    let (mut odd, mut even) = ([0; 3], [0; 3]);
    let mut term = ONE;
    let mut n = 1;
    while n <= 40 {
        term = limbs::divide_small(&limbs::multiply_small(&limbs::divide_small(&term, INTERVALS as u64), j as u64), n);
        let sum = if n % 2 == 1 { &mut odd } else { &mut even };
        (*sum, _) = limbs::add(sum, &term);
        n += 1;
    }
    if is_negative { limbs::sub(&odd, &even).0 } else { limbs::add(&odd, &even).0 }
}

/// `ln(1 + j/64)`, or `-ln(1 - j/64)`: the sum of `ln((i + 1) / i) = 2 atanh(1 / (2i + 1))` over the intervals between.
///
/// Less than 40 units are lost in each of at most 64 logarithms.
const fn logarithm(j: usize, is_negative: bool) -> Fraction {
    let mut sum = [0; 3];
    let mut i = if is_negative { INTERVALS - j } else { INTERVALS };
    let end = if is_negative { INTERVALS } else { INTERVALS + j };
    while i < end {
        let z = 2 * i as u64 + 1;
        // 2 z^-n / n for n = 1, 3, 5, ...; z is at least 65, and 65^33 exceeds 2^192.
        let mut power = limbs::divide_small(&ONE, z);
        let mut n = 1;
        while n <= 33 {
            let term = limbs::divide_small(&power, n);
            sum = limbs::add(&sum, &limbs::add(&term, &term).0).0;
            power = limbs::divide_small(&power, z * z);
            n += 2;
        }
        i += 1;
    }
    sum
}

/// `fraction * 2^power`, truncated to 128 bits, for a fraction of at least `2^-63`.
#[expect(clippy::cast_possible_wrap, reason = "at most 63")]
const fn from_fraction(fraction: &Fraction, power: i32) -> Real<2> {
    let zeros = fraction[2].leading_zeros();
    let shifted = limbs::multiply_small(fraction, 1 << zeros);
    Real { mantissa: [shifted[1], shifted[2]], exponent: power - zeros as i32 - Real::<2>::BITS, error: Ulps::new(1) }
}

const fn halved(a: &Fraction) -> Fraction {
    [(a[0] >> 1) | (a[1] << 63), (a[1] >> 1) | (a[2] << 63), a[2] >> 1]
}
