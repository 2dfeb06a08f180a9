//! Entering a swap into the book of its pool.

use std::sync::Arc;

use firmquote_domain::{Book, SignedSwap, TimedSum, TokenFlows, U256, U512};

use super::{BookVersion, ClientFlows, OutstandingLimits};

/// A swap to be entered into the book of its pool, and the conditions under which its signature may be made. Whatever
/// settled or lapsed after the block that the swap was checked against still counts as outstanding.
#[derive(Clone, Debug)]
pub struct Booking {
    /// The swap.
    pub swap: Arc<SignedSwap>,
    /// The largest inflow of the input token, by the stated amounts of the other swaps, at which this one is sound.
    pub max_inflow: U256,
    /// The largest outflow of the output token, by the stated amounts of the other swaps, at which this one is sound.
    pub max_outflow: U256,
    /// The version of the book for which the bounds were computed; `None` for none. The bounds do not consider swaps
    /// guaranteed later.
    pub version: Option<BookVersion>,
    /// Limits on outstanding swaps.
    pub limits: OutstandingLimits,
    /// Whether the contract executes each signature once, so that an equal offer must not be signed again.
    pub is_single_use: bool,
    /// How long swaps may be missing from a book that the store lost, in seconds: as long as signatures of the pool
    /// last at most, and as the block of the reserves is old.
    pub max_lifetime_seconds: u32,
}

/// Why a swap is not entered into a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookingRefusal {
    /// Swaps that were entered since the check may make this one unsound, or one of them is guaranteed.
    Moved,
    /// Another quote was signed for an offer that the contract cannot tell from this one, or this quote was entered for
    /// other terms.
    EqualOffer,
    /// [`OutstandingLimits::pool_outflow`] would be exceeded.
    PoolLimit,
    /// One of the [`OutstandingLimits`] of the client or of its source network would be exceeded.
    ClientLimit,
    /// The store may have lost entries, and not all replicas have put theirs back yet.
    Incomplete {
        /// Seconds until swaps are entered again at the latest.
        retry_after_seconds: u32,
    },
}

impl Booking {
    /// Checks the swap against the others in `book`, except for those that were guaranteed after [`Self::version`].
    ///
    /// # Errors
    /// The refusal.
    pub fn check(&self, book: &Book) -> Result<(), BookingRefusal> {
        let SignedSwap { offer, client, source_network, block, .. } = &*self.swap;
        let tokens = [offer.input_token, offer.output_token];
        let [input, output] = tokens.map(|token| book.flows(token, *block));
        let client_flows = {
            let total = |sum: Option<&TimedSum<TokenFlows>>| sum.map(TimedSum::total).unwrap_or_default();
            let [input, output] = tokens.map(|token| total(book.flows_of(client, token)));
            let network_flows = source_network.and_then(|network| book.flows_of_network(network, offer.output_token));
            let network_outflow = total(network_flows).outflow;
            let swaps = book.swaps_of(client).map(TimedSum::total).unwrap_or_default();
            let entries = book.entries_of(client);
            ClientFlows { inflow: input.inflow, outflow: output.outflow, network_outflow, swaps, entries }
        };
        if self.is_single_use && book.equal_offer(offer).is_some_and(|id| id != self.swap.quote_id) {
            Err(BookingRefusal::EqualOffer)
        } else if input.inflow > U512::from(self.max_inflow) || output.outflow > U512::from(self.max_outflow) {
            Err(BookingRefusal::Moved)
        } else if !self.limits.admit_for_pool(offer, output.outflow) {
            Err(BookingRefusal::PoolLimit)
        } else if !self.limits.admit_for_client(offer, &client_flows) {
            Err(BookingRefusal::ClientLimit)
        } else {
            Ok(())
        }
    }
}
