//! Correctly rounded solutions: exact if k is zero and the curve a straight line; otherwise evaluated with more and
//! more digits until the rounding is certain.

use std::iter;

use firmquote_domain::{Amount, BasisPoints, U256, U512, narrow};

use crate::{
    PairState, PreparedPair, PricingError,
    curve::{self, Parameters},
    on_curve::is_on_curve,
    pair::PairAsset,
    prepared::Shape,
    real::Bracket,
};

/// The output for `input`: exactly `floor` of the curve's real solution, so that rounding favors the pool.
///
/// # Errors
/// [`PricingError::TooLarge`] if the reserve cannot pay the output, [`PricingError::TooSmall`] if the output would be
/// less than one base unit, [`PricingError::Empty`] if no input has an output.
pub fn output_for(pair: &PairState, input: Amount) -> Result<Amount, PricingError> {
    PreparedPair::new(*pair).output_for(input)
}

/// The input for `output`: exactly `ceil` of the curve's real solution, so that rounding favors the pool.
///
/// # Errors
/// [`PricingError::TooLarge`] for the whole reserve or more, or if the input would exceed 2^256 - 1;
/// [`PricingError::Empty`] if no output can be bought.
pub fn input_for(pair: &PairState, output: Amount) -> Result<Amount, PricingError> {
    PreparedPair::new(*pair).input_for(output)
}

impl PreparedPair {
    /// Returns the same result as [`output_for`] for this pair.
    ///
    /// # Errors
    /// Those of [`output_for`].
    pub fn output_for(&self, input: Amount) -> Result<Amount, PricingError> {
        let reserve = self.state().output.reserve;
        if reserve == Amount::ONE {
            return Err(PricingError::Empty);
        }
        let floor = match self.round_output(input)? {
            Rounding::Exact(output) | Rounding::Between(output) => Some(output),
            Rounding::Overflow => None,
        };
        match floor {
            Some(output) if output < reserve.base_units() => match Amount::new(output) {
                Some(output) => Ok(output),
                None => Err(PricingError::TooSmall { limit: self.input_for(Amount::ONE)? }),
            },
            _ => Err(PricingError::TooLarge { limit: self.largest_input()? }),
        }
    }

    /// Returns the same result as [`input_for`] for this pair.
    ///
    /// # Errors
    /// Those of [`input_for`].
    pub fn input_for(&self, output: Amount) -> Result<Amount, PricingError> {
        if output < self.state().output.reserve
            && let Some(input) = self.ceil_input(output)?
        {
            return Ok(input);
        }
        Err(PricingError::TooLarge { limit: self.largest_output()? })
    }

    /// The largest output that any input buys.
    fn largest_output(&self) -> Result<Amount, PricingError> {
        let all_but_one = self.state().output.reserve.checked_sub(Amount::ONE).ok_or(PricingError::Empty)?;
        match self.round_output(Amount::MAX)? {
            Rounding::Exact(output) | Rounding::Between(output) => {
                Amount::new(output.min(all_but_one.base_units())).ok_or(PricingError::Empty)
            }
            Rounding::Overflow => Ok(all_but_one),
        }
    }

    /// The largest input whose real output is less than the whole reserve.
    fn largest_input(&self) -> Result<Amount, PricingError> {
        match self.ceil_input(self.state().output.reserve)? {
            Some(all) => all.checked_sub(Amount::ONE).ok_or(PricingError::Empty),
            None => Ok(Amount::MAX),
        }
    }

    /// `ceil` of the input for `output`, which may be the whole reserve; `None` above 2^256 - 1.
    fn ceil_input(&self, output: Amount) -> Result<Option<Amount>, PricingError> {
        let pair = self.state();
        let rounding = match self.shape() {
            Shape::Straight => straight_input(pair, output),
            Shape::Curved(parameters) => {
                let is_exact = |input| is_on_curve(pair, input, output.base_units());
                let wider: [Wide; 4] = [wide_input::<4>, wide_input::<8>, wide_input::<16>, wide_input::<32>];
                round_with_certainty(
                    curve::input(pair, parameters, output),
                    wider.map(|input| move || input(pair, output)),
                    is_exact,
                )?
            }
        };
        Ok(match rounding {
            Rounding::Exact(input) => Amount::new(input),
            Rounding::Between(input) => input.checked_add(U256::ONE).and_then(Amount::new),
            Rounding::Overflow => None,
        })
    }

