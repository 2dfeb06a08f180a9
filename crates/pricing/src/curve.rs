//! The curve in real numbers: the output or input of a swap before rounding.
//!
//! With `a = 1 - k`, `u(q) = (p*q)^a / w^k` and `M = 1 - fee`, a swap keeps
//! `uX(qX + M*in) + uY(qY - out) = uX(qX) + uY(qY)`. Solved without subtracting nearly equal numbers:
//!
//! ```text
//! out = qY * (1 - e^-y)      y = -ln1m(d) / a      d = uX/uY * expm1(a * ln1p(M*in/qX))
//! in  = qX/M * expm1(y)      y = ln1p(d) / a       d = uY/uX * (1 - e^-z)
//!                                                  z = -a * ln1m(out/qY)
//! ```
//!
//! with `ln1m(x) = ln(1 - x)`. From `x = 1/2` on, `-ln1m(x) = ln1p(x / (1 - x))`, where `1 - x` is a difference whose
//! cancellation is known, or the exact remainder of the reserve.
//!
//! Only ratios of amounts of the same asset occur, so base units need no conversion; decimals enter only `uX/uY`. What
//! depends neither on the amount nor on the fee is computed once, including reciprocals that save later divisions.

use std::cmp::Ordering;

use firmquote_domain::{Amount, BasisPoints, PoolConstant, U256, U512};

use crate::{
    PairState,
    pair::PairAsset,
    real::{Bracket, Interval, Real},
};

/// Returns a bracket of the output for `input`, given the [`Parameters`] of `pair`; [`Bracket::Huge`] if the reserve
/// cannot pay the output.
pub(crate) fn output<const N: usize>(pair: &PairState, curve: &Parameters<N>, input: Amount) -> Bracket {
    let ratio = Real::from_u256(input.base_units()).mul(&after_fee::<N>(pair.fee).mul(&curve.per_input));
    let d = curve.worth.mul(&ratio.ln_1p().mul(&curve.a).exp_m1());
    let reserve = pair.output.reserve.base_units();
    let logarithm = if d.is_below_half() {
        d.minus_ln_1m()
    } else {
        match Real::ONE.gap(&d) {
            Interval::Above(rest) => d.div(&rest).ln_1p(),
            Interval::Below(_) => return Bracket::Huge,
            Interval::Unclear => return Bracket::Near(reserve),
        }
    };
    let y = logarithm.mul(&curve.inverse_a);
    if y.is_below_half() {
        return Real::from_u256(reserve).mul(&y.one_minus_exp()).bracket();
    }
    if y.is_huge() {
        // The remaining reserve is above zero and far below one unit.
        return Bracket::Inside(reserve - U256::ONE);
    }
    // A large part of the reserve is paid out: the remainder is known to more places.
    Real::from_u256(reserve).div(&Real::ONE.add(&y.exp_m1())).bracket().subtracted_from(reserve)
}

/// Returns a bracket of the input for `output`, given the [`Parameters`] of `pair`. An `output` of the whole reserve is
/// priced as the limit.
pub(crate) fn input<const N: usize>(pair: &PairState, curve: &Parameters<N>, output: Amount) -> Bracket {
    let paid = Real::from_u256(output.base_units());
    let part = paid.mul(&curve.per_output);
    let d = if part.is_below_half() {
        curve.inverse_worth.mul(&part.minus_ln_1m().mul(&curve.a).one_minus_exp())
    } else {
        match pair.output.reserve.checked_sub(output) {
            Some(left) => {
                let logarithm = paid.div(&Real::from_u256(left.base_units())).ln_1p();
                curve.inverse_worth.mul(&logarithm.mul(&curve.a).one_minus_exp())
            }
            None => curve.inverse_worth,
        }
    };
    let y = d.ln_1p().mul(&curve.inverse_a);
    if y.is_huge() {
        return Bracket::Huge;
    }
    let scale = whole().mul(&Real::from_u256(pair.input.reserve.base_units())).div(&after_fee::<N>(pair.fee));
    scale.mul(&y.exp_m1()).bracket()
}

