//! The other swaps of a book, as one that is to be signed meets them, and the reserves that they may leave.

use std::sync::Arc;

use firmquote_domain::{
    Address, Amount, Quote, SignedSwap, TokenFlows, U256, U512, max_stated_amount, narrow, reserve_bounds,
};
use firmquote_pricing::PairState;
use firmquote_store::BookVersion;

/// The other swaps of a book, as one that is to be signed meets them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OtherSwaps {
    /// The version of the book.
    pub(crate) version: Option<BookVersion>,
    /// The outstanding flows of the input and the output token.
    pub(crate) outstanding: [TokenFlows; 2],
    /// What a reorganization of the latest blocks may move.
    pub(crate) reversal: [TokenFlows; 2],
    /// The largest reserve of the input token that guaranteed swaps admit.
    pub(crate) max_input: Option<U256>,
    /// The smallest reserve of the output token that guaranteed swaps admit.
    pub(crate) min_output: Option<U256>,
}

impl OtherSwaps {
    /// Returns the same swaps with the bounds that these guaranteed ones set to the reserves of `tokens`.
    pub(crate) fn with_guaranteed<'s>(
        self,
        guaranteed: impl Iterator<Item = &'s Arc<SignedSwap>>,
        tokens: [Address; 2],
    ) -> Self {
        let (max_input, min_output) = reserve_bounds(guaranteed, tokens);
        Self { max_input, min_output, ..self }
    }

    /// Everything that may move the reserves against the swap.
    pub(crate) fn flows(&self) -> [TokenFlows; 2] {
        let [mut input, mut output] = self.outstanding;
        let [undone_input, undone_output] = self.reversal;
        input += undone_input;
        output += undone_output;
        [input, output]
    }

    /// Returns which part of the `inflow` and `outflow` of all others is left to those that are outstanding.
    pub(crate) fn without_reversal(&self, [inflow, outflow]: [U256; 2]) -> [U256; 2] {
        let [input, output] = self.reversal;
        let left = |flow: U256, undone: U512| flow.saturating_sub(U256::saturating_from(undone));
        [left(inflow, input.inflow), left(outflow, output.outflow)]
    }

    /// Returns the largest inflow and outflow by the stated amounts of others at which `quote`, which is sound up to
    /// `sound`, also leaves guaranteed swaps within their bounds; `None` if it does not do so now.
    pub(crate) fn admitted(&self, quote: &Quote, reserves: &PairState, sound: [U256; 2]) -> Option<[U256; 2]> {
        let [input, output] = [&quote.input, &quote.output].map(|leg| leg.amount.base_units());
        let [held_input, held_output] = [reserves.input, reserves.output].map(|side| side.reserve.base_units());
        let others = |room: U256, own: U256, undone: U512| {
            max_stated_amount(room).checked_sub(own)?.checked_sub(narrow(undone)?)
        };
        let [undone_input, undone_output] = self.reversal;
        let [mut inflow, mut outflow] = sound;
        if let Some(max_input) = self.max_input {
            inflow = inflow.min(others(max_input.checked_sub(held_input)?, input, undone_input.inflow)?);
        }
        if let Some(min_output) = self.min_output {
            outflow = outflow.min(others(held_output.checked_sub(min_output)?, output, undone_output.outflow)?);
        }
        let [input_flows, output_flows] = self.outstanding;
        let is_met = input_flows.inflow <= U512::from(inflow) && output_flows.outflow <= U512::from(outflow);
        is_met.then_some([inflow, outflow])
    }
}

/// Returns the conservative reserves of a pair: the input as if all of `input` came in, the output as if all of
/// `output` went out. What would help, an outflow of the input or an inflow of the output, may never happen and is
/// ignored. `None` if nothing of the output is left.
pub(crate) fn conservative_reserves(state: PairState, [input, output]: [TokenFlows; 2]) -> Option<PairState> {
    let mut state = state;
    let inflow = narrow(input.with_push_excess().inflow)?;
    let outflow = narrow(output.with_push_excess().outflow)?;
    if let Some(inflow) = Amount::new(inflow) {
        state.input.reserve = state.input.reserve.checked_add(inflow)?;
    }
    if let Some(outflow) = Amount::new(outflow) {
        state.output.reserve = state.output.reserve.checked_sub(outflow)?;
    }
    Some(state)
}
