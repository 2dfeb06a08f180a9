//! Limits on what is outstanding at a time.

use std::ops::{AddAssign, SubAssign};

use firmquote_domain::{Amount, Offer, U256, U512};

/// Limits on stated amounts, and on the number of swaps, that are outstanding at a time, the new swap included; `None`
/// for no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutstandingLimits {
    /// Of the output token, for all clients.
    pub pool_outflow: Option<U256>,
    /// Of the output token, for the client, once it has any outstanding.
    pub client_outflow: Option<U256>,
    /// Of the input token, for the client, once it has any outstanding.
    pub client_inflow: Option<U256>,
    /// Of the output token, for the source network of a request without credentials, once it has any outstanding.
    pub network_outflow: Option<U256>,
    /// The number of swaps of the client, of any tokens.
    pub client_swaps: Option<u32>,
    /// The number of swaps of the client that the book keeps, in any state.
    pub client_entries: Option<u32>,
}

/// Sums of stated amounts besides a swap, of the swaps that [count](firmquote_domain::SwapState::counts_for_client) for
/// its client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientFlows {
    /// Of the input token, by the client's swaps.
    pub inflow: U512,
    /// Of the output token, by the client's swaps.
    pub outflow: U512,
    /// Of the output token, by the swaps of the same source network.
    pub network_outflow: U512,
    /// The number of the client's swaps, of any tokens.
    pub swaps: usize,
    /// The number of the client's swaps in the book, in any state.
    pub entries: usize,
}

impl ClientFlows {
    /// Whether the client has nothing outstanding, so that only the limit of its source network applies.
    pub const fn is_first(&self) -> bool {
        self.swaps == 0
    }
}

impl AddAssign for ClientFlows {
    fn add_assign(&mut self, other: Self) {
        self.inflow = self.inflow.saturating_add(other.inflow);
        self.outflow = self.outflow.saturating_add(other.outflow);
        self.network_outflow = self.network_outflow.saturating_add(other.network_outflow);
        self.swaps += other.swaps;
        self.entries += other.entries;
    }
}

impl SubAssign for ClientFlows {
    fn sub_assign(&mut self, other: Self) {
        self.inflow = self.inflow.saturating_sub(other.inflow);
        self.outflow = self.outflow.saturating_sub(other.outflow);
        self.network_outflow = self.network_outflow.saturating_sub(other.network_outflow);
        self.swaps = self.swaps.saturating_sub(other.swaps);
        self.entries = self.entries.saturating_sub(other.entries);
    }
}

impl OutstandingLimits {
    /// Whether the limit of all clients admits `offer` besides others that take out `outflow` of the output token.
    pub fn admit_for_pool(&self, offer: &Offer, outflow: U512) -> bool {
        admits(self.pool_outflow, outflow, offer.output_amount)
    }

    /// Whether the limits of the client and its source network admit `offer` besides `others`.
    pub fn admit_for_client(&self, offer: &Offer, others: &ClientFlows) -> bool {
        let is_within = admits(self.client_outflow, others.outflow, offer.output_amount)
            && admits(self.client_inflow, others.inflow, offer.input_amount);
        let is_within_network = others.network_outflow.is_zero()
            || admits(self.network_outflow, others.network_outflow, offer.output_amount);
        let is_within_count =
            is_below(self.client_swaps, others.swaps) && is_below(self.client_entries, others.entries);
        (others.is_first() || is_within) && is_within_network && is_within_count
    }
}

fn is_below(limit: Option<u32>, number: usize) -> bool {
    limit.is_none_or(|limit| number < usize::try_from(limit).unwrap_or(usize::MAX))
}

fn admits(limit: Option<U256>, sum: U512, amount: Amount) -> bool {
    limit.is_none_or(|limit| sum.saturating_add(U512::from(amount.base_units())) <= U512::from(limit))
}
