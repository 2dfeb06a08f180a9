//! Reasons the desk does not serve a request, one variant per reaction of a caller, and what a conflict says of the
//! fresh quote.

use firmquote_domain::{Amount, BasisPoints, ClockJump, PoolId, Quote, QuoteId, Symbol, Usd};
use firmquote_market::{Rejection, push::BoardError};
use firmquote_signer::SignerError;
use firmquote_store::StoreError;

/// Why the desk would not quote or sign.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// The chain, symbol, pair or pool is not one of this desk's.
    #[error("{field}: {value} is not supported")]
    Unsupported {
        /// The input that names it: `chain_id`, `input_asset_symbol`, `output_asset_symbol`, `pool_address` or `pair`; `symbol` of
        /// a price.
        field: &'static str,
        /// What it named.
        value: String,
    },
    /// An input is well-formed but not allowed for this pool or quote.
    #[error("{field}: {reason}")]
    NotAllowed {
        /// The input: `time_in_seconds`, `destination_address`, `native_input` or `native_output`.
        field: &'static str,
        /// What is wrong and what is allowed.
        reason: String,
    },
    /// The pool does not quote at present.
    #[error("swaps are disabled for this pool")]
    SwapsDisabled,
    /// The operator paused the pool.
    #[error("the pool is paused")]
    Paused,
    /// The operator's policy does not let this account receive anything.
    #[error("Access is forbidden: this pool does not sign for this destination_address")]
    DestinationDenied,
    /// The operator's policy does not let this account's tokens be the input.
    #[error("Access is forbidden: this pool does not sign for this sender_address")]
    SenderDenied,
    /// The trade is worth more than the operator's policy lets the pool sign at once.
    #[error("the trade is worth {value} USD, at most {limit} are signed at once")]
    AboveLimit {
        /// What it is worth.
        value: Usd,
        /// The largest trade.
        limit: Usd,
    },
    /// The pool has signed as much in the last minute as the operator's policy lets it.
    #[error("the pool has signed as much as it may in one minute{}", again(*.retry_after_seconds))]
    PoolLimit {
        /// When there is room for this trade again; never, if it alone is above the limit.
        retry_after_seconds: Option<u32>,
    },
    /// The client was signed for as much in the last minute as the operator's policy lets it.
    #[error("as much was signed for this client as may be in one minute{}", again(*.retry_after_seconds))]
    ClientLimit {
        /// When there is room for this trade again; never, if it alone is above the limit.
        retry_after_seconds: Option<u32>,
    },
    /// More than the pool can serve.
    #[error("{field} is larger than the pool can serve, at most {limit}")]
    TooLarge {
        /// The amount that is too large: `input_amount` or `output_amount`.
        field: &'static str,
        /// The largest amount that is served, in base units.
        limit: Amount,
    },
    /// Less than the pool serves.
    #[error("{field} is too small, at least {limit}")]
    TooSmall {
        /// The amount that is too small: `input_amount` or `output_amount`.
        field: &'static str,
        /// The smallest amount that is served, in base units.
        limit: Amount,
    },
    /// The reserves do not allow any amount of this swap.
    #[error("the pool has too little of these assets to serve any amount")]
    Exhausted,
    /// Never made, expired, or lapsed.
    #[error("no live quote {0}, please request a new quote")]
    UnknownQuote(QuoteId),
    /// The quote is another client's.
    #[error("the quote belongs to another client")]
    AnotherClients,
    /// The quote is bound to other terms.
    #[error("the quote is already signed for other terms")]
    SignedForOtherTerms,
    /// The pool would give less now than the quote says. Clients match on this message.
    #[error("Quote conflicts with latest prices. Please request a new quote.")]
    Conflict(Box<Conflict>),
    /// Prices or reserves of a pool are not known at present.
    #[error("prices or reserves of pool {0} are not available")]
    Market(PoolId),
    /// The price or the reserve of an asset breaks a rule; quoting resumes by itself.
    #[error("{asset} is not quoted at present: {reason}")]
    Untrusted {
        /// The asset.
        asset: Symbol,
        /// The rule.
        reason: Rejection,
    },
    /// The store may have lost trades of the last minute, so the limits per minute cannot be held.
    #[error(
        "what was signed in the last minute is not known since the store restarted, please try again in {retry_after_seconds} s"
    )]
    TotalsUnknown {
        /// When the minute of what may be lost is over.
        retry_after_seconds: u32,
    },
    /// The clock was set forward.
    #[error("the clock of the service cannot be trusted")]
    Clock(#[source] ClockJump),
    /// The client holds its share of a store that fills up.
    #[error("the client holds {held} live quotes, its share of the store; please try again later")]
    TooManyQuotes {
        /// How many live quotes are the client's, signed ones included.
        held: usize,
    },
    /// The quote store is full or could not be asked.
    #[error("the quote store is not available")]
    Store(#[source] StoreError),
    /// Prices could not be posted.
    #[error("the prices were not posted")]
    Board(#[source] BoardError),
    /// The key service could not be asked.
    #[error("the signing key is not available")]
    Key(#[source] SignerError),
    /// The desk's own mistake: the signer refused what the desk thought signable, or a number did not settle.
    #[error("internal error: {0}")]
    Internal(String),
}

/// When to ask again, as the end of a message.
fn again(retry_after_seconds: Option<u32>) -> String {
    match retry_after_seconds {
        Some(seconds) => format!(", please try again in {seconds} s"),
        None => ", and this trade is above that alone".to_owned(),
    }
}

impl DeskError {
    /// A store that did not take a quote.
    pub(crate) fn from_store(error: StoreError) -> Self {
        match error {
            StoreError::ClientFull { held } => Self::TooManyQuotes { held },
            error => Self::Store(error),
        }
    }

    /// The conflict of a quote whose pool does not swap on its terms any more.
    pub(crate) fn disabled() -> Self {
        let reason = ConflictReason::Disabled;
        Self::Conflict(Box::new(Conflict { reason, moved: None, fresh_quote: None }))
    }
}

/// A quote that is not signed because the market moved since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What moved.
    pub reason: ConflictReason,
    /// How much less the pool would give now, as a part of what was quoted, rounded up; absent where it gives nothing, and
    /// where it would give enough and its contract would not execute it.
    pub moved: Option<BasisPoints>,
    /// A quote for the same amount at today's prices, kept like any other; absent where none can be made.
    pub fresh_quote: Option<Quote>,
}

/// What moved since a quote was made; the first that is reason enough, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictReason {
    /// The pool does not swap these assets any more, or not on these terms.
    Disabled,
    /// The reserves of the pool.
    Reserve,
    /// The prices.
    Price,
    /// The fee.
    Fee,
}

impl ConflictReason {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Disabled, Self::Reserve, Self::Price, Self::Fee];

    /// The name that clients see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Reserve => "reserve",
            Self::Price => "price",
            Self::Fee => "fee",
        }
    }
}