    fn round_output(&self, input: Amount) -> Result<Rounding, PricingError> {
        let pair = self.state();
        match self.shape() {
            Shape::Straight => Ok(straight_output(pair, input)),
            Shape::Curved(parameters) => {
                let is_exact = |output| is_on_curve(pair, input.base_units(), output);
                let wider: [Wide; 4] = [wide_output::<4>, wide_output::<8>, wide_output::<16>, wide_output::<32>];
                round_with_certainty(
                    curve::output(pair, parameters, input),
                    wider.map(|output| move || output(pair, input)),
                    is_exact,
                )
            }
        }
    }
}

/// A function that evaluates the curve in more than the narrowest width.
type Wide = fn(&PairState, Amount) -> Bracket;

fn wide_input<const N: usize>(pair: &PairState, output: Amount) -> Bracket {
    curve::input(pair, &Parameters::<N>::new(pair), output)
}

fn wide_output<const N: usize>(pair: &PairState, input: Amount) -> Bracket {
    curve::output(pair, &Parameters::<N>::new(pair), input)
}

/// The position of a real solution among the integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// Equal to this integer.
    Exact(U256),
    /// Strictly between this integer and the next.
    Between(U256),
    /// 2^256 or more, or more than the reserve can pay.
    Overflow,
}

/// Ziv's strategy: the same formula with 128, 256, ... bits until the bracket contains no integer. An integer that
/// stays within reach is either the exact solution, which `is_exact` decides by algebra, or excluded with more bits.
fn round_with_certainty(
    narrow: Bracket,
    wider: [impl FnOnce() -> Bracket; 4],
    is_exact: impl Fn(U256) -> bool,
) -> Result<Rounding, PricingError> {
    let mut tested = None;
    for bracket in iter::once(narrow).chain(wider.into_iter().map(|evaluate| evaluate())) {
        match bracket {
            Bracket::Inside(below) => return Ok(Rounding::Between(below)),
            Bracket::Huge => return Ok(Rounding::Overflow),
            Bracket::Near(integer) if tested != Some(integer) => {
                tested = Some(integer);
                if is_exact(integer) {
                    return Ok(Rounding::Exact(integer));
                }
            }
            Bracket::Near(_) | Bracket::Unclear => {}
        }
    }
    Err(PricingError::Undecided)
}

/// The output for `input`: `in * M * pX / pY` in base units.
fn straight_output(pair: &PairState, input: Amount) -> Rounding {
    let numerator = U512::from(fee_complement(pair)) * base_unit_value(&pair.input, &pair.output);
    let denominator = U512::from(BasisPoints::SCALE) * base_unit_value(&pair.output, &pair.input);
    divide(input, numerator, denominator)
}

/// The input for `output`: `out * pY / (M * pX)` in base units.
fn straight_input(pair: &PairState, output: Amount) -> Rounding {
    let numerator = U512::from(BasisPoints::SCALE) * base_unit_value(&pair.output, &pair.input);
    let denominator = U512::from(fee_complement(pair)) * base_unit_value(&pair.input, &pair.output);
    divide(output, numerator, denominator)
}

fn fee_complement(pair: &PairState) -> u32 {
    BasisPoints::SCALE - pair.fee.hundredths()
}

/// The value of one base unit, in units common to both sides: below 2^144.
fn base_unit_value(side: &PairAsset, other: &PairAsset) -> U512 {
    U512::from(side.price.steps()) * U512::from(other.decimals.units_per_token())
}

/// `amount * numerator / denominator`; 256 + 20 + 144 bits at most, so nothing overflows.
fn divide(amount: Amount, numerator: U512, denominator: U512) -> Rounding {
    let (quotient, rest) = (U512::from(amount.base_units()) * numerator).div_rem(denominator);
    match narrow(quotient) {
        Some(quotient) if rest.is_zero() => Rounding::Exact(quotient),
        Some(quotient) => Rounding::Between(quotient),
        None => Rounding::Overflow,
    }
}
