//! The curve in real numbers: what a swap gives or takes before it is rounded.
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
//! Only ratios of one asset's amounts occur, so base units serve as they are; decimals enter `uX/uY` alone.

use firmquote_domain::{Amount, BasisPoints, PoolConstant, U256, U512};

use crate::{
    PairState,
    pair::Side,
    real::{Bracket, Gap, Real},
};

/// Where the output for `input` lies. [`Bracket::Huge`] when the reserve cannot pay it.
pub(crate) fn output<const N: usize>(pair: &PairState, input: Amount) -> Bracket {
    let a = exponent::<N>(pair.k);
    let reserve = pair.output.reserve.base_units();
    let grown = after_fee::<N>(pair.fee).mul(&Real::from_u256(input.base_units()));
    let ratio = grown.div(&Real::from_u256(pair.input.reserve.base_units()));
    let gained = ratio.ln_1p().mul(&a).exp_m1();
    let d = relative_worth::<N>(&pair.input, &pair.output, pair.k).times(&gained);
    let rest = match Real::one().gap(&d) {
        Gap::Above(rest) => rest,
        Gap::Below(_) => return Bracket::Huge,
        Gap::Unclear => return Bracket::Near(reserve),
    };
    let e = d.div(&rest).ln_1p().div(&a).exp_m1();
    Real::from_u256(reserve).mul(&e).div(&Real::one().add(&e)).bracket()
}

/// Where the input for `output` lies; an `output` of the whole reserve is priced too, as the limit it is.
pub(crate) fn input<const N: usize>(pair: &PairState, output: Amount) -> Bracket {
    let a = exponent::<N>(pair.k);
    let worth = relative_worth::<N>(&pair.output, &pair.input, pair.k);
    let d = match pair.output.reserve.checked_sub(output) {
        Some(left) => {
            let ratio = Real::from_u256(output.base_units()).div(&Real::from_u256(left.base_units()));
            let g = ratio.ln_1p().mul(&a).exp_m1();
            worth.times(&g.div(&Real::one().add(&g)))
        }
        None => worth.times(&Real::one()),
    };
    let e = d.ln_1p().div(&a).exp_m1();
    let needed = Real::from_u256(pair.input.reserve.base_units()).mul(&e);
    needed.div(&after_fee::<N>(pair.fee)).bracket()
}

/// `1 - k`.
fn exponent<const N: usize>(k: PoolConstant) -> Real<N> {
    Real::from_u64(PoolConstant::ONE_STEPS - k.steps()).div(&Real::from_u64(PoolConstant::ONE_STEPS))
}

/// `M = 1 - fee`.
fn after_fee<const N: usize>(fee: BasisPoints) -> Real<N> {
    let one = BasisPoints::ONE_HUNDREDTHS;
    Real::from_u64(u64::from(one - fee.hundredths())).div(&Real::from_u64(u64::from(one)))
}

/// A positive number as a product of factors that multiply or divide.
struct Worth<const N: usize> {
    factors: [Option<(bool, Real<N>)>; 2],
}

impl<const N: usize> Worth<N> {
    fn times(&self, number: &Real<N>) -> Real<N> {
        self.factors.iter().flatten().fold(
            *number,
            |product, (divides, factor)| {
                if *divides { product.div(factor) } else { product.mul(factor) }
            },
        )
    }
}

/// `u1(q1) / u2(q2) = (p1 q1 / p2 q2)^(1-k) * (w2 / w1)^k`.
fn relative_worth<const N: usize>(one: &Side, other: &Side, k: PoolConstant) -> Worth<N> {
    let values = power::<N>(value(one, other), value(other, one), PoolConstant::ONE_STEPS - k.steps());
    let weights = power::<N>(U512::from(other.weight.get()), U512::from(one.weight.get()), k.steps());
    Worth { factors: [values, weights] }
}

/// Value of a reserve in units that are the same for both sides: an integer below 2^400.
pub(crate) fn value(side: &Side, other: &Side) -> U512 {
    let units: U512 = U256::from(side.price.steps()).widening_mul::<256, 4, 512, 8>(side.reserve.base_units());
    units * U512::from(other.decimals.units_per_token())
}

/// `(one / other)^(steps * 1e-18)` as a factor and whether it divides; `None` when it is exactly 1.
///
/// The larger is divided by the smaller and their exact difference goes into the logarithm, so that nothing
/// cancels however close the two are.
fn power<const N: usize>(one: U512, other: U512, steps: u64) -> Option<(bool, Real<N>)> {
    if one == other || steps == 0 {
        return None;
    }
    let (divides, large, small) = if one > other { (false, one, other) } else { (true, other, one) };
    let ratio = Real::from_u512(large - small).div(&Real::from_u512(small));
    let exponent = Real::from_u64(steps).div(&Real::from_u64(PoolConstant::ONE_STEPS));
    let factor = Real::one().add(&ratio.ln_1p().mul(&exponent).exp_m1());
    Some((divides, factor))
}
