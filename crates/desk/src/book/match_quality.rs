//! Compares the amounts of an executed swap with those that were signed.

use std::cmp::Reverse;

use firmquote_calldata::SwappedEvent;
use firmquote_domain::{Address, MAX_PUSH_EXCESS_THOUSANDTHS, SignedSwap, U256, U512};

/// The steps in which push swaps scale their amounts.
const PUSH_STEPS: u64 = 10_000_000_000;

/// How well an event matches a swap, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchQuality {
    /// Exactly the stated amounts.
    Exact,
    /// The amounts of a push swap that found more or less than the stated input; the largest part of a swap is the best
    /// match, so that a few units are not taken for the execution of a large swap.
    Pushed(Reverse<U512>),
    /// More native coin than stated, which stays in the pool, for the stated output.
    NativeExcess,
}

impl MatchQuality {
    /// Compares an event with the key of a swap with its amounts; `None` if it cannot be that of the swap.
    pub(super) fn new(event: &SwappedEvent, swap: &SignedSwap, wrapped_native: Address) -> Option<Self> {
        let [input, output] = amounts(swap);
        if [event.input_amount, event.output_amount] == [input, output] {
            return Some(Self::Exact);
        }
        let steps = pushed_steps(event.input_amount, input);
        if event.output_amount == pushed_output(steps, output) {
            return Some(Self::Pushed(Reverse(steps)));
        }
        let is_excess = event.input_amount > input && event.output_amount == output;
        (is_excess && swap.offer.input_token == wrapped_native).then_some(Self::NativeExcess)
    }
}

/// The stated amounts of a swap.
pub(super) fn amounts(swap: &SignedSwap) -> [U256; 2] {
    [swap.offer.input_amount, swap.offer.output_amount].map(|amount| amount.base_units())
}

/// The part of a stated `input` that the contract executes if it finds `actual`, in steps of 1e-10, rounded down: at
/// most 0.5 % more than all of it.
fn pushed_steps(actual: U256, input: U256) -> U512 {
    let steps = U512::from(actual) * U512::from(PUSH_STEPS) / U512::from(input);
    steps.min(U512::from(PUSH_STEPS / 1_000 * (1_000 + MAX_PUSH_EXCESS_THOUSANDTHS)))
}

/// What the contract pays for a part of a swap with this stated `output`, rounded down.
fn pushed_output(steps: U512, output: U256) -> U256 {
    let paid = U512::from(output) * steps / U512::from(PUSH_STEPS);
    // At most 1.005 times an amount of 256 bits; no contract pays more than 256 bits.
    U256::saturating_from(paid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_pays_in_steps_and_at_most_half_a_percent_more() {
        let paid = |actual: u64, input: u64, output: u64| {
            pushed_output(pushed_steps(U256::from(actual), U256::from(input)), U256::from(output))
        };
        for (actual, input, output, expected) in [
            (3, 7, 1_000_000_000_000, 428_571_428_500_u64),
            (1_006, 1_000, 1_000, 1_005),
            (1_004, 1_000, 1_000, 1_004),
            (u64::MAX, 1, 1_000, 1_005),
            (0, 1, 1_000, 0),
        ] {
            assert_eq!(paid(actual, input, output), U256::from(expected), "{actual} for {input}");
        }
    }
}
