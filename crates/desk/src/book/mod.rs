//! The books of the pools: outstanding swaps, as quotes and signatures take it into account.

mod ambiguity;
mod attribution;
mod candidates;
mod entry;
mod guarantee;
mod limits;
mod match_quality;
mod observed;
mod other_swaps;
mod outcome;
mod outcome_log;
mod pool_book;
mod pre_trade_check;
mod settlement;
mod soundness;

pub(crate) use entry::{BookingMode, MAX_ATTEMPTS};
pub use observed::{CountedSwaps, ExecutedSwap, ObservedBlock};
pub use pool_book::PoolBook;
pub(crate) use pre_trade_check::PreTradeCheck;
pub use settlement::ObservationReport;
pub(crate) use soundness::check_soundness;

use firmquote_domain::{Amount, TokenFlows, narrow};
use firmquote_pricing::PairState;

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
