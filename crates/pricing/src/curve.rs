//! The curve in real numbers: the output or input of a swap before rounding.
//!
//! With `a = 1 - k`, `u(q) = (p*q)^a / w^k` and `M = 1 - fee`, a swap keeps
//! `uX(qX + M*in) + uY(qY - out) = uX(qX) + uY(qY)`. Solved without subtracting nearly equal numbers:
//!
//! ```text
//! out = qY * E / (1 + E)      E = expm1(ln1p(d / (1 - d)) / a)      d = uX/uY * expm1(a * ln1p(M*in/qX))
//! in  = qX/M * E              E = expm1(ln1p(d) / a)                d = uY/uX * G / (1 + G)
//!                                                                   G = expm1(a * ln1p(out / (qY - out)))
//! ```
//!
//! Only ratios of amounts of the same asset occur, so base units need no conversion; decimals enter only `uX/uY`. That
//! ratio, half of the work, depends neither on the amount nor on the fee, so it is passed in and can be cached.

use std::cmp::Ordering;

use firmquote_domain::{Amount, BasisPoints, PoolConstant, U256, U512};

use crate::{
    PairState,
    pair::Side,
    real::{Bracket, Interval, Real},
};

/// Returns a bracket of the output for `input`, given the [`RelativeWorth`] of `pair`; [`Bracket::Huge`] if the reserve
/// cannot pay the output.
pub(crate) fn output<const N: usize>(pair: &PairState, worth: &RelativeWorth<N>, input: Amount) -> Bracket {
    let (reserve, a) = (pair.output.reserve.base_units(), Real::<N>::one_minus(pair.k));
    let grown = kept::<N>(pair.fee).mul(&Real::from_u256(input.base_units()));
    let ratio = grown.div(&whole().mul(&Real::from_u256(pair.input.reserve.base_units())));
    // d / (1 - d) with d = input * gained / output.
    let gained = worth.input.mul(&ratio.ln_1p().mul(&a).exp_m1());
    let rest = match worth.output.gap(&gained) {
        Interval::Above(rest) => rest,
        Interval::Below(_) => return Bracket::Huge,
        Interval::Unclear => return Bracket::Near(reserve),
    };
    let y = gained.div(&rest).ln_1p().div(&a);
    if y.is_huge() {
        // The remaining reserve is above zero and far below one unit.
        return Bracket::Inside(reserve - U256::ONE);
    }
    let e = y.exp_m1();
    let grown = Real::ONE.add(&e);
    if e.is_at_least_one() {
        // Most of the reserve is paid out: the remainder, reserve / (1 + e), is known to more places.
        return Real::from_u256(reserve).div(&grown).bracket().subtracted_from(reserve);
    }
    Real::from_u256(reserve).mul(&e).div(&grown).bracket()
}

/// Returns a bracket of the input for `output`, given the [`RelativeWorth`] of `pair`. An `output` of the whole reserve
/// is priced as the limit.
pub(crate) fn input<const N: usize>(pair: &PairState, worth: &RelativeWorth<N>, output: Amount) -> Bracket {
    let (reserve, a) = (pair.input.reserve.base_units(), Real::<N>::one_minus(pair.k));
    let RelativeWorth { output: up, input: down } = worth;
    let d = match pair.output.reserve.checked_sub(output) {
        Some(left) => {
            let ratio = Real::from_u256(output.base_units()).div(&Real::from_u256(left.base_units()));
            let g = ratio.ln_1p().mul(&a).exp_m1();
            up.mul(&g).div(&down.mul(&Real::ONE.add(&g)))
        }
        None => up.div(down),
    };
    let y = d.ln_1p().div(&a);
    if y.is_huge() {
        return Bracket::Huge;
    }
    let e = y.exp_m1();
    whole().mul(&Real::from_u256(reserve)).mul(&e).div(&kept::<N>(pair.fee)).bracket()
}

/// The part of a [`whole`] that remains after the fee.
fn kept<const N: usize>(fee: BasisPoints) -> Real<N> {
    Real::from_u64(u64::from(BasisPoints::ONE_HUNDREDTHS - fee.hundredths()))
}

fn whole<const N: usize>() -> Real<N> {
    Real::from_u64(u64::from(BasisPoints::ONE_HUNDREDTHS))
}

/// The worth of the two reserves on the curve, `uX(qX)` and `uY(qY)`, both scaled by the same unknown factor; both
/// numbers are at least 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelativeWorth<const N: usize> {
    input: Real<N>,
    output: Real<N>,
}

impl<const N: usize> RelativeWorth<N> {
    /// `uX(qX) / uY(qY) = (pX qX / pY qY)^a * (wY / wX)^k`, with `a = 1 - k`.
    ///
    /// In each ratio the larger number is divided by the smaller, and their exact difference goes into the logarithm,
    /// so that nothing cancels however close the two are.
    pub(crate) fn new(pair: &PairState) -> Self {
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
        Self::fraction_of_one(PoolConstant::ONE_STEPS - k.steps())
    }

    /// `steps * 1e-18`.
    fn fraction_of_one(steps: u64) -> Self {
        Self::from_u64(steps).div(&Self::from_u64(PoolConstant::ONE_STEPS))
    }
}

/// The value of the reserve of `side`, in units common to both sides: an integer below 2^400.
pub(crate) fn value(side: &Side, other: &Side) -> U512 {
    let units: U512 = U256::from(side.price.steps()).widening_mul::<256, 4, 512, 8>(side.reserve.base_units());
    units * U512::from(other.decimals.units_per_token())
}
