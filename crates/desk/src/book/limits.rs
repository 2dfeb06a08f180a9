//! Refusals by limits on outstanding swaps: the room that is left, and when it suffices unless swaps are added. A swap
//! that is executed makes room earlier.

use std::sync::Arc;

use firmquote_domain::{
    Address, Amount, BookEntry, SignedSwap, SwapState, Timestamp, U256, U512, UnixSeconds, latest_lapse, narrow,
};
use firmquote_store::{Booking, ClientFlows};

use super::other_swaps::OtherSwaps;
use crate::{DeskError, OutstandingLimitKind, ServedPool};

/// Returns the refusal of a booking that the limit of all clients does not admit.
pub(super) fn pool_limit_error(booking: &Booking, pool: &ServedPool, now: Timestamp) -> DeskError {
    let (offer, limits) = (&booking.swap.offer, &booking.limits);
    let counted = pool.book().totals().flows(offer.output_token, booking.swap.block).outflow;
    let takes_out = |BookEntry { swap, state }: &BookEntry| {
        *state == SwapState::Outstanding && swap.offer.output_token == offer.output_token
    };
    let outstanding = pool.book().swaps_where(takes_out);
    let amount = |swap: &SignedSwap| U512::from(swap.offer.output_amount.base_units());
    let mut outflow = outstanding.iter().fold(U512::ZERO, |sum, entry| sum.saturating_add(amount(&entry.swap)));
    let leaving = outstanding.into_iter().map(|entry| (lapses_by(&entry.swap), entry.swap)).collect();
    let suffices_without = |swap: &SignedSwap| {
        outflow = outflow.saturating_sub(amount(swap));
        limits.admit_for_pool(offer, outflow)
    };
    DeskError::OutstandingLimit {
        limit: OutstandingLimitKind::Pool,
        room: room(limits.pool_outflow, counted),
        retry_after_seconds: seconds_until(leaving, suffices_without, now),
    }
}

/// Returns the refusal of a booking that the limits of its client or of its source network do not admit.
pub(super) fn client_limit_error(booking: &Booking, pool: &ServedPool, now: Timestamp) -> DeskError {
    let (own, limits) = (&*booking.swap, &booking.limits);
    let is_counted = |BookEntry { swap, state }: &BookEntry| {
        state.counts_for_client() && counted(own, swap) != ClientFlows::default()
    };
    let others = pool.book().swaps_where(is_counted);
    // Those that no longer count are kept for a number of blocks, whose time is not known.
    let mut sums = ClientFlows { entries: pool.book().entries_of(&own.client), ..ClientFlows::default() };
    others.iter().for_each(|entry| sums += counted(own, &entry.swap));
    let room = client_room(booking, &sums);
    let leaving = others.into_iter().map(|entry| (counts_until(&entry), entry.swap)).collect();
    let suffices_without = |swap: &SignedSwap| {
        sums -= counted(own, swap);
        limits.admit_for_client(&own.offer, &sums)
    };
    DeskError::OutstandingLimit {
        limit: OutstandingLimitKind::Client,
        room,
        retry_after_seconds: seconds_until(leaving, suffices_without, now),
    }
}

/// Returns the error for a swap of these `tokens` that `guaranteed` swaps among `others` leave no room for; it may be
/// retried when so many of them have lapsed that `admits` holds.
pub(super) fn guarantee_limit_error(
    guaranteed: Vec<Arc<SignedSwap>>,
    others: OtherSwaps,
    tokens: [Address; 2],
    admits: impl Fn(OtherSwaps) -> bool,
    now: Timestamp,
) -> DeskError {
    let (mut left, mut remaining) = (guaranteed.clone(), others);
    let suffices_without = |swap: &SignedSwap| {
        left.retain(|other| other.quote_id != swap.quote_id);
        let [inflow, outflow] = flows(swap, tokens);
        let [input_flows, output_flows] = &mut remaining.outstanding;
        input_flows.inflow = input_flows.inflow.saturating_sub(inflow);
        output_flows.outflow = output_flows.outflow.saturating_sub(outflow);
        admits(remaining.with_guaranteed(left.iter(), tokens))
    };
    let leaving = guaranteed.into_iter().map(|swap| (lapses_by(&swap), swap)).collect();
    DeskError::OutstandingLimit {
        limit: OutstandingLimitKind::OthersGuaranteed,
        room: None,
        retry_after_seconds: seconds_until(leaving, suffices_without, now),
    }
}

