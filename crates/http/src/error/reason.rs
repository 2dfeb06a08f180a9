//! The error types on the wire, and the finer reasons in metrics and in the log.

use strum::{IntoStaticStr, VariantArray};

/// `errorType` of the error object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str)]
pub(crate) enum ErrorType {
    #[strum(serialize = "BadData")]
    BadData,
    #[strum(serialize = "QuoteProblem")]
    QuoteProblem,
    #[strum(serialize = "Unauthorized")]
    Unauthorized,
    #[strum(serialize = "Forbidden")]
    Forbidden,
    #[strum(serialize = "NotFound")]
    NotFound,
    #[strum(serialize = "MethodNotAllowed")]
    MethodNotAllowed,
    #[strum(serialize = "RateLimited")]
    RateLimited,
    #[strum(serialize = "ExternalServiceError")]
    ExternalServiceError,
    #[strum(serialize = "InternalError")]
    InternalError,
}

impl ErrorType {
    /// Returns the value on the wire.
    pub(crate) const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// The reason why a request was rejected or failed; finer than [`ErrorType`]. For operators, except for
/// [`Reason::POLICY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str)]
pub(crate) enum Reason {
    #[strum(serialize = "invalid_input")]
    InvalidInput,
    #[strum(serialize = "unsupported")]
    Unsupported,
    #[strum(serialize = "unknown_quote")]
    UnknownQuote,
    #[strum(serialize = "conflict")]
    Conflict,
    #[strum(serialize = "other_terms")]
    OtherTerms,
    #[strum(serialize = "too_large")]
    TooLarge,
    #[strum(serialize = "too_small")]
    TooSmall,
    #[strum(serialize = "exhausted")]
    Exhausted,
    #[strum(serialize = "swaps_disabled")]
    SwapsDisabled,
    #[strum(serialize = "paused")]
    Paused,
    #[strum(serialize = "trade_limit")]
    TradeLimit,
    #[strum(serialize = "pool_limit")]
    PoolLimit,
    #[strum(serialize = "client_limit")]
    ClientLimit,
    #[strum(serialize = "outstanding_limit")]
    OutstandingLimit,
    #[strum(serialize = "levels")]
    Levels,
    #[strum(serialize = "destination_denied")]
    DestinationDenied,
    #[strum(serialize = "sender_denied")]
    SenderDenied,
    #[strum(serialize = "no_credentials")]
    NoCredentials,
    #[strum(serialize = "bad_credentials")]
    BadCredentials,
    #[strum(serialize = "basic_ended")]
    BasicRetired,
    #[strum(serialize = "no_admin_token")]
    NoAdminToken,
    #[strum(serialize = "foreign_site")]
    CrossSite,
    #[strum(serialize = "another_client")]
    AnotherClient,
    #[strum(serialize = "no_status")]
    NoStatus,
    #[strum(serialize = "no_route")]
    NoRoute,
    #[strum(serialize = "method")]
    Method,
    #[strum(serialize = "body_too_large")]
    BodyTooLarge,
    #[strum(serialize = "body_too_slow")]
    BodyTooSlow,
    #[strum(serialize = "media_type")]
    MediaType,
    #[strum(serialize = "upgrade_required")]
    UpgradeRequired,
    #[strum(serialize = "anonymous_rate")]
    AnonymousRate,
    #[strum(serialize = "failed_login_rate")]
    FailedLoginRate,
    #[strum(serialize = "credential_rate")]
    CredentialRate,
    #[strum(serialize = "quotes_held")]
    QuotesHeld,
    #[strum(serialize = "market")]
    Market,
    #[strum(serialize = "store")]
    Store,
    #[strum(serialize = "price_board")]
    PricePublisher,
    #[strum(serialize = "key")]
    Key,
    #[strum(serialize = "clock")]
    Clock,
    #[strum(serialize = "logins_busy")]
    LoginsBusy,
    #[strum(serialize = "not_ready")]
    NotReady,
    #[strum(serialize = "shutting_down")]
    ShuttingDown,
    #[strum(serialize = "internal")]
    Internal,
}

impl Reason {
    /// Returns the label in metrics and in the log.
    pub(crate) const fn label(self) -> &'static str {
        self.into_str()
    }

    /// The refusals by a pool's policy, whose label is the `reason` member of the response.
    pub(crate) const POLICY: [Self; 5] =
        [Self::Paused, Self::TradeLimit, Self::PoolLimit, Self::ClientLimit, Self::OutstandingLimit];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_follow_declaration_order() {
        assert!(ErrorType::VARIANTS.iter().enumerate().all(|(at, kind)| *kind as usize == at));
        assert!(Reason::VARIANTS.iter().enumerate().all(|(at, reason)| *reason as usize == at));
    }
}
