//! Why a request is refused: the only list of reasons, with the status, the type and the reaction of each. Documents, the
//! table in docs/errors.md and the clients are made from it.

use strum::{EnumString, IntoStaticStr, VariantArray};

/// `errorType` of the error object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
pub enum ErrorType {
    /// The request is invalid, or asks for something that the service does not have.
    BadData,
    /// The amount or the quote is not acceptable.
    QuoteProblem,
    /// Credentials are required.
    Unauthorized,
    /// The credentials, the destination or the sender are refused, or the quote is another client's.
    Forbidden,
    /// No such path, or no such quote for its status.
    NotFound,
    /// The path does not support the method.
    MethodNotAllowed,
    /// Too many requests.
    RateLimited,
    /// Something that the service depends on is unavailable.
    ExternalServiceError,
    /// A bug in the service.
    InternalError,
}

/// What a client does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Reaction {
    /// Send the same request again, after `retry_after_ms`.
    Retry,
    /// Send the same request again after `retry_after_ms` if the response has it; otherwise change the request.
    RetryIfTold,
    /// Sign the fresh quote, or request a quote.
    Requote,
    /// Change the request: it would be refused again.
    GiveUp,
}

/// Why a request is refused: the `reason` member of the error object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "Self::meaning has the meaning of each")]
pub enum Reason {
    InvalidInput,
    UnsupportedChain,
    UnsupportedAsset,
    UnsupportedPair,
    UnsupportedPool,
    UnknownQuote,
    Price,
    Fee,
    Reserve,
    Outstanding,
    Disabled,
    OtherTerms,
    IdempotencyKeyReused,
    HedgeIdReused,
    TooLarge,
    TooSmall,
    Exhausted,
    SwapsDisabled,
    Paused,
    Breaker,
    TradeLimit,
    PoolLimit,
    ClientLimit,
    OutstandingLimit,
    LevelsExpired,
    BeyondSize,
    BelowMinimum,
    BudgetUsed,
    ReservesMoved,
    StoreLost,
    DestinationDenied,
    ClientTerms,
    SenderDenied,
    NoCredentials,
    BadCredentials,
    #[strum(serialize = "basic_ended")]
    BasicRetired,
    NoAdminToken,
    MissingRole,
    #[strum(serialize = "foreign_site")]
    CrossSite,
    AnotherClient,
    NoStatus,
    NoRoute,
    Method,
    BodyTooLarge,
    BodyTooSlow,
    MediaType,
    UpgradeRequired,
    AnonymousRate,
    FailedLoginRate,
    CredentialRate,
    QuotesHeld,
    Market,
    Store,
    #[strum(serialize = "price_board")]
    PricePublisher,
    Key,
    Clock,
    LoginsBusy,
    NotReady,
    ShuttingDown,
    Internal,
}

impl ErrorType {
    /// Returns the value on the wire.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Reaction {
    /// Returns the name, as in the documents.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Reason {
    /// All reasons.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the value on the wire, which is also that in metrics and in the log.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the quote no longer holds: the error has `moved_bps` and `fresh_quote` where these can be made.
    pub const fn is_conflict(self) -> bool {
        matches!(self, Self::Price | Self::Fee | Self::Reserve | Self::Outstanding | Self::Disabled)
    }

    /// Whether the levels that the request names do not hold for it.
    pub const fn is_about_levels(self) -> bool {
        matches!(
            self,
            Self::LevelsExpired
                | Self::BeyondSize
                | Self::BelowMinimum
                | Self::BudgetUsed
                | Self::ReservesMoved
                | Self::StoreLost
        )
    }

    /// Returns the HTTP status and `errorType`. Nothing else decides them.
    pub const fn status(self) -> (u16, ErrorType) {
        self.row().0
    }

