//! A signed swap and its states.

use std::sync::Arc;

use alloy_primitives::{Address, U256};

use crate::{
    Amount, Client, NativeSide, Offer, Quote, QuoteId, ReserveBounds, SignedQuote, SourceNetwork, Terms, Timestamp,
    UnixSeconds,
};

/// A swap that was signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedSwap {
    /// The quote that was signed.
    pub quote_id: QuoteId,
    /// The client that the quote belongs to.
    pub client: Client,
    /// Where a request without credentials came from, if that is known.
    pub source_network: Option<SourceNetwork>,
    /// The signed offer.
    pub offer: Offer,
    /// Which side is native coin.
    pub native: NativeSide,
    /// When the swap was entered into the book.
    pub signed_at: Timestamp,
    /// The number of the block whose reserves it was checked against; `None` for reserves that are not read from a
    /// chain.
    pub block: Option<u64>,
    /// The reserve bounds that no later signature may exceed; `None` if other swaps may make this one revert, or if
    /// none can.
    pub guarantee: Option<ReserveBounds>,
}

impl From<&SignedQuote> for SignedSwap {
    fn from(SignedQuote { quote, terms, signed_at, guarantee, .. }: &SignedQuote) -> Self {
        Self { guarantee: guarantee.as_deref().copied(), ..Self::new(quote, terms, *signed_at) }
    }
}

impl SignedSwap {
    /// Returns the swap of `quote` for `terms`, signed at `signed_at` without reserve bounds, as of the block that the
    /// quote was computed with.
    pub fn new(quote: &Quote, terms: &Terms, signed_at: Timestamp) -> Self {
        Self {
            quote_id: quote.id,
            client: quote.client.clone(),
            source_network: quote.source_network,
            offer: quote.offer_to(terms.destination),
            native: terms.native,
            signed_at,
            block: quote.block,
            guarantee: None,
        }
    }
}

/// Seconds after the end of its validity at which a swap lapses by the clock.
const LAPSE_SECONDS: u32 = 60;

/// The same for a swap that was checked against the reserves of a block: by then no replica reads the chain any more.
const CHAIN_LAPSE_SECONDS: u32 = 86_400;

/// Returns the second by which a swap that is valid until `expires_at` has lapsed, as long as blocks are read or there
/// are none to read.
pub const fn latest_lapse(expires_at: UnixSeconds) -> UnixSeconds {
    expires_at.saturating_add(LAPSE_SECONDS)
}

/// The seconds in which the clock changes the state of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwapDeadlines {
    /// When it lapses, if nothing else was found before.
    pub lapse: UnixSeconds,
    /// When a swap that lapsed or was executed in part stops counting for its client: after as long again as it could
    /// be outstanding.
    pub release: UnixSeconds,
    /// When it is removed from the book.
    pub removal: UnixSeconds,
}

impl SignedSwap {
    /// Returns the state of the swap after the block of this number executed it with `input_amount`. A swap that moved
    /// less than half of its input was an option for most of it.
    pub fn settled(&self, block_number: u64, input_amount: U256) -> SwapState {
        let unused = self.offer.input_amount.base_units().saturating_sub(input_amount);
        if input_amount < unused { SwapState::PartlySettled(block_number) } else { SwapState::Settled(block_number) }
    }

    /// Returns the second in which the swap is no longer outstanding at the latest, if blocks or the clock go on.
    pub const fn outstanding_until(&self) -> UnixSeconds {
        latest_lapse(self.offer.good_until.expires_at())
    }

    /// Returns the second in which the swap no longer counts for its client at the latest.
    pub fn counts_until(&self) -> UnixSeconds {
        self.deadlines().release.max(self.outstanding_until())
    }

    /// Returns the seconds in which the clock changes the state of the swap.
    pub fn deadlines(&self) -> SwapDeadlines {
        let expires_at = self.offer.good_until.expires_at();
        let as_long_again =
            |second: UnixSeconds| second.saturating_add(second.get().saturating_sub(self.signed_at.seconds().get()));
        let (lapse, release) = match self.block {
            // A block shows that it has lapsed as soon as it is no longer valid.
            Some(_) => (expires_at.saturating_add(CHAIN_LAPSE_SECONDS), as_long_again(expires_at)),
            None => (latest_lapse(expires_at), as_long_again(latest_lapse(expires_at))),
        };
        SwapDeadlines { lapse, release, removal: as_long_again(lapse) }
    }
}

/// The fields by which a pool contract distinguishes two signatures of one pool, regardless of their prices.
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
    /// Executed in the block of this number for less than half of its input, as a push swap may be: it still counts for
    /// its client like a lapsed one.
    PartlySettled(u64),
    /// Not executed and no longer valid on chain, from the block of this number on; `None` if the clock decided.
    Lapsed(Option<u64>),
    /// Lapsed, and for so long that it no longer counts for its client; since the same block.
    Released(Option<u64>),
}

impl SwapState {
    /// The number of the block that closed the swap, if a block did.
    pub const fn block(self) -> Option<u64> {
        match self {
            Self::Settled(block) | Self::PartlySettled(block) => Some(block),
            Self::Lapsed(block) | Self::Released(block) => block,
            Self::Outstanding => None,
        }
    }

    /// The number of the block that executed the swap, if one did.
    pub const fn settled_in(self) -> Option<u64> {
        match self {
            Self::Settled(block) | Self::PartlySettled(block) => Some(block),
            Self::Outstanding | Self::Lapsed(_) | Self::Released(_) => None,
        }
    }

    /// Whether the swap counts for its client. A signature that is not used was a free option, so its swap counts
    /// beyond its own end.
    pub const fn counts_for_client(self) -> bool {
        matches!(self, Self::Outstanding | Self::PartlySettled(_) | Self::Lapsed(_))
    }
}

/// A swap of a book with its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The swap.
    pub swap: Arc<SignedSwap>,
    /// Its state.
    pub state: SwapState,
}

impl BookEntry {
    /// Whether the swap is outstanding as of `block`: it had not settled or lapsed by then.
    pub(super) fn is_open(&self, block: Option<u64>) -> bool {
        let is_later = self.state.block().zip(block).is_some_and(|(closed, block)| closed > block);
        self.state == SwapState::Outstanding || is_later
    }

    /// Returns the second in which the clock changes the state of the swap, unless something else does before.
    pub fn deadline(&self) -> UnixSeconds {
        let SwapDeadlines { lapse, release, removal } = self.swap.deadlines();
        match self.state {
            SwapState::Outstanding => lapse,
            SwapState::PartlySettled(_) | SwapState::Lapsed(_) => release,
            SwapState::Settled(_) | SwapState::Released(_) => removal,
        }
    }

    /// Returns the state of the swap at `now`, once its [deadline](Self::deadline) has come; `None` if it is to be
    /// removed.
    pub fn state_after_deadline(&self, now: UnixSeconds) -> Option<SwapState> {
        let SwapDeadlines { release, removal, .. } = self.swap.deadlines();
        match self.state {
            SwapState::Settled(_) => None,
            _ if now >= removal => None,
            SwapState::PartlySettled(block) => Some(SwapState::Settled(block)),
            state if now >= release => Some(SwapState::Released(state.block())),
            state => Some(SwapState::Lapsed(state.block())),
        }
    }
}
