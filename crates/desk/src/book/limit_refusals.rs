//! Refusals by limits on outstanding swaps: the limit that binds, the room that is left, and when it suffices unless swaps
//! are added. A swap that is executed makes room earlier. The cost depends on how many seconds swaps last, not on how many
//! there are: a client may repeat a request that is refused.

use std::sync::Arc;

use firmquote_domain::{Address, Amount, Client, SignedSwap, Timestamp, U256, U512, UnixSeconds, narrow};
use firmquote_store::{Booking, ClientFlows};

use super::other_swaps::OtherSwaps;
use crate::{DeskError, OutstandingLimitKind, ServedPool, policy::OutstandingBounds};

/// Returns the refusal of a booking that the limit of all clients does not admit.
pub(super) fn pool_limit_error(
    booking: &Booking,
    bounds: &OutstandingBounds,
    pool: &ServedPool,
    now: Timestamp,
) -> DeskError {
    let (offer, limits) = (&booking.swap.offer, &booking.limits);
    let counted = pool.book().totals().flows(offer.output_token, booking.swap.block).outflow;
    let (mut outflow, departures) = pool.book().outflow_departures(offer.output_token);
    let suffices_without = |part: U512| {
        outflow = outflow.saturating_sub(part);
        limits.admit_for_pool(offer, outflow)
    };
    DeskError::OutstandingLimit {
        limit: OutstandingLimitKind::Pool,
        room: half(room(bounds.pool_outflow, counted)),
        retry_after_seconds: seconds_until(departures, suffices_without, now),
    }
}

/// Returns the refusal of a booking that the limits of its client or of its source network do not admit.
pub(super) fn client_limit_error(
    booking: &Booking,
    bounds: &OutstandingBounds,
    pool: &ServedPool,
    now: Timestamp,
) -> DeskError {
    let (own, limits) = (&*booking.swap, &booking.limits);
    let (mut sums, departures) = pool.book().client_departures(own);
    let (limit, room) = (binding_limit(own, bounds, &sums), client_room(own, bounds, &sums));
    let suffices_without = |part: ClientFlows| {
        sums -= part;
        limits.admit_for_client(&own.offer, &sums)
    };
    DeskError::OutstandingLimit { limit, room, retry_after_seconds: seconds_until(departures, suffices_without, now) }
}

/// Returns the refusal of a second swap at a time, of a pool whose contract has executed none, while the first is open
/// until `last`.
pub(super) fn unproved_error(last: UnixSeconds, now: Timestamp) -> DeskError {
    DeskError::OutstandingLimit {
        limit: OutstandingLimitKind::Unproved,
        room: None,
        retry_after_seconds: Some(last.get().saturating_sub(now.seconds().get()).max(1)),
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
    let suffices_without = |swap: Arc<SignedSwap>| {
        left.retain(|other| other.quote_id != swap.quote_id);
        let [inflow, outflow] = flows(&swap, tokens);
        let [input_flows, output_flows] = &mut remaining.outstanding;
        input_flows.inflow = input_flows.inflow.saturating_sub(inflow);
        output_flows.outflow = output_flows.outflow.saturating_sub(outflow);
        admits(remaining.with_guaranteed(left.iter(), tokens))
    };
    let mut leaving: Vec<_> = guaranteed.into_iter().map(|swap| (swap.outstanding_until(), swap)).collect();
    leaving.sort_by_key(|(second, _)| *second);
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

/// Returns what one swap may take of the room that a shared limit leaves.
fn half(room: Option<Amount>) -> Option<Amount> {
    Amount::new(room?.base_units() >> 1)
}

/// Seconds from `now` until enough has left: what leaves in each second, earliest first, is passed to
/// `suffices_without`. `None` if nothing suffices.
pub(super) fn seconds_until<T>(
    departures: Vec<(UnixSeconds, T)>,
    mut suffices_without: impl FnMut(T) -> bool,
    now: Timestamp,
) -> Option<u32> {
    let (second, _) = departures
        .into_iter()
        .map(|(second, part)| (second, suffices_without(part)))
        .find(|(_, suffices)| *suffices)?;
    Some(second.get().saturating_sub(now.seconds().get()).max(1))
}

/// What `swap` brings in of the first of `tokens`, and takes out of the second.
pub(super) fn flows(swap: &SignedSwap, [input, output]: [Address; 2]) -> [U512; 2] {
    [swap.offer.flows(input).inflow, swap.offer.flows(output).outflow]
}

/// Whether `number` swaps are as many as `limit` admits.
fn is_full(limit: Option<u32>, number: usize) -> bool {
    limit.is_some_and(|max| usize::try_from(max).is_ok_and(|max| number >= max))
}

/// Returns the first limit that does not admit a swap beside what `counted` sums up.
fn binding_limit(own: &SignedSwap, bounds: &OutstandingBounds, counted: &ClientFlows) -> OutstandingLimitKind {
    let [input, output] = [own.offer.input_amount, own.offer.output_amount];
    if is_full(bounds.client_swaps, counted.swaps) || is_full(bounds.client_entries, counted.entries) {
        OutstandingLimitKind::ClientSwaps
    } else if !counted.network_outflow.is_zero()
        && !limit_admits(bounds.network_outflow, counted.network_outflow, output)
    {
        OutstandingLimitKind::Network
    } else if bounds.anonymous_outflow.is_some() && half(room(bounds.anonymous_outflow, counted.outflow)) < Some(output)
    {
        OutstandingLimitKind::Anonymous
    } else if !limit_admits(bounds.client_outflow, counted.outflow, output)
        || limit_admits(bounds.impact_outflow, counted.outflow, output)
            && limit_admits(bounds.impact_inflow, counted.inflow, input)
    {
        OutstandingLimitKind::Client
    } else if own.client == Client::Anonymous {
        OutstandingLimitKind::AnonymousImpact
    } else {
        OutstandingLimitKind::ClientImpact
    }
}

fn limit_admits(limit: Option<U256>, sum: U512, amount: Amount) -> bool {
    limit.is_none_or(|limit| sum.saturating_add(U512::from(amount.base_units())) <= U512::from(limit))
}

/// The largest output that the limits of its client and source network leave to a swap after what `counted` sums up;
/// `None` for nothing. A smaller swap brings in no more than its share of the input, rounded down.
fn client_room(own: &SignedSwap, bounds: &OutstandingBounds, counted: &ClientFlows) -> Option<Amount> {
    if is_full(bounds.client_swaps, counted.swaps) || is_full(bounds.client_entries, counted.entries) {
        return None;
    }
    let left = |limit: Option<U256>, outflow| limit.map(|limit| room(Some(limit), outflow));
    let input_room = bounds.impact_inflow.map(|limit| {
        let left = U512::from(room(Some(limit), counted.inflow)?.base_units());
        let [input, output] = [own.offer.input_amount, own.offer.output_amount].map(|amount| amount.base_units());
        let share = U512::from(output).checked_mul(left)?.checked_div(U512::from(input))?;
        narrow(share).and_then(Amount::new)
    });
    let further = [input_room, left(bounds.impact_outflow, counted.outflow)];
    let further = further.into_iter().flatten().filter(|_| !counted.is_first());
    let network = left(bounds.network_outflow, counted.network_outflow).filter(|_| !counted.network_outflow.is_zero());
    let share = left(bounds.client_outflow, counted.outflow);
    let shared = left(bounds.anonymous_outflow, counted.outflow).map(half);
    further.chain(network).chain(share).chain(shared).min().flatten()
}
