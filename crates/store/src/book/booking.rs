//! Entering a swap into the book of its pool.

use std::sync::Arc;

use firmquote_domain::{BookEntry, TokenFlows, U256, U512};

use super::BookVersion;

/// A swap to be entered into the book of its pool, and the conditions under which its signature may be made. Whatever
/// settled or lapsed after the block that the swap was judged on still counts as outstanding.
#[derive(Clone, Debug)]
pub struct Booking {
    /// The swap.
    pub swap: Arc<BookEntry>,
    /// The largest inflow of the input token, by the stated amounts of the other swaps, at which this one is sound.
    pub max_inflow: U256,
    /// The largest outflow of the output token, by the stated amounts of the other swaps, at which this one is sound.
    pub max_outflow: U256,
    /// The version of the book that the bounds are of; `None` for none. Swaps that were guaranteed later are not considered
    /// in the bounds.
    pub version: Option<BookVersion>,
    /// Limits on outstanding swaps.
    pub limits: OutstandingLimits,
    /// Whether the contract executes each signature once, so that an equal offer must not be signed again.
    pub is_single_use: bool,
    /// How long signatures of the pool last at most, in seconds: as long as swaps may be missing from a book that the
    /// store lost.
    pub max_lifetime_seconds: u32,
}

/// Limits on stated amounts that are outstanding at a time, the new swap included; `None` for no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutstandingLimits {
    /// Of the output token, for all clients.
    pub pool_outflow: Option<U256>,
    /// Of the output token, for the client, once it has any outstanding.
    pub client_outflow: Option<U256>,
    /// Of the input token, for the client, once it has any outstanding.
    pub client_inflow: Option<U256>,
    /// Of the output token, for the origin of a request without credentials, once it has any outstanding.
    pub origin_outflow: Option<U256>,
}

/// The outcome of a [`Booking`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookingOutcome {
    /// The swap is in the book: as the change of this version or, without one, from an earlier call for the same quote.
    Booked(Option<BookVersion>),
    /// Others were entered meanwhile, and the swap is not certain to be sound beside them, or one of them is guaranteed.
    Moved,
    /// Another quote was signed for an offer that the contract cannot tell from this one, or this quote was entered for
    /// other terms.
    EqualOffer,
    /// [`OutstandingLimits::pool_outflow`] would be exceeded.
    PoolLimit,
    /// One of the [`OutstandingLimits`] of the client or of its origin would be exceeded.
    ClientLimit,
    /// The store may have lost entries, and not all replicas have put theirs back yet.
    Incomplete {
        /// Seconds until swaps are entered again at the latest.
        retry_after_seconds: u32,
    },
}

impl Booking {
    /// Checks the sums of the other swaps, `others` of input and output token, `of_client` likewise and
    /// `of_origin` of the output token, against the bounds and limits.
    pub(crate) fn check(
        &self,
        others: [TokenFlows; 2],
        of_client: [TokenFlows; 2],
        of_origin: TokenFlows,
    ) -> Result<(), BookingOutcome> {
        let (offer, [input, output]) = (&self.swap.offer, others);
        if input.inflow > U512::from(self.max_inflow) || output.outflow > U512::from(self.max_outflow) {
            return Err(BookingOutcome::Moved);
        }
        let [amount_in, amount_out] =
            [offer.input_amount, offer.output_amount].map(|amount| U512::from(amount.base_units()));
        let exceeds = |limit: Option<U256>, sum: U512, amount: U512| {
            limit.is_some_and(|limit| sum.saturating_add(amount) > U512::from(limit))
        };
        if exceeds(self.limits.pool_outflow, output.outflow, amount_out) {
            return Err(BookingOutcome::PoolLimit);
        }
        let [of_input, of_output] = of_client;
        let is_first = of_input.inflow.is_zero() && of_output.outflow.is_zero();
        let is_within = !exceeds(self.limits.client_outflow, of_output.outflow, amount_out)
            && !exceeds(self.limits.client_inflow, of_input.inflow, amount_in);
        let is_within_origin =
            of_origin.outflow.is_zero() || !exceeds(self.limits.origin_outflow, of_origin.outflow, amount_out);
        if (is_first || is_within) && is_within_origin { Ok(()) } else { Err(BookingOutcome::ClientLimit) }
    }
}
