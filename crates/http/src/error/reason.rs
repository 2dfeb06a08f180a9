//! The names under which answers appear on the wire, in metrics and in the log.

/// `errorType` of the error object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// All of them, in the order of their declaration.
    pub(crate) const ALL: [Self; 9] = [
        Self::BadData,
        Self::QuoteProblem,
        Self::Unauthorized,
        Self::Forbidden,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::RateLimited,
        Self::ExternalServiceError,
        Self::InternalError,
    ];

    /// The word on the wire.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::BadData => "BadData",
            Self::QuoteProblem => "QuoteProblem",
            Self::Unauthorized => "Unauthorized",
            Self::Forbidden => "Forbidden",
            Self::NotFound => "NotFound",
            Self::MethodNotAllowed => "MethodNotAllowed",
            Self::RateLimited => "RateLimited",
            Self::ExternalServiceError => "ExternalServiceError",
            Self::InternalError => "InternalError",
        }
    }
}

/// Why a request was not answered as asked; finer than [`ErrorType`], for operators only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    DestinationDenied,
    SenderDenied,
    NoCredentials,
    BadCredentials,
    BasicEnded,
    NoAdminToken,
    ForeignSite,
    AnotherClient,
    NoRoute,
    Method,
    BodyTooLarge,
    BodyTooSlow,
    MediaType,
    AnonymousRate,
    FailedLoginRate,
    CredentialRate,
    QuotesHeld,
    Market,
    Store,
    PriceBoard,
    Key,
    Clock,
    LoginsBusy,
    NotReady,
    Internal,
}

impl Reason {
    /// All of them, in the order of their declaration.
    pub(crate) const ALL: [Self; 38] = [
        Self::InvalidInput,
        Self::Unsupported,
        Self::UnknownQuote,
        Self::Conflict,
        Self::OtherTerms,
        Self::TooLarge,
        Self::TooSmall,
        Self::Exhausted,
        Self::SwapsDisabled,
        Self::Paused,
        Self::TradeLimit,
        Self::PoolLimit,
        Self::ClientLimit,
        Self::DestinationDenied,
        Self::SenderDenied,
        Self::NoCredentials,
        Self::BadCredentials,
        Self::BasicEnded,
        Self::NoAdminToken,
        Self::ForeignSite,
        Self::AnotherClient,
        Self::NoRoute,
        Self::Method,
        Self::BodyTooLarge,
        Self::BodyTooSlow,
        Self::MediaType,
        Self::AnonymousRate,
        Self::FailedLoginRate,
        Self::CredentialRate,
        Self::QuotesHeld,
        Self::Market,
        Self::Store,
        Self::PriceBoard,
        Self::Key,
        Self::Clock,
        Self::LoginsBusy,
        Self::NotReady,
        Self::Internal,
    ];

    /// The label in metrics and in the log.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid_input",
            Self::Unsupported => "unsupported",
            Self::UnknownQuote => "unknown_quote",
            Self::Conflict => "conflict",
            Self::OtherTerms => "other_terms",
            Self::TooLarge => "too_large",
            Self::TooSmall => "too_small",
            Self::Exhausted => "exhausted",
            Self::SwapsDisabled => "swaps_disabled",
            Self::Paused => "paused",
            Self::TradeLimit => "trade_limit",
            Self::PoolLimit => "pool_limit",
            Self::ClientLimit => "client_limit",
            Self::DestinationDenied => "destination_denied",
            Self::SenderDenied => "sender_denied",
            Self::NoCredentials => "no_credentials",
            Self::BadCredentials => "bad_credentials",
            Self::BasicEnded => "basic_ended",
            Self::NoAdminToken => "no_admin_token",
            Self::ForeignSite => "foreign_site",
            Self::AnotherClient => "another_client",
            Self::NoRoute => "no_route",
            Self::Method => "method",
            Self::BodyTooLarge => "body_too_large",
            Self::BodyTooSlow => "body_too_slow",
            Self::MediaType => "media_type",
            Self::AnonymousRate => "anonymous_rate",
            Self::FailedLoginRate => "failed_login_rate",
            Self::CredentialRate => "credential_rate",
            Self::QuotesHeld => "quotes_held",
            Self::Market => "market",
            Self::Store => "store",
            Self::PriceBoard => "price_board",
            Self::Key => "key",
            Self::Clock => "clock",
            Self::LoginsBusy => "logins_busy",
            Self::NotReady => "not_ready",
            Self::Internal => "internal",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_in_the_order_of_declaration() {
        assert!(ErrorType::ALL.iter().enumerate().all(|(at, kind)| *kind as usize == at));
        assert!(Reason::ALL.iter().enumerate().all(|(at, reason)| *reason as usize == at));
    }
}
