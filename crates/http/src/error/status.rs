//! The single table from reasons to HTTP status, `errorType` and `errorCode`.

use actix_web::http::StatusCode;

use super::reason::{ErrorType, Reason};

/// The HTTP status, `errorType` and `errorCode` of an error response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ErrorStatus {
    pub(crate) status: StatusCode,
    pub(crate) error_type: ErrorType,
    pub(crate) error_code: Option<u16>,
    pub(crate) reason: Reason,
}

impl ErrorStatus {
    /// Whether every request of a client is refused alike for some time: in an outage, a pause, or beyond a quota.
    pub(crate) fn is_repeatable(&self) -> bool {
        matches!(self.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS)
            || matches!(self.reason, Reason::Paused | Reason::SwapsDisabled)
    }

    /// Returns the entry for `reason`. Nothing else in the service decides a status, a type or a code.
    pub(crate) const fn from_reason(reason: Reason) -> Self {
        const INVALID: Option<u16> = Some(422);
        const QUOTE: Option<u16> = Some(409);
        let (status, error_type, error_code) = match reason {
            Reason::InvalidInput => (StatusCode::BAD_REQUEST, ErrorType::BadData, INVALID),
            Reason::Unsupported => (StatusCode::BAD_REQUEST, ErrorType::BadData, None),
            Reason::UnknownQuote
            | Reason::Conflict
            | Reason::OtherTerms
            | Reason::TooLarge
            | Reason::TooSmall
            | Reason::Exhausted
            | Reason::SwapsDisabled
            | Reason::Paused
            | Reason::TradeLimit
            | Reason::PoolLimit
            | Reason::ClientLimit
            | Reason::OutstandingLimit
            | Reason::Levels => (StatusCode::BAD_REQUEST, ErrorType::QuoteProblem, QUOTE),
            Reason::NoCredentials => (StatusCode::UNAUTHORIZED, ErrorType::Unauthorized, None),
            Reason::DestinationDenied
            | Reason::SenderDenied
            | Reason::BadCredentials
            | Reason::BasicRetired
            | Reason::NoAdminToken
            | Reason::CrossSite
            | Reason::AnotherClient => (StatusCode::FORBIDDEN, ErrorType::Forbidden, None),
            Reason::NoStatus | Reason::NoRoute => (StatusCode::NOT_FOUND, ErrorType::NotFound, None),
            Reason::Method => (StatusCode::METHOD_NOT_ALLOWED, ErrorType::MethodNotAllowed, None),
            Reason::BodyTooSlow => (StatusCode::REQUEST_TIMEOUT, ErrorType::BadData, None),
            Reason::BodyTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, ErrorType::BadData, None),
            Reason::MediaType => (StatusCode::UNSUPPORTED_MEDIA_TYPE, ErrorType::BadData, None),
            Reason::UpgradeRequired => (StatusCode::UPGRADE_REQUIRED, ErrorType::BadData, None),
            Reason::AnonymousRate | Reason::FailedLoginRate | Reason::CredentialRate | Reason::QuotesHeld => {
                (StatusCode::TOO_MANY_REQUESTS, ErrorType::RateLimited, None)
            }
            Reason::Market
            | Reason::Store
            | Reason::PricePublisher
            | Reason::Key
            | Reason::Clock
            | Reason::LoginsBusy
            | Reason::NotReady
            | Reason::ShuttingDown => (StatusCode::SERVICE_UNAVAILABLE, ErrorType::ExternalServiceError, None),
            Reason::Internal => (StatusCode::INTERNAL_SERVER_ERROR, ErrorType::InternalError, None),
        };
        Self { status, error_type, error_code, reason }
    }
}