/// The part of a [`whole`] that remains after the fee.
fn after_fee<const N: usize>(fee: BasisPoints) -> Real<N> {
    Real::from_u64(u64::from(BasisPoints::SCALE - fee.hundredths()))
}

fn whole<const N: usize>() -> Real<N> {
    Real::from_u64(u64::from(BasisPoints::SCALE))
}

/// The parameters that all prices of a pair share, at any fee.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameters<const N: usize> {
    /// `1 - k`.
    a: Real<N>,
    inverse_a: Real<N>,
    /// `uX(qX) / uY(qY)`.
    worth: Real<N>,
    inverse_worth: Real<N>,
    /// `1 / (whole * qX)`.
    per_input: Real<N>,
    /// `1 / qY`.
    per_output: Real<N>,
}

impl<const N: usize> Parameters<N> {
    pub(crate) fn new(pair: &PairState) -> Self {
        let RelativeWorth { input, output } = RelativeWorth::new(pair);
        let a = Real::one_minus(pair.k);
        let [input_reserve, output_reserve] =
            [&pair.input, &pair.output].map(|side| Real::from_u256(side.reserve.base_units()));
        Self {
            a,
            inverse_a: Real::ONE.div(&a),
            worth: input.div(&output),
            inverse_worth: output.div(&input),
            per_input: Real::ONE.div(&whole().mul(&input_reserve)),
            per_output: Real::ONE.div(&output_reserve),
        }
    }
}

/// The worth of the two reserves on the curve, `uX(qX)` and `uY(qY)`, both scaled by the same unknown factor.
struct RelativeWorth<const N: usize> {
    input: Real<N>,
    output: Real<N>,
}

impl<const N: usize> RelativeWorth<N> {
    /// `uX(qX) / uY(qY) = (pX qX / pY qY)^a * (wY / wX)^k`, with `a = 1 - k`.
    ///
    /// In each ratio the larger number is divided by the smaller, and their exact difference goes into the logarithm,
    /// so that nothing cancels however close the two are.
    fn new(pair: &PairState) -> Self {
        let PairState { input, output, k, .. } = pair;
        let mut worth = Self { input: Real::ONE, output: Real::ONE };
        worth.multiply(value(input, output), value(output, input), &Real::one_minus(*k));
        let (input_weight, output_weight) = (U512::from(input.weight.get()), U512::from(output.weight.get()));
        if input_weight != output_weight {
            worth.multiply(output_weight, input_weight, &Real::fraction_of_one(k.steps()));
        }
        worth
    }

    /// Multiplies the ratio `input / output` by `(one / other)^exponent`.
    fn multiply(&mut self, one: U512, other: U512, exponent: &Real<N>) {
        let (large, small, side) = match one.cmp(&other) {
            Ordering::Greater => (one, other, &mut self.input),
            Ordering::Less => (other, one, &mut self.output),
            Ordering::Equal => return,
        };
        let excess = Real::from_u512(large - small).div(&Real::from_u512(small));
        let power = Real::ONE.add(&excess.ln_1p().mul(exponent).exp_m1());
        *side = side.mul(&power);
    }
}

impl<const N: usize> Real<N> {
    /// `1 - k`.
    fn one_minus(k: PoolConstant) -> Self {
        Self::fraction_of_one(PoolConstant::SCALE - k.steps())
    }

    /// `steps * 1e-18`.
    fn fraction_of_one(steps: u64) -> Self {
        Self::from_u64(steps).div(&Self::from_u64(PoolConstant::SCALE))
    }
}

/// The value of the reserve of `side`, in units common to both sides: an integer below 2^400.
pub(crate) fn value(side: &PairAsset, other: &PairAsset) -> U512 {
    let units: U512 = U256::from(side.price.steps()).widening_mul::<256, 4, 512, 8>(side.reserve.base_units());
    units * U512::from(other.decimals.units_per_token())
}
