//! Errors of the desk, one variant per reaction of a caller, and the details of a conflict with current prices.

use std::fmt;

use firmquote_domain::{Amount, BasisPoints, PoolId, Quote, QuoteId, Symbol, Usd};
use firmquote_market::{Rejection, push::PublishError};
use firmquote_signer::SignerError;
use firmquote_store::StoreError;
use strum::{IntoStaticStr, VariantArray, VariantNames};

use crate::LevelsRefusal;

/// The message of [`DeskError::Conflict`], which clients compare.
pub const CONFLICT_MESSAGE: &str = "Quote conflicts with latest prices. Please request a new quote.";

/// Why the desk refused to quote or sign.
#[derive(Debug, IntoStaticStr, VariantNames, thiserror::Error)]
#[strum(serialize_all = "snake_case")]
pub enum DeskError {
    /// The desk does not serve this chain, symbol, pair or pool.
    #[error("{}: {value} is not supported", .input.field())]
    Unsupported {
        /// The input at fault.
        input: UnsupportedInput,
        /// The unsupported value.
        value: String,
    },
    /// An input is well-formed but not allowed for this pool or quote.
    #[error("{field}: {reason}")]
    #[strum(serialize = "invalid_input")]
    NotAllowed {
        /// The name of the input.
        field: &'static str,
        /// The problem and the allowed values.
        reason: String,
    },
    /// Swaps are disabled for the pool.
    #[error("swaps are disabled for this pool")]
    SwapsDisabled,
    /// The operator paused the pool.
    #[error("the pool is paused")]
    Paused,
    /// A breaker of the pool stopped these swaps.
    #[error("a breaker of the pool stopped these swaps")]
    Breaker,
    /// The terms of the client do not include this pool or pair.
    #[error("Access is forbidden: the terms of this client do not include this pool or pair")]
    ClientTerms,
    /// The operator's policy does not allow this account to receive the output.
    #[error("Access is forbidden: this pool does not sign for this destination_address")]
    DestinationDenied,
    /// The operator's policy does not allow tokens of this account as the input.
    #[error("Access is forbidden: this pool does not sign for this sender_address")]
    SenderDenied,
    /// The trade exceeds the largest single trade that the operator's policy allows.
    #[error("the trade is worth {value} USD, above the limit of {limit} USD for a single trade")]
    #[strum(serialize = "trade_limit")]
    TradeValueAboveLimit {
        /// The value of the trade.
        value: Usd,
        /// The largest single trade.
        limit: Usd,
    },
    /// The trade exceeds the remaining volume of the pool's limit per minute.
    #[error("the pool's signing limit per minute is reached{}", retry_hint(*.retry_after_seconds))]
    PoolLimit {
        /// Seconds until there is room for this trade; `None` if the trade alone exceeds the limit.
        retry_after_seconds: Option<u32>,
    },
    /// The trade exceeds the remaining volume of the client's limit per minute.
    #[error("the client's signing limit per minute is reached{}", retry_hint(*.retry_after_seconds))]
    ClientLimit {
        /// Seconds until there is room for this trade; `None` if the trade alone exceeds the limit.
        retry_after_seconds: Option<u32>,
    },
    /// The limit on outstanding swaps is reached.
    #[error("{limit}{}", retry_hint_outstanding(*.retry_after_seconds, *.room))]
    OutstandingLimit {
        /// The limit that is reached.
        limit: OutstandingLimitKind,
        /// The amount of the output token that could be signed now, in base units; `None` for nothing.
        room: Option<Amount>,
        /// Seconds until the first swap that is outstanding now lapses; `None` if this trade alone exceeds the limit.
        retry_after_seconds: Option<u32>,
    },
    /// The store lost swaps that may be outstanding, and not all replicas have put theirs back; or the service started
    /// without a record of them.
    #[error("outstanding swaps are unknown after a restart, please try again in {retry_after_seconds} s")]
    #[strum(serialize = "store")]
    BookIncomplete {
        /// Maximum number of seconds until swaps are signed again.
        retry_after_seconds: u32,
    },
    /// The amount is larger than the pool can serve.
    #[error("{field} is larger than the pool can serve, at most {limit}")]
    TooLarge {
        /// The amount that is too large: `input_amount` or `output_amount`.
        field: &'static str,
        /// The largest amount that is served, in base units.
        limit: Amount,
    },
    /// The amount is larger than the pool signs at once, by the operator's limits.
    #[error("{field} is larger than the pool can serve, at most {limit}")]
    #[strum(serialize = "trade_limit")]
    AmountAboveTradeLimit {
        /// The amount that is too large: `input_amount` or `output_amount`.
        field: &'static str,
        /// An amount that is served, in base units; the largest one may be slightly higher.
        limit: Amount,
    },
    /// The amount is smaller than the pool serves.
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
    /// The quote was never made, has expired or has lapsed.
    #[error("no live quote {0}, please request a new quote")]
    UnknownQuote(QuoteId),
    /// The status of the quote is not known: it was never made, has expired unsigned, or is forgotten.
    #[error("quote {0} was not found: it was never made, has expired unsigned, or its status is no longer retained")]
    #[strum(serialize = "no_status")]
    StatusNotFound(QuoteId),
    /// The quote belongs to another client.
    #[error("the quote belongs to another client")]
    #[strum(serialize = "another_client")]
    OtherClient,
    /// The quote is bound to other terms.
    #[error("the quote is already signed for other terms")]
    #[strum(serialize = "other_terms")]
    SignedForOtherTerms,
    /// The id of a quote to be signed at once is that of an earlier request.
    #[error("the Idempotency-Key was used for another request")]
    #[strum(serialize = "idempotency_key_reused")]
    KeyReused,
    /// Another hedge of the same id was reported.
    #[error("another hedge with this hedge_id was reported")]
    #[strum(serialize = "hedge_id_reused")]
    HedgeIdReused,
    /// The pool would now give less than quoted.
    #[error("{CONFLICT_MESSAGE}")]
    Conflict(Box<Conflict>),
    /// The firm levels that a quote names do not apply to it.
    #[error(transparent)]
    Levels(LevelsRefusal),
    /// Prices or reserves of the pool are currently unavailable.
    #[error("prices or reserves of pool {0} are not available")]
    Market(PoolId),
    /// The price or the reserve of an asset violates a rule; quoting resumes automatically.
    #[error("{asset} is currently not quoted: {reason}")]
    #[strum(serialize = "market")]
    Untrusted {
        /// The asset.
        asset: Symbol,
        /// The violated rule.
        reason: Rejection,
    },
    /// The store may have lost trades of the last minute, so the limits per minute cannot be enforced.
    #[error("the last minute's volume is unknown after a store restart, please try again in {retry_after_seconds} s")]
    #[strum(serialize = "store")]
    VolumeUnknown {
        /// Seconds until the minute with possibly lost trades is over.
        retry_after_seconds: u32,
    },
    /// The clock was set forward, or differs too much from that of the store.
    #[error("the clock of the service cannot be trusted")]
    Clock(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store is filling up, and the client already holds its share of it.
    #[error("the client holds {held} live quotes, its share of the store; please try again later")]
    #[strum(serialize = "quotes_held")]
    TooManyQuotes {
        /// The number of the client's live quotes, signed ones included.
        held: usize,
    },
    /// The quote store is full or could not be queried.
    #[error("the quote store is not available")]
    Store(#[source] StoreError),
    /// Prices could not be posted.
    #[error("the prices were not posted")]
    #[strum(serialize = "price_board")]
    Publish(#[source] PublishError),
    /// The signing key could not be used.
    #[error("the signing key is not available")]
    #[strum(serialize = "key")]
    Signer(#[source] SignerError),
    /// A bug in the desk: the signer refused an offer that the desk considered signable, or the rounding of a price
    /// could not be decided.
    #[error("internal error: {0}")]
    Internal(String),
}

/// An input for something that the desk does not serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum UnsupportedInput {
    /// The chain.
    Chain,
    /// The symbol of the input asset.
    InputSymbol,
    /// The symbol of the output asset.
    OutputSymbol,
    /// The address of the input asset.
    InputAddress,
    /// The address of the output asset.
    OutputAddress,
    /// The asset of a posted price.
    Asset,
    /// Two assets that no pool swaps.
    Pair,
    /// Pairs of price levels, one of which no pool swaps.
    Pairs,
    /// The pool.
    Pool,
}

impl UnsupportedInput {
    /// Returns the name of the input.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Chain => "chain_id",
            Self::InputSymbol => "input_asset_symbol",
            Self::OutputSymbol => "output_asset_symbol",
            Self::InputAddress => "input_asset_address",
            Self::OutputAddress => "output_asset_address",
            Self::Asset => "symbol",
            Self::Pair => "pair",
            Self::Pairs => "pairs",
            Self::Pool => "pool_address",
        }
    }

    /// Returns the name of the reason.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chain => "unsupported_chain",
            Self::InputSymbol | Self::OutputSymbol | Self::InputAddress | Self::OutputAddress | Self::Asset => {
                "unsupported_asset"
            }
            Self::Pair | Self::Pairs => "unsupported_pair",
            Self::Pool => "unsupported_pool",
        }
    }
}

