//! From what the client fixed to the two amounts that are quoted.

use firmquote_domain::{Amount, GoodUntilKind};

use crate::{PairState, PricingError, input_for, output_for, would_execute};

/// The side of a swap whose amount the client fixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// Base units the client gives; what it gets is computed.
    Input(Amount),
    /// Base units the client wants; what it gives is computed.
    Output(Amount),
}

/// The two amounts of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swap {
    /// Base units the client gives.
    pub input: Amount,
    /// Base units the client gets.
    pub output: Amount,
}

impl Swap {
    /// Whether a client would rather have this swap: more output, or less input for the same output.
    pub fn is_better_than(&self, other: &Self) -> bool {
        (self.output, other.input) > (other.output, self.input)
    }
}

/// The swap that the pool offers for what the client fixed.
///
/// Correctly rounded in the pool's favour. A verified pool's contract checks swaps in fixed point; where it would
/// refuse the correctly rounded swap, the output is lowered (or the input, where the output is fixed, raised) to the
/// nearest amount that it executes and beyond which it does not.
///
/// # Errors
/// Those of [`output_for`] and [`input_for`]; [`PricingError::TooSmall`] also where the contract refuses every output,
/// or every input up to twice the right one.
pub fn price(pair: &PairState, kind: GoodUntilKind, fixed: Fixed) -> Result<Swap, PricingError> {
    let swap = match fixed {
        Fixed::Input(input) => Swap { input, output: output_for(pair, input)? },
        Fixed::Output(output) => Swap { input: input_for(pair, output)?, output },
    };
    if kind == GoodUntilKind::Plain || executes(pair, &swap) {
        return Ok(swap);
    }
    let worsened = match fixed {
        Fixed::Input(_) => {
            nearest(swap.output, |step| swap.output.checked_sub(step).map(|output| Swap { output, ..swap }), pair)
        }
        Fixed::Output(_) => {
            nearest(swap.input, |step| swap.input.checked_add(step).map(|input| Swap { input, ..swap }), pair)
        }
    };
    worsened.ok_or_else(|| PricingError::TooSmall { limit: least_executable(pair, fixed) })
}

fn executes(pair: &PairState, swap: &Swap) -> bool {
    would_execute(pair, swap.input, swap.output)
}

/// The swap with the least step, at most `most`, that the contract executes: doubling steps until one does, then
/// halving the gap to the last that did not.
fn nearest(most: Amount, worsened_by: impl Fn(Amount) -> Option<Swap>, pair: &PairState) -> Option<Swap> {
    let accepted = |step: Amount| worsened_by(step).filter(|swap| executes(pair, swap));
    let mut refused = None;
    let mut step = Amount::ONE;
    let mut found = loop {
        if let Some(swap) = accepted(step) {
            break swap;
        }
        refused = Some(step);
        step = step.checked_add(step).filter(|step| *step <= most)?;
    };
    while let Some(middle) = between(refused, step) {
        match accepted(middle) {
            Some(swap) => (step, found) = (middle, swap),
            None => refused = Some(middle),
        }
    }
    Some(found)
}

/// A number halfway between the two, or `None` when they are neighbours.
fn between(low: Option<Amount>, high: Amount) -> Option<Amount> {
    let gap = high.checked_sub(low?)?;
    let half = Amount::new(gap.base_units() >> 1)?;
    low?.checked_add(half)
}

/// An amount, doubled from what was asked for, that needs no worsening; the asked one where there is none.
fn least_executable(pair: &PairState, fixed: Fixed) -> Amount {
    let (Fixed::Input(asked) | Fixed::Output(asked)) = fixed;
    let sizes = std::iter::successors(asked.checked_add(asked), |size| size.checked_add(*size));
    let swap_of = |size| match fixed {
        Fixed::Input(_) => output_for(pair, size).map(|output| Swap { input: size, output }),
        Fixed::Output(_) => input_for(pair, size).map(|input| Swap { input, output: size }),
    };
    let mut swaps = sizes.map_while(|size| swap_of(size).ok().map(|swap| (size, swap)));
    swaps.find(|(_, swap)| executes(pair, swap)).map_or(asked, |(size, _)| size)
}
