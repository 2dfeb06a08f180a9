//! From what the client fixed to the two amounts that are quoted.

use crate::{PairState, PreparedPair, PricingError, mirror::certainly_executes, pair::Swap, would_execute};

use firmquote_domain::{Amount, GoodUntilKind};

/// The side of a swap whose amount the client fixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// Base units the client gives; what it gets is computed.
    Input(Amount),
    /// Base units the client wants; what it gives is computed.
    Output(Amount),
}

impl Fixed {
    /// The amount, whichever side it is on.
    const fn amount(self) -> Amount {
        match self {
            Self::Input(amount) | Self::Output(amount) => amount,
        }
    }

    /// The same side with another amount.
    const fn with_amount(self, amount: Amount) -> Self {
        match self {
            Self::Input(_) => Self::Input(amount),
            Self::Output(_) => Self::Output(amount),
        }
    }
}

/// The swap that the pool offers for what the client fixed.
///
/// Correctly rounded in the pool's favour. A verified pool's contract checks swaps in fixed point; where it would
/// refuse the correctly rounded swap, the output is lowered (or the input, where the output is fixed, raised) to an
/// amount that it executes and whose neighbour it refuses. The contract's arithmetic is not monotone to the last unit,
/// so for dust a nearer one may exist; what is found always favours the pool.
///
/// # Errors
/// Those of [`output_for`](crate::output_for) and [`input_for`](crate::input_for); for a verified pool
/// [`PricingError::TooSmall`] also where the contract executes none of the amounts that were tried, with a size that it
/// executes as it is, and [`PricingError::Empty`] where no size is found.
pub fn price(pair: &PairState, kind: GoodUntilKind, fixed: Fixed) -> Result<Swap, PricingError> {
    PreparedPair::new(*pair).price(kind, fixed)
}

impl PreparedPair {
    /// What [`price`] answers for the pair.
    ///
    /// # Errors
    /// Those of [`price`].
    pub fn price(&self, kind: GoodUntilKind, fixed: Fixed) -> Result<Swap, PricingError> {
        let swap = match (kind, self.solve(fixed)) {
            (GoodUntilKind::Plain, solved) => return solved,
            (GoodUntilKind::Verified, Ok(swap)) if self.executes_solved(&swap) => return Ok(swap),
            (GoodUntilKind::Verified, Ok(swap)) => swap,
            (GoodUntilKind::Verified, Err(PricingError::TooSmall { limit })) => {
                return Err(self.too_small(fixed, limit));
            }
            (GoodUntilKind::Verified, Err(error)) => return Err(error),
        };
        let lowered = |step| swap.output.checked_sub(step).map(|output| Swap { output, ..swap });
        let raised = |step| swap.input.checked_add(step).map(|input| Swap { input, ..swap });
        let worsened = match fixed {
            Fixed::Input(_) => nearest(swap.output, lowered, self.state()),
            Fixed::Output(_) => nearest(swap.input, raised, self.state()),
        };
        worsened.ok_or_else(|| self.too_small(fixed, fixed.amount()))
    }

    /// Whether a verified pool would execute `swap`: what [`would_execute`] answers, in much less time where the pool
    /// `gives` at least the output of the swap, and its fee is above what the contract can cut.
    ///
    /// `gives` has to be what [`Self::output_for`] answers for the swap's input.
    pub fn would_execute(&self, swap: &Swap, gives: Amount) -> bool {
        (swap.output <= gives && certainly_executes(self.state(), swap)) || executes(self.state(), swap)
    }

    /// The correctly rounded swap.
    fn solve(&self, fixed: Fixed) -> Result<Swap, PricingError> {
        Ok(match fixed {
            Fixed::Input(input) => Swap { input, output: self.output_for(input)? },
            Fixed::Output(output) => Swap { input: self.input_for(output)?, output },
        })
    }

    /// Whether the contract executes a swap that was solved: by its margin, or else by the contract's own arithmetic.
    fn executes_solved(&self, swap: &Swap) -> bool {
        certainly_executes(self.state(), swap) || executes(self.state(), swap)
    }

    /// The refusal that names the first size, doubled from `least`, that the contract executes as it is.
    fn too_small(&self, fixed: Fixed, least: Amount) -> PricingError {
        let mut sizes = std::iter::successors(Some(least), |size| size.checked_add(*size));
        let is_executed = |size: &Amount| {
            let solved = self.solve(fixed.with_amount(*size));
            solved.is_ok_and(|swap| self.executes_solved(&swap))
        };
        sizes.find(is_executed).map_or(PricingError::Empty, |limit| PricingError::TooSmall { limit })
    }
}

fn executes(pair: &PairState, swap: &Swap) -> bool {
    would_execute(pair, swap.input, swap.output)
}

/// A swap with a step below `most` that the contract executes, and refuses with one unit less: doubling steps until
/// one does, then halving the gap to the last that did not.
fn nearest(most: Amount, worsened_by: impl Fn(Amount) -> Option<Swap>, pair: &PairState) -> Option<Swap> {
    let accepted = |step: Amount| worsened_by(step).filter(|swap| executes(pair, swap));
    let largest = most.checked_sub(Amount::ONE)?;
    let mut refused = None;
    let mut step = Amount::ONE;
    let mut found = loop {
        if let Some(swap) = accepted(step) {
            break swap;
        }
        if step == largest {
            return None;
        }
        refused = Some(step);
        step = step.checked_add(step).map_or(largest, |doubled| doubled.min(largest));
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
