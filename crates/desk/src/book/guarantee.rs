//! Guaranteed swaps of pools whose contracts check the curve: within which reserves one executes.

use std::sync::Arc;

use firmquote_domain::{Client, Execution, Quote, ReserveBounds, SignedSwap, Terms, Timestamp, U256, U512};
use firmquote_pricing::{Headroom, PairState, Swap, is_worth_at_least, widest_headroom};
use firmquote_store::ClientFlows;

use super::limit_refusals::{flows, room, seconds_until};
use crate::{DeskError, OutstandingLimitKind, quoting::directed_pair::DirectedPair};

/// Returns the bounds of the reserves within which `quote` executes, if `terms` require a guarantee that restricts other
/// swaps. `after` is the state after every other swap of `block` that may be executed first.
///
/// # Errors
/// [`DeskError::NotAllowed`] if the pool or the quote admits no guarantee, [`DeskError::OutstandingLimit`] if the
/// client would hold more than a quarter of what others could take.
pub(super) fn guarantee(
    quote: &Quote,
    terms: &Terms,
    directed_pair: &DirectedPair<'_>,
    after: &PairState,
    block: Option<u64>,
    now: Timestamp,
) -> Result<Option<ReserveBounds>, DeskError> {
    let spec = directed_pair.spec();
    let has_guarantees = directed_pair.pool.book().has_guarantees(now);
    if !terms.guarantee || has_guarantees && spec.execution(block) == Execution::Guaranteed {
        return Ok(None);
    }
    check_availability(quote, directed_pair, block, now)
        .map_err(|reason| DeskError::NotAllowed { field: "guarantee", reason })?;
    // What the contract will check: the quote's own prices, and no fee beyond what it gains.
    let mut state = *after;
    (state.input.price, state.output.price) = (quote.input.price, quote.output.price);
    state.fee = Default::default();
    let swap = Swap { input: quote.input.amount, output: quote.output.amount };
    let headroom = widest_headroom(&state, spec.pricing_kind(), &swap);
    let headroom = headroom.map_err(|error| DeskError::Internal(error.to_string()))?.unwrap_or_default();
    check_client_share(quote, directed_pair, &headroom, block, now)?;
    // What the others may move reserves to, and the swap itself by its stated amounts: sums that include it are scaled
    // to what push swaps can move, and exceed those of the others by no less.
    let [input, output] = [after.input, after.output].map(|side| side.reserve.base_units());
    let max_input = input.saturating_add(headroom.inflow).saturating_add(swap.input.base_units());
    let min_output = output.saturating_sub(headroom.outflow).saturating_sub(swap.output.base_units());
    Ok(Some(ReserveBounds { max_input, min_output }))
}

/// Checks that the pool and the quote admit a guarantee.
///
/// # Errors
/// The reason if they do not.
fn check_availability(
    quote: &Quote,
    directed_pair: &DirectedPair<'_>,
    block: Option<u64>,
    now: Timestamp,
) -> Result<(), String> {
    if !directed_pair.pool.book().has_guarantees(now) {
        return Err("is suspended: the chain was reorganized more deeply than this service follows, \
                    or the contract executed a signature again"
            .into());
    }
    if quote.client == Client::Anonymous {
        return Err("requires client credentials".into());
    }
    if !directed_pair.spec().single_use {
        return Err("is not available: this pool's contract may execute a signature more than once".into());
    }
    if block.is_none() {
        return Err("is not available: the reserves of this pool are not read from the chain".into());
    }
    let min_value = directed_pair.pool.policy.outstanding.min_guaranteed;
    if !is_worth_at_least(quote.input.amount, quote.input.price, quote.input.decimals, min_value) {
        return Err(format!("requires a swap worth at least {min_value} US dollars"));
    }
    Ok(())
}

/// Checks that the guaranteed swaps of the client, `quote` included, hold at most a quarter of the `headroom` of all:
/// three times as much is left to others, whichever the other token of their swaps is. One that lapsed counts for as
/// long again, as it does for the client's other limits.
///
/// # Errors
/// [`DeskError::OutstandingLimit`] if they would hold more.
fn check_client_share(
    quote: &Quote,
    directed_pair: &DirectedPair<'_>,
    headroom: &Headroom,
    block: Option<u64>,
    now: Timestamp,
) -> Result<(), DeskError> {
    let [max_inflow, max_outflow] = [headroom.inflow, headroom.outflow].map(|room| room / U256::from(3));
    let held = directed_pair.pool.book().guaranteed_of(&quote.client, quote.id, block);
    let flows = |swap: &SignedSwap| {
        let [inflow, outflow] = flows(swap, directed_pair.tokens());
        ClientFlows { inflow, outflow, ..ClientFlows::default() }
    };
    let mut sums = ClientFlows::default();
    held.iter().for_each(|swap| sums += flows(swap));
    let [input, output] = [quote.input.amount, quote.output.amount].map(|amount| U512::from(amount.base_units()));
    let is_input_within = |sums: &ClientFlows| sums.inflow.saturating_add(input) <= U512::from(max_inflow);
    let is_within =
        |sums: &ClientFlows| is_input_within(sums) && sums.outflow.saturating_add(output) <= U512::from(max_outflow);
    if is_within(&sums) {
        return Ok(());
    }
    let room = room(Some(max_outflow), sums.outflow).filter(|_| is_input_within(&sums));
    let mut leaving: Vec<_> = held.into_iter().map(|swap| (swap.counts_until(), swap)).collect();
    leaving.sort_by_key(|(second, _)| *second);
    let suffices_without = |swap: Arc<SignedSwap>| {
        sums -= flows(&swap);
        is_within(&sums)
    };
    Err(DeskError::OutstandingLimit {
        limit: OutstandingLimitKind::ClientGuaranteed,
        room,
        retry_after_seconds: seconds_until(leaving, suffices_without, now),
    })
}
