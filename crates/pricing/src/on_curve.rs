//! Whether a pair of integer amounts lies on the curve exactly.
//!
//! Ziv's strategy terminates only if the result is not an integer; here that is decided by algebra. With
//! `1-k = A/B` and `k = C/B` in lowest terms, the curve says `T1 - T2 - T3 + T4 = 0` for four positive reals
//! `T = b^(A/B) / w^(C/B)`. Radicals of rationals whose pairwise ratios are irrational are linearly independent over
//! the rationals (Mordell 1953), so the sum is zero only if it is within each class of rational ratios, and of these
//! only two can be: `T1 = T3` with `T2 = T4`, or all four (three, if `T4 = 0`) in one class.

use firmquote_domain::{Amount, BasisPoints, PoolConstant, U256, U512};
use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use num_traits::{One, Pow, Zero};

use crate::{PairState, curve::value};

/// Above this degree no ratio of the numbers here, other than 1, is a perfect power.
const MAX_BITS: u64 = 1024;

type Rational = Ratio<BigInt>;

/// Whether a swap of `input` for `output` lies on the curve exactly. Requires `k > 0`.
pub(crate) fn is_on_curve(pair: &PairState, input: U256, output: U256) -> bool {
    let Some(left) = pair.output.reserve.base_units().checked_sub(output) else { return false };
    let terms = CurveTerms::new(pair, input, left);
    terms.are_equal_crosswise() || terms.sum_to_zero_in_one_class()
}

/// Ratios of the bases and weights of the four terms, and the exponents.
struct CurveTerms {
    /// `b1/b2`, the input asset after and before.
    growth: Rational,
    /// `b4/b3`, the output asset after and before.
    decline: Rational,
    /// `b3/b2`, the two assets before.
    values: Rational,
    /// `wX/wY`.
    weights: Rational,
    a: u64,
    c: u64,
    b: u64,
}

impl CurveTerms {
    fn new(pair: &PairState, input: U256, output_left: U256) -> Self {
        let one = BasisPoints::SCALE;
        let before = big(U512::from(pair.input.reserve.base_units()) * U512::from(one));
        let paid = big(U512::from(input) * U512::from(one - pair.fee.hundredths()));
        let (output_value, input_value) = (value(&pair.output, &pair.input), value(&pair.input, &pair.output));
        let k = Ratio::new(pair.k.steps(), PoolConstant::SCALE);
        let reserve = |side: Amount| big(U512::from(side.base_units()));
        Self {
            growth: Rational::new(&before + paid, before),
            decline: Rational::new(big(U512::from(output_left)), reserve(pair.output.reserve)),
            values: Rational::new(big(output_value), big(input_value)),
            weights: Rational::new(pair.input.weight.get().into(), pair.output.weight.get().into()),
            a: k.denom() - k.numer(),
            c: *k.numer(),
            b: *k.denom(),
        }
    }

    /// `T1 = T3` and `T2 = T4`.
    fn are_equal_crosswise(&self) -> bool {
        // T1/T3 = (b1/b3)^(A/B) * (wY/wX)^(C/B), and b1/b3 = growth / values; T2/T4 = (b2/b4)^(A/B) * (wY/wX)^(C/B).
        let first = &self.growth / &self.values;
        if self.decline.is_zero() || first != (&self.decline * &self.values).recip() {
            return false;
        }
        self.is_weight_power(&first)
    }

    /// Whether `ratio^A = (wX/wY)^C`. As A and C have no common factor, both sides are powers of one rational t:
    /// `ratio = t^C`, `wX/wY = t^A`.
    fn is_weight_power(&self, ratio: &Rational) -> bool {
        if self.weights.is_one() {
            return ratio.is_one();
        }
        let Some(t) = root(&self.weights, self.a) else { return false };
        power(&t, self.c).is_some_and(|expected| expected == *ratio)
    }

    /// All ratios of the terms rational, and `T1/T2 - 1 = T3/T2 * (1 - T4/T3)`.
    fn sum_to_zero_in_one_class(&self) -> bool {
        self.class_ratios()
            .is_some_and(|[gained, worth, left]| gained - Rational::one() == worth * (Rational::one() - left))
    }

    /// `T1/T2`, `T3/T2` and `T4/T3`, or `None` if one of them is irrational.
    fn class_ratios(&self) -> Option<[Rational; 3]> {
        let gained = power(&root(&self.growth, self.b)?, self.a)?;
        let left =
            if self.decline.is_zero() { Rational::zero() } else { power(&root(&self.decline, self.b)?, self.a)? };
        // (b3/b2)^(A/B) * (wX/wY)^(C/B) = b3/b2 * (wX/wY / (b3/b2))^(C/B), as A + C = B.
        let worth = &self.values * power(&root(&(&self.weights / &self.values), self.b)?, self.c)?;
        Some([gained, worth, left])
    }
}

/// The rational whose `degree`-th power is `number`, or `None`.
fn root(number: &Rational, degree: u64) -> Option<Rational> {
    if number.is_one() {
        return Some(Rational::one());
    }
    let degree = u32::try_from(degree).ok().filter(|degree| u64::from(*degree) <= MAX_BITS)?;
    let exact = |whole: &BigInt| Some(whole.nth_root(degree)).filter(|root| root.pow(degree) == *whole);
    Some(Rational::new(exact(number.numer())?, exact(number.denom())?))
}

/// `number^exponent`, or `None` if that is too large to equal any number here.
fn power(number: &Rational, exponent: u64) -> Option<Rational> {
    if number.is_one() {
        return Some(Rational::one());
    }
    let exponent = u32::try_from(exponent).ok().filter(|exponent| u64::from(*exponent) <= MAX_BITS)?;
    Some(Pow::pow(number, exponent))
}

fn big(number: U512) -> BigInt {
    BigUint::from_bytes_le(&number.to_le_bytes::<64>()).into()
}
