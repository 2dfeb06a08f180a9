//! Whether a quote is sound with the outstanding swaps, and for which books it stays so.

use firmquote_domain::{Quote, TokenFlows, U256, U512, max_stated_amount};
use firmquote_pricing::{Headroom, PairState, PreparedPair, Swap, share_of_fee};

use crate::{ConflictReason, DeskError, quoting::directed_pair::DirectedPair};

/// The books with which a quote is sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SoundnessBounds {
    /// The largest inflow of the input token by the stated amounts of other swaps.
    pub(crate) max_inflow: U256,
    /// The largest outflow of the output token by the stated amounts of other swaps.
    pub(crate) max_outflow: U256,
}

/// Checks `quote` on the conservative reserves `after` all other swaps, which move them by `flows`; `None` if these
/// leave nothing. The pool has to gain at the prices of the quote and at those of `after`, with the least share of the
/// fee.
///
/// # Errors
/// In the value, the [`ConflictReason`] if the quote is not sound; [`DeskError::Internal`] if a rounding could not be
/// decided, which was never seen.
pub(crate) fn check_soundness(
    quote: &Quote,
    directed_pair: &DirectedPair<'_>,
    after: Option<PairState>,
    flows: [TokenFlows; 2],
) -> Result<Result<SoundnessBounds, ConflictReason>, DeskError> {
    let spec = directed_pair.spec();
    let is_alone = flows == [TokenFlows::default(); 2];
    let moved = if is_alone { ConflictReason::Reserve } else { ConflictReason::Outstanding };
    let Some(mut state) = after else { return Ok(Err(moved)) };
    state.fee = share_of_fee(quote.fee, spec.min_fee_share);
    let swap = Swap { input: quote.input.amount, output: quote.output.amount };
    let room_in = |pair: PreparedPair| {
        let room = pair.headroom(spec.pricing_kind(), &swap);
        room.map_err(|error| DeskError::Internal(error.to_string()))
    };
    let mut quoted = state;
    (quoted.input.price, quoted.output.price) = (quote.input.price, quote.output.price);
    let is_at_newest_prices = quoted == state;
    // Earlier prices are not cached: the next quote has the newest.
    let pair = if is_at_newest_prices { directed_pair.prepare(&quoted) } else { PreparedPair::new(quoted) };
    let Some(mut room) = room_in(pair)? else { return Ok(Err(moved)) };
    if !is_at_newest_prices {
        let Some(newest) = room_in(directed_pair.prepare(&state))? else { return Ok(Err(ConflictReason::Price)) };
        room = Headroom { inflow: room.inflow.min(newest.inflow), outflow: room.outflow.min(newest.outflow) };
    }
    let [input, output] = flows.map(TokenFlows::with_push_excess);
    Ok(Ok(SoundnessBounds {
        max_inflow: within(input.inflow, room.inflow),
        max_outflow: within(output.outflow, room.outflow),
    }))
}

/// Returns the largest sum of stated amounts that moves at most `flow` and `room` together.
fn within(flow: U512, room: U256) -> U256 {
    max_stated_amount(U256::saturating_from(flow + U512::from(room)))
}
