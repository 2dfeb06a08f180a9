//! Quotes on record, and pages of the signed swaps of a client.

use firmquote_domain::{Execution, Quote, QuoteId, ReserveBounds, SignedQuote, SwapOutcome, Terms, Timestamp};

/// A quote, as stored, without its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteRecord {
    /// The quote as it was made.
    pub quote: Quote,
    /// The terms and time of its signature; `None` while it is unsigned.
    pub signed: Option<SigningRecord>,
    /// The outcome of the signed swap; `None` while it is open.
    pub outcome: Option<SwapOutcome>,
}

/// The terms and the time of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningRecord {
    /// The terms.
    pub terms: Terms,
    /// Whether execution is guaranteed to the taker.
    pub execution: Execution,
    /// The reserve bounds of the guarantee, if other swaps must be refused for it.
    pub guarantee: Option<Box<ReserveBounds>>,
    /// When it was signed.
    pub signed_at: Timestamp,
}

impl From<&SignedQuote> for SigningRecord {
    fn from(signed: &SignedQuote) -> Self {
        let SignedQuote { terms, execution, guarantee, signed_at, .. } = signed;
        Self { terms: *terms, execution: *execution, guarantee: guarantee.clone(), signed_at: *signed_at }
    }
}

/// The most swaps of a page.
pub const MAX_SWAPS_PER_PAGE: usize = 100;

/// The position of a swap among those of its client: ordered by the time of the signature, then by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SwapPosition {
    /// When it was signed.
    pub signed_at: Timestamp,
    /// Its quote.
    pub quote_id: QuoteId,
}

/// Which swaps of a client to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwapRange {
    /// Not those signed earlier.
    pub since: Timestamp,
    /// Only those signed earlier.
    pub until: Timestamp,
    /// Only those after this one.
    pub after: Option<SwapPosition>,
    /// At most this many, up to [`MAX_SWAPS_PER_PAGE`].
    pub limit: usize,
}

impl SwapRange {
    /// The time of the first swap that may be in the range.
    pub(crate) fn start(&self) -> Timestamp {
        self.after.map_or(self.since, |after| after.signed_at.max(self.since))
    }

    /// Whether a swap at `position` is in the range.
    pub(crate) fn contains(&self, position: SwapPosition) -> bool {
        (self.since..self.until).contains(&position.signed_at) && self.after.is_none_or(|after| position > after)
    }

    /// The number of swaps to return.
    pub(crate) fn page_size(&self) -> usize {
        self.limit.clamp(1, MAX_SWAPS_PER_PAGE)
    }
}

/// A page of the signed swaps of a client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwapPage {
    /// The swaps that the store retains, in order; there may be fewer than the limit although there are more.
    pub swaps: Vec<QuoteRecord>,
    /// The position after which the next page starts; `None` for a page of no swaps, after the last ones.
    pub next: Option<SwapPosition>,
}
