//! A signed swap and its states.

use alloy_primitives::Address;

use crate::{Amount, Client, NativeSide, Offer, Origin, QuoteId, ReserveBounds, Timestamp, UnixSeconds};

/// A swap that a signature was given for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The quote that was signed.
    pub quote_id: QuoteId,
    /// The client that the quote belongs to.
    pub client: Client,
    /// Where a request without credentials came from, if that is known.
    pub origin: Option<Origin>,
    /// What the signature covers.
    pub offer: Offer,
    /// Which side is native coin.
    pub native: NativeSide,
    /// When the swap was entered into the book.
    pub signed_at: Timestamp,
    /// The number of the block whose reserves it was judged on; `None` for reserves that are not read from a chain.
    pub block: Option<u64>,
    /// The bounds that no later signature may exceed; `None` if others may make the swap revert, or cannot.
    pub guarantee: Option<ReserveBounds>,
}

/// The fields that a pool contract tells two signatures of one pool apart by, whatever their prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OfferKey {
    /// Input and output token.
    pub tokens: [Address; 2],
    /// Input and output amount.
    pub amounts: [Amount; 2],
    /// The account that receives the output.
    pub destination: Address,
    /// The last second in which the swap is valid.
    pub expires_at: UnixSeconds,
}

impl From<&Offer> for OfferKey {
    fn from(offer: &Offer) -> Self {
        Self {
            tokens: [offer.input_token, offer.output_token],
            amounts: [offer.input_amount, offer.output_amount],
            destination: offer.destination,
            expires_at: offer.good_until.expires_at(),
        }
    }
}

/// The state of a signed swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SwapState {
    /// Neither settled nor lapsed.
    Outstanding,
    /// Executed in the block of this number.
    Settled(u64),
    /// Not executed and no longer valid on chain, from the block of this number on; `None` if the clock decided.
    Lapsed(Option<u64>),
}

impl SwapState {
    /// The number of the block from which on the swap is no longer outstanding, if a block decided.
    pub const fn block(self) -> Option<u64> {
        match self {
            Self::Settled(block) => Some(block),
            Self::Lapsed(block) => block,
            Self::Outstanding => None,
        }
    }
}