    /// Returns what happened, in a sentence.
    pub const fn meaning(self) -> &'static str {
        self.row().1
    }

    /// Returns `errorCode`.
    pub const fn code(self) -> Option<u16> {
        match self {
            Self::InvalidInput => Some(422),
            reason => match reason.status().1 {
                ErrorType::QuoteProblem => Some(409),
                _ => None,
            },
        }
    }

    /// Returns what a client does next.
    pub const fn reaction(self) -> Reaction {
        match self {
            Self::UnknownQuote | Self::OtherTerms => Reaction::Requote,
            reason if reason.is_conflict() || reason.is_about_levels() => Reaction::Requote,
            Self::PoolLimit | Self::ClientLimit | Self::OutstandingLimit => Reaction::RetryIfTold,
            reason => match reason.status().0 {
                408 | 429 | 503 => Reaction::Retry,
                _ => Reaction::GiveUp,
            },
        }
    }

    /// Returns status, `errorType` and meaning.
    const fn row(self) -> ((u16, ErrorType), &'static str) {
        const BAD_DATA: (u16, ErrorType) = (400, ErrorType::BadData);
        const QUOTE_PROBLEM: (u16, ErrorType) = (400, ErrorType::QuoteProblem);
        const FORBIDDEN: (u16, ErrorType) = (403, ErrorType::Forbidden);
        const NOT_FOUND: (u16, ErrorType) = (404, ErrorType::NotFound);
        const RATE_LIMITED: (u16, ErrorType) = (429, ErrorType::RateLimited);
        const UNAVAILABLE: (u16, ErrorType) = (503, ErrorType::ExternalServiceError);
        match self {
            Self::InvalidInput => (
                BAD_DATA,
                "An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each.",
            ),
            Self::UnsupportedChain => (BAD_DATA, "The chain is not supported."),
            Self::UnsupportedAsset => (BAD_DATA, "The asset is not supported; `field` names the input."),
            Self::UnsupportedPair => (BAD_DATA, "No pool swaps this pair."),
            Self::UnsupportedPool => (BAD_DATA, "The pool is not supported."),
            Self::UnknownQuote => (QUOTE_PROBLEM, "The quote is unknown or has expired."),
            Self::Price => (QUOTE_PROBLEM, "The pool would give less than quoted at the latest prices."),
            Self::Fee => (QUOTE_PROBLEM, "The pool would give less than quoted with the latest fee."),
            Self::Reserve => (QUOTE_PROBLEM, "The reserves moved too far for the quote."),
            Self::Outstanding => {
                (QUOTE_PROBLEM, "Other signed swaps may be executed first, or an equal offer is already signed.")
            }
            Self::Disabled => (QUOTE_PROBLEM, "The pool no longer swaps these assets, or not on these terms."),
            Self::OtherTerms => (QUOTE_PROBLEM, "The quote is signed for other terms."),
            Self::IdempotencyKeyReused => (QUOTE_PROBLEM, "The `Idempotency-Key` was used for another request."),
            Self::HedgeIdReused => ((409, ErrorType::BadData), "Another hedge of this `hedge_id` was reported."),
            Self::TooLarge => (QUOTE_PROBLEM, "The amount is larger than the pool can serve, at most `max_amount`."),
            Self::TooSmall => (QUOTE_PROBLEM, "The amount is too small, at least `min_amount`."),
            Self::Exhausted => (QUOTE_PROBLEM, "The reserves are too small for any amount of this swap."),
            Self::SwapsDisabled => (QUOTE_PROBLEM, "Swaps are disabled for the pool."),
            Self::Paused => (QUOTE_PROBLEM, "The operator paused the pool."),
            Self::Breaker => {
                (QUOTE_PROBLEM, "A breaker stopped these swaps of the pool, until the operator resumes it.")
            }
            Self::TradeLimit => (
                QUOTE_PROBLEM,
                "The trade is above the operator's limit for one trade: at most `max_amount`, or `largest_trade_in_usd`.",
            ),
            Self::PoolLimit => (QUOTE_PROBLEM, "The pool has reached its limit for the value signed in one minute."),
            Self::ClientLimit => {
                (QUOTE_PROBLEM, "The client has reached its limit for the value signed in one minute.")
            }
            Self::OutstandingLimit => (
                QUOTE_PROBLEM,
                "A limit on outstanding swaps, of the pool or of the client, is reached; `output_left` would be signed.",
            ),
            Self::LevelsExpired => (QUOTE_PROBLEM, "The levels have expired, or were never firm."),
            Self::BeyondSize => {
                (QUOTE_PROBLEM, "The amount is beyond the last knot of the levels, or their whole budget.")
            }
            Self::BelowMinimum => (QUOTE_PROBLEM, "The amount is below the first knot of the levels."),
            Self::BudgetUsed => {
                (QUOTE_PROBLEM, "Other quotes and swaps of the client leave too little of the budget of the levels.")
            }
            Self::ReservesMoved => (QUOTE_PROBLEM, "The reserves moved so far that the levels cannot be honored."),
            Self::StoreLost => (QUOTE_PROBLEM, "The service lost its record of the levels."),
            Self::DestinationDenied => (FORBIDDEN, "The pool does not sign for this destination."),
            Self::ClientTerms => (FORBIDDEN, "The terms of the client do not include this pool or pair."),
            Self::SenderDenied => (FORBIDDEN, "The pool does not sign for this sender."),
            Self::NoCredentials => ((401, ErrorType::Unauthorized), "Credentials are required."),
            Self::BadCredentials => {
                (FORBIDDEN, "The credentials are wrong, revoked, or of a scheme that is not accepted.")
            }
            Self::BasicRetired => (FORBIDDEN, "Basic credentials are no longer accepted."),
            Self::NoAdminToken => (FORBIDDEN, "No admin token is configured."),
            Self::MissingRole => (FORBIDDEN, "The operator does not have the role that the operation needs."),
            Self::CrossSite => (
                FORBIDDEN,
                "A browser sent the request on behalf of another site, or to a host name that others can register.",
            ),
            Self::AnotherClient => (FORBIDDEN, "The quote belongs to another client."),
            Self::NoStatus => {
                (NOT_FOUND, "The quote does not exist, has expired unsigned, or its status is no longer retained.")
            }
            Self::NoRoute => (NOT_FOUND, "The path does not exist."),
            Self::Method => (
                (405, ErrorType::MethodNotAllowed),
                "The path does not support the method; `Allow` lists those that it does.",
            ),
            Self::BodyTooLarge => ((413, ErrorType::BadData), "The body is larger than 16 KiB."),
            Self::BodyTooSlow => ((408, ErrorType::BadData), "The body did not arrive in time."),
            Self::MediaType => (
                (415, ErrorType::BadData),
                "The content type of the body is not JSON, or the body has a content coding.",
            ),
            Self::UpgradeRequired => {
                ((426, ErrorType::BadData), "The request is not a WebSocket handshake (RFC 6455).")
            }
            Self::AnonymousRate => {
                (RATE_LIMITED, "The client address exceeded its rate limit for requests without credentials.")
            }
            Self::FailedLoginRate => {
                (RATE_LIMITED, "The client address exceeded its rate limit for wrong credentials.")
            }
            Self::CredentialRate => {
                (RATE_LIMITED, "The client exceeded its request rate limit, or has too many level streams.")
            }
            Self::QuotesHeld => {
                (RATE_LIMITED, "The client holds its full share of the live quotes that the store can hold.")
            }
            Self::Market => (UNAVAILABLE, "A price or a reserve is currently unknown or not trusted."),
            Self::Store => (
                UNAVAILABLE,
                "The store is not available, or what it knew of the last minute or of outstanding swaps is lost.",
            ),
            Self::PricePublisher => (UNAVAILABLE, "The prices could not be posted."),
            Self::Key => (UNAVAILABLE, "The signing key is not available."),
            Self::Clock => (UNAVAILABLE, "The clock of the service cannot be trusted."),
            Self::LoginsBusy => (UNAVAILABLE, "Too many concurrent logins."),
            Self::NotReady => {
                (UNAVAILABLE, "A part that requests depend on is not available, or the service is shutting down.")
            }
            Self::ShuttingDown => (UNAVAILABLE, "The service is shutting down, and opens no more streams."),
            Self::Internal => (
                (500, ErrorType::InternalError),
                "A bug in the service; its operator can look it up by the `x-request-id`.",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_and_lists_follow_declaration_order() {
        for (at, reason) in Reason::VARIANTS.iter().copied().enumerate() {
            assert_eq!((reason as usize, reason.name().parse()), (at, Ok(reason)));
        }
        assert!(ErrorType::VARIANTS.iter().enumerate().all(|(at, kind)| *kind as usize == at));
    }
}
