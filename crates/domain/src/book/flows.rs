//! Amounts of one token that swaps move.

use std::ops::{AddAssign, SubAssign};

use alloy_primitives::{Address, U256, U512};

use crate::{Amount, Offer, narrow};

/// Thousandths by which a push swap may exceed its stated amounts: push swaps pay for the input that they find.
pub const MAX_PUSH_EXCESS_THOUSANDTHS: u64 = 5;

/// Sums of amounts of one token, in base units. They cannot overflow: no book holds 2^256 swaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenFlows {
    /// The amount that swaps would bring in.
    pub inflow: U512,
    /// The amount that swaps would take out.
    pub outflow: U512,
}

impl TokenFlows {
    /// Returns the most that the same swaps can move: the stated amounts plus [`MAX_PUSH_EXCESS_THOUSANDTHS`], rounded
    /// up.
    #[must_use]
    pub fn with_push_excess(self) -> Self {
        let with_excess = |sum: U512| sum + (sum * U512::from(MAX_PUSH_EXCESS_THOUSANDTHS)).div_ceil(U512::from(1_000));
        Self { inflow: with_excess(self.inflow), outflow: with_excess(self.outflow) }
    }
}

/// Returns the largest sum of stated amounts with which swaps can move at most `flow`; the inverse of
/// [`TokenFlows::with_push_excess`], rounded down.
pub fn max_stated_amount(flow: U256) -> U256 {
    let sum = U512::from(flow) * U512::from(1_000) / U512::from(1_000 + MAX_PUSH_EXCESS_THOUSANDTHS);
    narrow(sum).unwrap_or(flow)
}

impl AddAssign for TokenFlows {
    fn add_assign(&mut self, other: Self) {
        self.inflow = self.inflow.saturating_add(other.inflow);
        self.outflow = self.outflow.saturating_add(other.outflow);
    }
}

impl SubAssign for TokenFlows {
    fn sub_assign(&mut self, other: Self) {
        self.inflow = self.inflow.saturating_sub(other.inflow);
        self.outflow = self.outflow.saturating_sub(other.outflow);
    }
}

impl Offer {
    /// Returns the stated amounts of `token` that the swap moves.
    pub fn flows(&self, token: Address) -> TokenFlows {
        let moved = |is_moved, amount: Amount| if is_moved { U512::from(amount.base_units()) } else { U512::ZERO };
        TokenFlows {
            inflow: moved(self.input_token == token, self.input_amount),
            outflow: moved(self.output_token == token, self.output_amount),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_fitting_amount_is_tight() {
        for flow in [0, 1, 200, 201, 1_005, 1_006, 999_999_999_999_u64] {
            let stated = max_stated_amount(U256::from(flow));
            let moved =
                |sum: U256| TokenFlows { inflow: U512::from(sum), outflow: U512::ZERO }.with_push_excess().inflow;
            assert!(moved(stated) <= U512::from(flow), "{flow}");
            assert!(moved(stated + U256::ONE) > U512::from(flow), "{flow}");
        }
        assert!(U512::from(max_stated_amount(U256::MAX)) < U512::from(U256::MAX));
    }
}