/// A limit on outstanding swaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum OutstandingLimitKind {
    /// All swaps of the pool.
    Pool,
    /// The swaps of the client.
    Client,
    /// The impact of the client's swaps on the price.
    ClientImpact,
    /// The number of the client's swaps.
    ClientSwaps,
    /// The swaps of all clients without credentials.
    Anonymous,
    /// The impact of the swaps of all clients without credentials on the price.
    AnonymousImpact,
    /// The swaps of the source network of a client without credentials.
    Network,
    /// The room that guaranteed swaps of other clients need.
    OthersGuaranteed,
    /// The guaranteed swaps of the client.
    ClientGuaranteed,
    /// One swap at a time, until the contract has executed one.
    Unproved,
}

impl OutstandingLimitKind {
    /// Returns the key of the configuration that sets the limit; `guaranteed` for those of guaranteed swaps, which none
    /// sets.
    pub const fn setting(self) -> &'static str {
        match self {
            Self::Pool => "max_outstanding_bps",
            Self::Client => "max_outstanding_bps_per_client",
            Self::ClientImpact => "max_outstanding_impact_bps",
            Self::ClientSwaps => "max_outstanding_swaps_per_client",
            Self::Anonymous => "max_outstanding_bps_anonymous",
            Self::AnonymousImpact => "max_outstanding_impact_bps_anonymous",
            Self::Network => "max_outstanding_bps_per_address",
            Self::OthersGuaranteed | Self::ClientGuaranteed => "guaranteed",
            Self::Unproved => "accept_unproved",
        }
    }
}

