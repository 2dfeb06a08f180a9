//! Prices a swap: from the amount that the client fixes to both amounts of the quote.

use crate::{PairState, PreparedPair, PricingError, mirror::certainly_executes, pair::Swap, would_execute};

use firmquote_domain::{Amount, GoodUntilKind, SwapAmount};

/// Computes the swap that the pool offers for the amount fixed by the client.
///
/// Correctly rounded in the pool's favor, and never better than the prices by more than the pool's bound. A verified pool's contract checks swaps in fixed point; if it would reject
/// the correctly rounded swap, the output is lowered (or the input raised, if the output is fixed) to an amount that it
/// executes and whose neighbor it rejects. The contract's arithmetic is not monotonic to the last unit, so for dust a
/// closer amount may exist; the one found always favors the pool.
///
/// # Errors
/// Those of [`offered_output`](crate::offered_output) and [`offered_input`](crate::offered_input); for a verified pool also
/// [`PricingError::TooSmall`] if the contract executes none of the amounts tried, with a size that it executes
/// unchanged, and [`PricingError::Empty`] if no such size is found.
pub fn price(pair: &PairState, kind: GoodUntilKind, fixed: SwapAmount) -> Result<Swap, PricingError> {
    PreparedPair::new(*pair).price(kind, fixed)
}

impl PreparedPair {
    /// Returns the same result as [`price`] for this pair.
    ///
    /// # Errors
    /// Those of [`price`].
    pub fn price(&self, kind: GoodUntilKind, fixed: SwapAmount) -> Result<Swap, PricingError> {
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
            SwapAmount::ExactInput(_) => nearest(swap.output, lowered, self.state()),
            SwapAmount::ExactOutput(_) => nearest(swap.input, raised, self.state()),
        };
        worsened.ok_or_else(|| self.too_small(fixed, fixed.amount()))
    }

    /// Whether a verified pool would execute `swap`. Returns the same result as [`would_execute`], but much faster if
    /// the pool `gives` at least the output of the swap and its fee exceeds the contract's possible truncation.
    ///
    /// `gives` must be the result of [`Self::output_for`] for the swap's input.
    pub fn would_execute(&self, swap: &Swap, gives: Amount) -> bool {
        (swap.output <= gives && certainly_executes(self.state(), swap)) || executes(self.state(), swap)
    }

    /// The correctly rounded swap of the offer.
    fn solve(&self, fixed: SwapAmount) -> Result<Swap, PricingError> {
        Ok(match fixed {
            SwapAmount::ExactInput(input) => Swap { input, output: self.offered_output(input)? },
            SwapAmount::ExactOutput(output) => Swap { input: self.offered_input(output)?, output },
        })
    }

    /// Whether the contract executes a solved swap: decided by its margin if possible, else by the contract's own
    /// arithmetic.
    fn executes_solved(&self, swap: &Swap) -> bool {
        certainly_executes(self.state(), swap) || executes(self.state(), swap)
    }

    /// Returns the error with the first size, doubling from `smallest`, that the contract executes unchanged.
    fn too_small(&self, fixed: SwapAmount, smallest: Amount) -> PricingError {
        let mut sizes = std::iter::successors(Some(smallest), |size| size.checked_add(*size));
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

/// Finds a swap, worsened by a step below `max_step`, that the contract executes but rejects with a step one unit smaller:
/// doubles the step until the contract executes the swap, then bisects the gap to the last rejected step.
fn nearest(max_step: Amount, worsened_by: impl Fn(Amount) -> Option<Swap>, pair: &PairState) -> Option<Swap> {
    let accepted = |step: Amount| worsened_by(step).filter(|swap| executes(pair, swap));
    let largest = max_step.checked_sub(Amount::ONE)?;
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

/// The number halfway between the two, or `None` if they are adjacent.
fn between(low: Option<Amount>, high: Amount) -> Option<Amount> {
    let gap = high.checked_sub(low?)?;
    let half = Amount::new(gap.base_units() >> 1)?;
    low?.checked_add(half)
}
