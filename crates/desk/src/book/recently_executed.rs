//! What each client has executed in the last hour, in half-hour steps: it earns room for more outstanding swaps.

use alloy_primitives::map::HashMap;
use firmquote_domain::{Address, Client, SignedSwap, Timestamp, TokenFlows};

/// The length of a step, in seconds: what is executed counts for one to two of them.
const STEP_SECONDS: u32 = 1_800;

/// The stated amounts of executed swaps, by client and token.
#[derive(Debug, Default)]
pub(super) struct RecentlyExecuted(HashMap<(Client, Address), Steps>);

/// The sums of the step with this number and of the one before.
#[derive(Clone, Copy, Debug, Default)]
struct Steps {
    number: u32,
    current: TokenFlows,
    previous: TokenFlows,
}

impl Steps {
    /// Returns the sums as of the step `number`.
    fn at(self, number: u32) -> Self {
        match number.checked_sub(self.number) {
            Some(0) | None => self,
            Some(1) => Self { number, current: TokenFlows::default(), previous: self.current },
            Some(_) => Self { number, ..Self::default() },
        }
    }
}

impl RecentlyExecuted {
    /// Adds a swap of a client with credentials that was executed.
    pub(super) fn add(&mut self, swap: &SignedSwap, now: Timestamp) {
        self.change(swap, now, |sum, flows| *sum += flows);
    }

    /// Subtracts a swap whose execution was undone.
    pub(super) fn subtract(&mut self, swap: &SignedSwap, now: Timestamp) {
        self.change(swap, now, |sum, flows| *sum -= flows);
    }

    /// Returns what `client` has executed of `token`.
    pub(super) fn flows_of(&self, client: &Client, token: Address, now: Timestamp) -> TokenFlows {
        let steps = self.0.get(&(client.clone(), token)).copied().unwrap_or_default().at(step(now));
        let mut flows = steps.current;
        flows += steps.previous;
        flows
    }

    fn change(&mut self, swap: &SignedSwap, now: Timestamp, change: impl Fn(&mut TokenFlows, TokenFlows)) {
        if swap.client == Client::Anonymous {
            return;
        }
        for token in [swap.offer.input_token, swap.offer.output_token] {
            let steps = self.0.entry((swap.client.clone(), token)).or_default();
            *steps = steps.at(step(now));
            change(&mut steps.current, swap.offer.flows(token));
        }
    }
}

fn step(now: Timestamp) -> u32 {
    now.seconds().get() / STEP_SECONDS
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use firmquote_domain::{NativeSide, U512};

    use super::*;
    use crate::book::candidates::tests::swap;

    #[test]
    fn an_execution_counts_for_half_an_hour_to_an_hour() {
        let mut signed = SignedSwap::clone(&swap(1, [1_000, 3_000], NativeSide::Neither, 10).swap);
        signed.client = Client::Named("acme".into());
        let [input, output] = [signed.offer.input_token, signed.offer.output_token];
        let mut executed = RecentlyExecuted::default();
        let start = Timestamp::from_seconds(100 * STEP_SECONDS);
        let later = |seconds| start.plus_seconds(seconds);
        executed.add(&signed, later(10));
        executed.add(&signed, later(STEP_SECONDS + 10));
        let found = |executed: &RecentlyExecuted, seconds| {
            let flows = |token| executed.flows_of(&signed.client, token, later(seconds));
            [flows(input).inflow, flows(output).outflow].map(|sum: U512| sum.to::<u64>())
        };
        for (seconds, expected) in
            [(STEP_SECONDS, [2_000, 6_000]), (2 * STEP_SECONDS, [1_000, 3_000]), (3 * STEP_SECONDS, [0, 0])]
        {
            assert_eq!(found(&executed, seconds), expected, "{seconds}");
        }
        executed.subtract(&signed, later(STEP_SECONDS + 20));
        assert_eq!(found(&executed, STEP_SECONDS + 20), [1_000, 3_000], "undone");
        let anonymous = Arc::clone(&swap(1, [1_000, 3_000], NativeSide::Neither, 10).swap);
        executed.add(&anonymous, later(0));
        assert_eq!(executed.flows_of(&Client::Anonymous, input, later(0)), TokenFlows::default());
    }
}
