//! The reference: the rounded real solution, computed by another library in another way.
//!
//! It evaluates the formula as published, including its subtractions, with 320 bits (96 digits) to make up for
//! cancellation.
#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use dashu_float::{FBig, round::mode::HalfEven};
use dashu_int::{IBig, UBig};
use firmquote_domain::{Amount, BasisPoints, PoolConstant, U256};
use firmquote_pricing::{PairAsset, PairState, PricingError};

pub(crate) type Real = FBig<HalfEven, 2>;

const BITS: usize = 320;

fn real(number: U256) -> Real {
    Real::from_parts(IBig::from(UBig::from_le_bytes(&number.to_le_bytes::<32>())), 0).with_precision(BITS).value()
}

/// One asset with its curve `u(q) = (p q)^a / w^k`, q in base units.
struct Curve {
    /// Whether k = 0, where `u` is the value.
    is_line: bool,
    a: Real,
    price: Real,
    /// `ln(w^k)`.
    weight: Real,
    reserve: Real,
}

impl Curve {
    fn new(side: &PairAsset, k: PoolConstant) -> Self {
        let one = real(U256::from(PoolConstant::SCALE));
        let k = real(U256::from(k.steps())) / &one;
        Self {
            is_line: k == real(U256::ZERO),
            a: real(U256::ONE) - &k,
            price: real(U256::from(side.price.steps())) / real(U256::from(side.decimals.units_per_token())),
            weight: real(U256::from(side.weight.get())).ln() * k,
            reserve: real(side.reserve.base_units()),
        }
    }

    fn u(&self, quantity: &Real) -> Real {
        if self.is_line {
            return quantity * &self.price;
        }
        ((quantity * &self.price).ln() * &self.a - &self.weight).exp()
    }

    /// Returns the quantity with this `u`.
    fn quantity(&self, u: &Real) -> Real {
        if self.is_line {
            return u / &self.price;
        }
        ((u.ln() + &self.weight) / &self.a).exp() / &self.price
    }
}

/// Returns the pool's invariant: the sum of `u` over both assets.
pub(crate) fn invariant(pair: &PairState) -> Real {
    let curves = [&pair.input, &pair.output].map(|side| Curve::new(side, pair.k));
    let [input, output] = curves.map(|curve| curve.u(&curve.reserve));
    input + output
}

fn after_fee(fee: BasisPoints) -> Real {
    let one = BasisPoints::SCALE;
    real(U256::from(one - fee.hundredths())) / real(U256::from(one))
}

/// Returns the real output for `input`, or `None` if the reserve cannot pay it.
fn reference_output(pair: &PairState, input: Amount) -> Option<Real> {
    let (x, y) = (Curve::new(&pair.input, pair.k), Curve::new(&pair.output, pair.k));
    let after = &x.reserve + after_fee(pair.fee) * real(input.base_units());
    let remaining = y.u(&y.reserve) + x.u(&x.reserve) - x.u(&after);
    (remaining > real(U256::ZERO)).then(|| &y.reserve - y.quantity(&remaining))
}

/// Returns the real input for `output`.
fn reference_input(pair: &PairState, output: Amount) -> Real {
    let (x, y) = (Curve::new(&pair.input, pair.k), Curve::new(&pair.output, pair.k));
    let remaining = &y.reserve - real(output.base_units());
    let after = x.u(&x.reserve) + y.u(&y.reserve) - y.u(&remaining);
    (x.quantity(&after) - &x.reserve) / after_fee(pair.fee)
}

/// Asserts that `integer` is `solution` rounded down (or up).
///
/// A solution within `tolerance` of an integer counts as that integer, except for zero, which is no swap's solution.
fn assert_rounded(solution: &Real, integer: U256, up: bool, context: &dyn std::fmt::Debug) {
    let tolerance = Real::from_parts(IBig::ONE, -60);
    let one = real(U256::ONE);
    let error = if up { real(integer) - solution } else { solution - real(integer) };
    let is_above_zero = up && integer == U256::ONE && error < one;
    assert!(
        error >= -tolerance.clone() && (is_above_zero || error < one - tolerance),
        "{integer} is off by {error:?} for {context:?}"
    );
}

/// Asserts that `result` is the correctly rounded output for `input`, or the right reason why there is none.
pub(crate) fn check_output(pair: &PairState, input: Amount, result: Result<Amount, PricingError>) {
    let context = (pair, input);
    let solution = reference_output(pair, input);
    match result {
        Ok(output) => {
            assert_rounded(&solution.expect("the reserve pays it"), output.base_units(), false, &context);
        }
        Err(PricingError::TooSmall { limit }) => {
            assert_rounded(&solution.expect("the reserve pays it"), U256::ZERO, false, &context);
            assert!(limit > input, "{context:?}");
        }
        Err(PricingError::TooLarge { limit }) => {
            assert!(solution.is_none(), "{context:?}");
            assert!(limit < input, "{context:?}");
        }
        Err(PricingError::Empty) => {
            let one_unit = reference_output(pair, Amount::ONE);
            assert!(pair.output.reserve == Amount::ONE || one_unit.is_none(), "{context:?}");
        }
        Err(PricingError::Undecided) => panic!("undecided: {context:?}"),
    }
}

/// Asserts that `result` is the correctly rounded input for `output`, or the right reason why there is none.
pub(crate) fn check_input(pair: &PairState, output: Amount, result: Result<Amount, PricingError>) {
    let context = (pair, output);
    match result {
        Ok(input) => {
            assert_rounded(&reference_input(pair, output), input.base_units(), true, &context);
        }
        Err(PricingError::TooLarge { .. }) => {
            assert!(output == pair.output.reserve || reference_input(pair, output) > real(U256::MAX), "{context:?}");
        }
        Err(PricingError::Empty) => assert_eq!(pair.output.reserve, Amount::ONE, "{context:?}"),
        Err(error) => panic!("{error}: {context:?}"),
    }
}