/// Returns the remaining room of a limit; `None` for nothing.
pub(super) fn room(limit: Option<U256>, outflow: U512) -> Option<Amount> {
    let outflow = narrow(outflow)?;
    limit?.checked_sub(outflow).and_then(Amount::new)
}

/// Seconds from `now` until enough swaps have left: each leaves at its second, and calls `suffices_without`. `None` if
/// none suffices.
pub(super) fn seconds_until(
    mut leaving: Vec<(UnixSeconds, Arc<SignedSwap>)>,
    mut suffices_without: impl FnMut(&SignedSwap) -> bool,
    now: Timestamp,
) -> Option<u32> {
    leaving.sort_by_key(|(second, _)| *second);
    let (second, _) = leaving.iter().find(|(_, swap)| suffices_without(swap))?;
    Some(second.get().saturating_sub(now.seconds().get()).max(1))
}

/// The second in which an outstanding swap has lapsed at the latest, if blocks or the clock go on.
pub(super) fn lapses_by(swap: &SignedSwap) -> UnixSeconds {
    latest_lapse(swap.offer.good_until.expires_at())
}

/// The second in which a swap no longer counts for its client, at the latest.
pub(super) fn counts_until(BookEntry { swap, state }: &BookEntry) -> UnixSeconds {
    let release = swap.deadlines().release;
    if *state == SwapState::Outstanding { release.max(lapses_by(swap)) } else { release }
}

/// What `swap` brings in of the first of `tokens`, and takes out of the second.
pub(super) fn flows(swap: &SignedSwap, [input, output]: [Address; 2]) -> [U512; 2] {
    let flow = |is_moved, amount: Amount| if is_moved { U512::from(amount.base_units()) } else { U512::ZERO };
    let offer = &swap.offer;
    [flow(offer.input_token == input, offer.input_amount), flow(offer.output_token == output, offer.output_amount)]
}

/// By how much `other` counts towards the limits that `own` has to meet.
fn counted(own: &SignedSwap, other: &SignedSwap) -> ClientFlows {
    let [inflow, outflow] = flows(other, [own.offer.input_token, own.offer.output_token]);
    let is_of_network = own.source_network.is_some() && own.source_network == other.source_network;
    let network_outflow = if is_of_network { outflow } else { U512::ZERO };
    if own.client == other.client {
        ClientFlows { inflow, outflow, network_outflow, swaps: 1, entries: 0 }
    } else {
        ClientFlows { network_outflow, ..ClientFlows::default() }
    }
}

/// The largest output that the limits of its client and source network leave to a booking after what `counted` sums up;
/// `None` for nothing. A smaller swap brings in no more than its share of the input, rounded down.
fn client_room(Booking { swap, limits, .. }: &Booking, counted: &ClientFlows) -> Option<Amount> {
    let is_full =
        |limit: Option<u32>, number| limit.is_some_and(|max| usize::try_from(max).is_ok_and(|max| number >= max));
    if is_full(limits.client_swaps, counted.swaps) || is_full(limits.client_entries, counted.entries) {
        return None;
    }
    let network_room = limits.network_outflow.filter(|_| !counted.network_outflow.is_zero());
    let network_room = network_room.map(|limit| room(Some(limit), counted.network_outflow));
    let input_room = limits.client_inflow.map(|limit| {
        let left = U512::from(room(Some(limit), counted.inflow)?.base_units());
        let [input, output] = [swap.offer.input_amount, swap.offer.output_amount].map(|amount| amount.base_units());
        let share = U512::from(output).checked_mul(left)?.checked_div(U512::from(input))?;
        narrow(share).and_then(Amount::new)
    });
    let output_room = limits.client_outflow.map(|limit| room(Some(limit), counted.outflow));
    let client_room = [input_room, output_room].into_iter().flatten().filter(|_| !counted.is_first());
    client_room.chain(network_room).min().flatten()
}