impl fmt::Display for OutstandingLimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = match self {
            Self::Pool => "the pool's limit on outstanding swaps",
            Self::Client | Self::ClientImpact | Self::ClientSwaps => "the client's limit on outstanding swaps",
            Self::Anonymous | Self::AnonymousImpact => "the limit on outstanding swaps without credentials",
            Self::Network => "the limit on outstanding swaps of one address",
            Self::OthersGuaranteed => {
                return f.write_str("other clients' guaranteed swaps leave no room for this swap");
            }
            Self::ClientGuaranteed => return f.write_str("the client's limit on guaranteed swaps is reached"),
            Self::Unproved => {
                return write!(
                    f,
                    "one swap at a time is signed until the contract has executed one ({})",
                    self.setting()
                );
            }
        };
        write!(f, "{limit} is reached ({})", self.setting())
    }
}

/// Formats when to retry, as the end of a message.
fn retry_hint(retry_after_seconds: Option<u32>) -> String {
    match retry_after_seconds {
        Some(seconds) => format!(", please try again in {seconds} s"),
        None => ", and this trade alone exceeds it".to_owned(),
    }
}

/// Formats the room that is left and when to retry, as the end of a message.
fn retry_hint_outstanding(retry_after_seconds: Option<u32>, room: Option<Amount>) -> String {
    let left = room.map_or_else(|| ", nothing is left".to_owned(), |room| format!(", an output of {room} is left"));
    match retry_after_seconds {
        Some(seconds) => format!("{left}, please try again in {seconds} s"),
        None => left,
    }
}

impl DeskError {
    /// Returns the name of the reason, as in responses, in metrics and in the log.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unsupported { input, .. } => input.name(),
            Self::Conflict(conflict) => conflict.reason.name(),
            Self::Levels(refusal) => refusal.name(),
            error => error.into(),
        }
    }

    /// Maps the error of a store.
    pub(crate) fn from_store(error: StoreError) -> Self {
        match error {
            StoreError::ClientFull { held } => Self::TooManyQuotes { held },
            StoreError::ClockSkew { .. } => Self::Clock(error.into()),
            error => Self::Store(error),
        }
    }

    /// The conflict of a quote whose pool no longer swaps on its terms.
    pub(crate) fn disabled() -> Self {
        let reason = ConflictReason::Disabled;
        Self::Conflict(Box::new(Conflict { reason, shortfall: None, fresh_quote: None }))
    }
}

/// The details of a quote that is not signed because the market has moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The input that moved.
    pub reason: ConflictReason,
    /// The shortfall of the current output as a fraction of the quoted output, rounded up; absent if the pool gives
    /// nothing now, or if it gives enough but its contract would not execute the swap.
    pub shortfall: Option<BasisPoints>,
    /// A quote for the same amount at current prices, stored like any other; absent if none can be made.
    pub fresh_quote: Option<Quote>,
}

/// The reason for a conflict: the first sufficient one, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ConflictReason {
    /// The pool no longer swaps these assets, or not on these terms.
    Disabled,
    /// The reserves of the pool.
    Reserve,
    /// Swaps that were signed meanwhile and may be executed before.
    Outstanding,
    /// The prices.
    Price,
    /// The fee.
    Fee,
}

impl ConflictReason {
    /// The name in client responses.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
