//! The output of firm levels: straight lines between their knots, starting at zero.

use firmquote_domain::{Amount, U256, U512, narrow};

/// The output for cumulative inputs, and the input for cumulative outputs.
pub(super) struct FirmCurve(Vec<[U256; 2]>);

impl FirmCurve {
    /// Creates a curve through these knots, whose inputs and outputs both rise.
    pub(super) fn new(knots: impl IntoIterator<Item = [Amount; 2]>) -> Self {
        Self(knots.into_iter().map(|knot| knot.map(Amount::base_units)).collect())
    }

    /// Returns `end` and the last knot before it.
    pub(super) fn last_ends(&self, end: Amount) -> impl Iterator<Item = Amount> {
        let before = self.0.iter().rev().map(|[input, _]| *input).find(|input| *input < end.base_units());
        before.and_then(Amount::new).into_iter().chain([end])
    }

    /// Returns the output for `input` after `used`, rounded down at both ends, so that the outputs of parts add up to
    /// exactly that of the whole. `None` beyond the last knot, or for less than one base unit.
    pub(super) fn output_after(&self, used: U256, input: Amount) -> Option<Amount> {
        let end = self.output_for(used.checked_add(input.base_units())?)?;
        Amount::new(end.checked_sub(self.output_for(used)?)?)
    }

    /// Returns the smallest input after `used` for which the output is at least `output`; `None` if none within the
    /// knots is.
    pub(super) fn input_after(&self, used: U256, output: Amount) -> Option<Amount> {
        let end = self.input_for(self.output_for(used)?.checked_add(output.base_units())?)?;
        Amount::new(end.checked_sub(used)?)
    }

    /// Returns the maximum input for `output` at any position below `end`: at the end, where the price is worst.
    pub(super) fn max_input_for(&self, output: Amount, end: Amount) -> Option<Amount> {
        let before = self.output_for(end.base_units())?.checked_sub(output.base_units())?;
        // The last input whose output is at most `before`.
        let start = self.input_for(before + U256::ONE)?.checked_sub(U256::ONE)?;
        Amount::new(end.base_units().checked_sub(start)?)
    }

    fn output_for(&self, input: U256) -> Option<U256> {
        let mut start = [U256::ZERO; 2];
        for end in self.0.iter().copied() {
            if input <= end[0] {
                return narrow(wide(end[1] - start[1]) * wide(input - start[0]) / wide(end[0] - start[0]))
                    .map(|risen| start[1] + risen);
            }
            start = end;
        }
        None
    }

    /// The smallest input whose output, rounded down, is `output`.
    fn input_for(&self, output: U256) -> Option<U256> {
        let mut start = [U256::ZERO; 2];
        for end in self.0.iter().copied() {
            if output <= end[1] {
                let width = wide(output - start[1]) * wide(end[0] - start[0]);
                return narrow(width.div_ceil(wide(end[1] - start[1]))).map(|width| start[0] + width);
            }
            start = end;
        }
        None
    }
}

fn wide(number: U256) -> U512 {
    U512::from(number)
}
