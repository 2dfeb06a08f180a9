//! The error types on the wire, and the finer reasons in metrics and in the log.

use strum::{EnumString, IntoStaticStr, VariantArray};

/// `errorType` of the error object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str)]
pub(crate) enum ErrorType {
    BadData,
    QuoteProblem,
    Unauthorized,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    RateLimited,
    ExternalServiceError,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray, Hash)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub(crate) enum Reason {
    InvalidInput,
    Unsupported,
    UnknownQuote,
    Conflict,
    OtherTerms,
    TooLarge,
    TooSmall,
    Exhausted,
    SwapsDisabled,
    Paused,
    TradeLimit,
    PoolLimit,
    ClientLimit,
    OutstandingLimit,
    Levels,
    DestinationDenied,
    SenderDenied,
    NoCredentials,
    BadCredentials,
    #[strum(serialize = "basic_ended")]
    BasicRetired,
    NoAdminToken,
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
