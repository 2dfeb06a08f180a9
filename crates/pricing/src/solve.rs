//! Correctly rounded answers: evaluate, and evaluate again with more digits until the rounding is certain.

use firmquote_domain::{Amount, U256};

use crate::{PairState, PricingError, curve, exact::is_on_curve, rational, real::Bracket};

/// The output for `input`: exactly `floor` of the curve's real solution, so that rounding favours the pool.
///
/// # Errors
/// [`PricingError::TooLarge`] when the reserve cannot pay it, [`PricingError::TooSmall`] when less than one base unit
/// would come out, [`PricingError::Empty`] when no input has an output.
pub fn output_for(pair: &PairState, input: Amount) -> Result<Amount, PricingError> {
    if pair.output.reserve == Amount::ONE {
        return Err(PricingError::Empty);
    }
    let floor = match round_output(pair, input)? {
        Rounding::Exactly(output) | Rounding::Above(output) => Some(output),
        Rounding::Huge => None,
    };
    match floor {
        Some(output) if output < pair.output.reserve.base_units() => match Amount::new(output) {
            Some(output) => Ok(output),
            None => Err(PricingError::TooSmall { limit: input_for(pair, Amount::ONE)? }),
        },
        _ => Err(PricingError::TooLarge { limit: largest_input(pair)? }),
    }
}

/// The input for `output`: exactly `ceil` of the curve's real solution, so that rounding favours the pool.
///
/// # Errors
/// [`PricingError::TooLarge`] for the whole reserve and more, or when the input would pass 2^256 - 1;
/// [`PricingError::Empty`] when no output can be bought.
pub fn input_for(pair: &PairState, output: Amount) -> Result<Amount, PricingError> {
    if output < pair.output.reserve
        && let Some(input) = ceil_input(pair, output)?
    {
        return Ok(input);
    }
    Err(PricingError::TooLarge { limit: largest_output(pair)? })
}

/// The largest output that some input buys.
fn largest_output(pair: &PairState) -> Result<Amount, PricingError> {
    let all_but_one = pair.output.reserve.checked_sub(Amount::ONE).ok_or(PricingError::Empty)?;
    match round_output(pair, Amount::MAX)? {
        Rounding::Exactly(output) | Rounding::Above(output) => {
            Amount::new(output.min(all_but_one.base_units())).ok_or(PricingError::Empty)
        }
        Rounding::Huge => Ok(all_but_one),
    }
}

/// The largest input whose real output is less than the whole reserve.
fn largest_input(pair: &PairState) -> Result<Amount, PricingError> {
    match ceil_input(pair, pair.output.reserve)? {
        Some(all) => all.checked_sub(Amount::ONE).ok_or(PricingError::Empty),
        None => Ok(Amount::MAX),
    }
}

/// `ceil` of the input for `output`, the whole reserve included; `None` past 2^256 - 1.
fn ceil_input(pair: &PairState, output: Amount) -> Result<Option<Amount>, PricingError> {
    let rounding = if pair.k.steps() == 0 {
        rational::input(pair, output)
    } else {
        let widths = [curve::input::<2>, curve::input::<4>, curve::input::<8>, curve::input::<16>, curve::input::<32>];
        decide(widths, pair, output, |input| is_on_curve(pair, input, output.base_units()))?
    };
    Ok(match rounding {
        Rounding::Exactly(input) => Amount::new(input),
        Rounding::Above(input) => input.checked_add(U256::ONE).and_then(Amount::new),
        Rounding::Huge => None,
    })
}

fn round_output(pair: &PairState, input: Amount) -> Result<Rounding, PricingError> {
    if pair.k.steps() == 0 {
        return Ok(rational::output(pair, input));
    }
    let widths = [curve::output::<2>, curve::output::<4>, curve::output::<8>, curve::output::<16>, curve::output::<32>];
    decide(widths, pair, input, |output| is_on_curve(pair, input.base_units(), output))
}

/// Where a real answer lies among the integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// It is this integer.
    Exactly(U256),
    /// It lies strictly between this integer and the next.
    Above(U256),
    /// It is 2^256 or more, or the reserve cannot pay it.
    Huge,
}

/// Ziv's strategy: the same formula with 128, 256, ... bits until the bracket holds no integer. An integer that stays
/// in reach is either hit exactly, which `is_exact` tells by algebra, or left behind by more bits.
fn decide(
    widths: [fn(&PairState, Amount) -> Bracket; 5],
    pair: &PairState,
    amount: Amount,
    is_exact: impl Fn(U256) -> bool,
) -> Result<Rounding, PricingError> {
    let mut asked = None;
    for evaluate in widths {
        match evaluate(pair, amount) {
            Bracket::Inside(below) => return Ok(Rounding::Above(below)),
            Bracket::Huge => return Ok(Rounding::Huge),
            Bracket::Near(integer) if asked != Some(integer) => {
                asked = Some(integer);
                if is_exact(integer) {
                    return Ok(Rounding::Exactly(integer));
                }
            }
            Bracket::Near(_) | Bracket::Unclear => {}
        }
    }
    Err(PricingError::Undecided)
}
