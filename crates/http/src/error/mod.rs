//! The errors of the HTTP interface: status, headers, message and operator-facing reason of every rejected or failed
//! request. Messages never reveal details of internal errors or of rejected credentials.

pub(crate) mod body;
pub(crate) mod pages;
mod reason;
mod status;

use std::{borrow::Cow, fmt, time::Duration};

use actix_web::{
    HttpResponse, ResponseError,
    http::{
        Method, StatusCode,
        header::{ALLOW, HeaderMap, HeaderValue, RETRY_AFTER, UPGRADE, WWW_AUTHENTICATE},
    },
};
use firmquote_desk::{Conflict, DeskError, LevelsRefusal};

pub(crate) use self::{
    reason::{ErrorType, Reason},
    status::ErrorStatus,
};
use crate::{
    input::{InvalidInput, shorten},
    limits::{LimitName, RateLimitStatus},
    readiness::Readiness,
};

/// Default `Retry-After` in seconds, for 503 and 429 responses without a computed delay.
const RETRY_AFTER_SECONDS: u64 = 2;

/// `Retry-After` in seconds for what is limited at a time: it may be closed at any time.
const CONCURRENCY_RETRY_SECONDS: u64 = 5;

/// The reason why a request was rejected or failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    /// Missing, malformed, out-of-range or mutually exclusive inputs: all of them.
    #[error("Invalid input data")]
    InvalidInput(Vec<InvalidInput>),
    /// An error returned by the desk.
    #[error(transparent)]
    Desk(DeskError),
    /// Credentials are required and missing. Carries the challenges.
    #[error("Credentials are needed")]
    NoCredentials(Vec<HeaderValue>),
    /// Wrong credentials, or credentials of a scheme that the route does not accept.
    #[error("Access is forbidden")]
    BadCredentials,
    /// Only Basic credentials were presented, or would be accepted, and Basic is retired. No credentials were checked.
    #[error("Access is forbidden")]
    BasicRetired,
    /// A route that requires the admin token, and none is configured.
    #[error("Access is forbidden: no admin token is configured (server.admin_token_sha256)")]
    NoAdminToken,
    /// A browser request from another site, or with a `Host` that another party may own.
    #[error("Access is forbidden: use a page of this listener, at an IP address, localhost or a local name")]
    CrossSite,
    /// Too many passwords are waiting to be checked, so this one is not.
    #[error("Too many logins at once, please try again later")]
    LoginsBusy,
    /// No route matches the path.
    #[error("No such route")]
    NoRoute,
    /// The path exists, but does not allow the method.
    #[error("Method not allowed, allowed: {0}")]
    Method(AllowedMethods),
    /// The body exceeds the size limit.
    #[error("The body is larger than {limit} bytes")]
    BodyTooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The body did not arrive in time.
    #[error("The body did not arrive in time")]
    BodyTooSlow,
    /// The body is not JSON, or is compressed.
    #[error("The content type has to be application/json, without a content coding")]
    MediaType,
    /// The request is not the handshake of a WebSocket.
    #[error("A WebSocket handshake of version 13 is expected")]
    UpgradeRequired,
    /// The client exceeded its quota of requests or of failed logins.
    #[error("Too many {}, please try again in {retry_after_seconds} s", subject(*.limit))]
    RateLimited {
        /// The exceeded limit.
        limit: LimitName,
        /// Whole seconds until one more is allowed, rounded up, at least 1.
        retry_after_seconds: u64,
    },
    /// The client has as many streams open, or books in them, as it may have at a time.
    #[error("Too many {}, please try again in {CONCURRENCY_RETRY_SECONDS} s", subject(*.limit))]
    ConcurrencyLimited {
        /// The exceeded limit.
        limit: LimitName,
        /// How many are allowed at a time.
        quota: usize,
    },
    /// A part that requests depend on is unavailable, or the server is shutting down. Returned by readiness only.
    #[error("The service is not ready: {}", .0.summary())]
    NotReady(Box<Readiness>),
    /// The service is shutting down, and opens no more streams.
    #[error("The service is shutting down")]
    ShuttingDown,
    /// A bug or another internal failure of this service.
    #[error("{0}")]
    Internal(String),
}

/// The methods that a path allows, as listed in `Allow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AllowedMethods {
    Get,
    Post,
    Put,
    GetAndHead,
}

impl AllowedMethods {
    /// Returns the value of `Allow`.
    pub(crate) const fn list(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::GetAndHead => "GET, HEAD",
        }
    }

    /// Returns whether `method` is allowed.
    pub(crate) fn contains(self, method: &Method) -> bool {
        match self {
            Self::Get => method == Method::GET,
            Self::Post => method == Method::POST,
            Self::Put => method == Method::PUT,
            Self::GetAndHead => method == Method::GET || method == Method::HEAD,
        }
    }
}

impl fmt::Display for AllowedMethods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.list())
    }
}

impl ApiError {
    /// Returns the reason reported to operators, in metrics and in the log.
    pub(crate) const fn reason(&self) -> Reason {
        use DeskError as Desk;
        match self {
            Self::InvalidInput(_) | Self::Desk(Desk::NotAllowed { .. }) => Reason::InvalidInput,
            Self::Desk(Desk::Unsupported { .. }) => Reason::Unsupported,
            Self::Desk(Desk::UnknownQuote(_)) => Reason::UnknownQuote,
            Self::Desk(Desk::Conflict(_)) => Reason::Conflict,
            Self::Desk(Desk::SignedForOtherTerms) => Reason::OtherTerms,
            Self::Desk(Desk::TooLarge { .. }) => Reason::TooLarge,
            Self::Desk(Desk::TooSmall { .. }) => Reason::TooSmall,
            Self::Desk(Desk::Exhausted) => Reason::Exhausted,
            Self::Desk(Desk::SwapsDisabled) => Reason::SwapsDisabled,
            Self::Desk(Desk::Paused | Desk::Levels(LevelsRefusal::Paused)) => Reason::Paused,
            Self::Desk(Desk::AboveLimit { .. }) => Reason::TradeLimit,
            Self::Desk(Desk::PoolLimit { .. }) => Reason::PoolLimit,
            Self::Desk(Desk::ClientLimit { .. }) => Reason::ClientLimit,
            Self::Desk(Desk::OutstandingLimit { .. } | Desk::Levels(LevelsRefusal::OutstandingLimit)) => {
                Reason::OutstandingLimit
            }
            Self::Desk(Desk::Levels(_)) => Reason::Levels,
            Self::Desk(Desk::DestinationDenied) => Reason::DestinationDenied,
            Self::Desk(Desk::SenderDenied) => Reason::SenderDenied,
            Self::NoCredentials(_) => Reason::NoCredentials,
            Self::BadCredentials => Reason::BadCredentials,
            Self::BasicRetired => Reason::BasicRetired,
            Self::NoAdminToken => Reason::NoAdminToken,
            Self::CrossSite => Reason::CrossSite,
            Self::Desk(Desk::OtherClient) => Reason::AnotherClient,
            Self::Desk(Desk::NoStatus(_)) => Reason::NoStatus,
            Self::NoRoute => Reason::NoRoute,
            Self::Method(_) => Reason::Method,
            Self::BodyTooSlow => Reason::BodyTooSlow,
            Self::BodyTooLarge { .. } => Reason::BodyTooLarge,
            Self::MediaType => Reason::MediaType,
            Self::UpgradeRequired => Reason::UpgradeRequired,
            Self::RateLimited { limit, .. } | Self::ConcurrencyLimited { limit, .. } => reason(*limit),
            Self::Desk(Desk::TooManyQuotes { .. }) => Reason::QuotesHeld,
            Self::Desk(Desk::Market(_) | Desk::Untrusted { .. }) => Reason::Market,
            Self::Desk(Desk::Store(_) | Desk::TotalsUnknown { .. } | Desk::BookIncomplete { .. }) => Reason::Store,
            Self::Desk(Desk::Clock(_)) => Reason::Clock,
            Self::Desk(Desk::Board(_)) => Reason::PricePublisher,
            Self::Desk(Desk::Key(_)) => Reason::Key,
            Self::LoginsBusy => Reason::LoginsBusy,
            Self::NotReady(_) => Reason::NotReady,
            Self::ShuttingDown => Reason::ShuttingDown,
            Self::Internal(_) | Self::Desk(Desk::Internal(_)) => Reason::Internal,
        }
    }

    /// Returns the status, type and code of the response.
    pub(crate) const fn status(&self) -> ErrorStatus {
        ErrorStatus::from_reason(self.reason())
    }

    /// Returns `errorMessage`, which reveals nothing about credentials or internal errors.
    pub(crate) fn message(&self) -> Cow<'static, str> {
        match (self.status().error_type, self) {
            (
                ErrorType::Forbidden,
                Self::NoAdminToken
                | Self::CrossSite
                | Self::Desk(DeskError::DestinationDenied | DeskError::SenderDenied),
            ) => self.to_string().into(),
            (ErrorType::Forbidden, _) => "Access is forbidden".into(),
            (ErrorType::InternalError, _) => "Internal error".into(),
            (ErrorType::BadData, Self::Desk(DeskError::Unsupported { field, value })) => {
                format!("{field}: {} is not supported", shorten(value)).into()
            }
            _ => self.to_string().into(),
        }
    }

    /// Returns what moved since the quote was made, if the error is a conflict.
    pub(crate) fn conflict(&self) -> Option<&Conflict> {
        match self {
            Self::Desk(DeskError::Conflict(conflict)) => Some(conflict),
            _ => None,
        }
    }

    /// Returns the `reason` member, where levels or the policy of the pool refused the request.
    pub(crate) fn refusal_reason(&self) -> Option<&'static str> {
        if let Self::Desk(DeskError::Levels(refusal)) = self {
            return Some(refusal.name());
        }
        let reason = self.status().reason;
        Reason::POLICY.contains(&reason).then(|| reason.label())
    }

    /// Returns the state of every part, if the error is [`Self::NotReady`].
    pub(crate) fn readiness(&self) -> Option<&Readiness> {
        match self {
            Self::NotReady(readiness) => Some(readiness),
            _ => None,
        }
    }

    /// Returns the inputs to list in `data`; empty unless the error is [`Self::InvalidInput`].
    pub(crate) fn invalid_inputs(&self) -> &[InvalidInput] {
        match self {
            Self::InvalidInput(inputs) => inputs,
            _ => &[],
        }
    }
}

/// Returns what the limit counts, for the error message.
const fn subject(limit: LimitName) -> &'static str {
    match limit {
        LimitName::Anonymous | LimitName::AnonymousSignatures | LimitName::Credential => "requests",
        LimitName::FailedLogins => "failed logins",
        LimitName::LevelStreams => "streams of levels",
        LimitName::LevelBooks => "books of levels",
        LimitName::LiveQuotes => "live quotes",
    }
}

const fn reason(limit: LimitName) -> Reason {
    match limit {
        LimitName::Anonymous | LimitName::AnonymousSignatures => Reason::AnonymousRate,
        LimitName::FailedLogins => Reason::FailedLoginRate,
        LimitName::Credential | LimitName::LevelStreams | LimitName::LevelBooks => Reason::CredentialRate,
        LimitName::LiveQuotes => Reason::QuotesHeld,
    }
}

impl ApiError {
    /// Returns the response with the status and headers of this error, without its body and the headers common to all
    /// responses.
    pub(crate) fn head(&self) -> HttpResponse {
        let mut response = HttpResponse::new(self.status().status);
        let headers = response.headers_mut();
        match self {
            Self::NoCredentials(challenges) => {
                for challenge in challenges {
                    headers.append(WWW_AUTHENTICATE, challenge.clone());
                }
            }
            Self::Method(allowed) => {
                headers.insert(ALLOW, HeaderValue::from_static(allowed.list()));
            }
            Self::UpgradeRequired => {
                headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
            }
            Self::RateLimited { retry_after_seconds, .. } => {
                headers.insert(RETRY_AFTER, HeaderValue::from(*retry_after_seconds));
            }
            Self::Desk(
                DeskError::PoolLimit { retry_after_seconds: Some(seconds) }
                | DeskError::ClientLimit { retry_after_seconds: Some(seconds) }
                | DeskError::OutstandingLimit { retry_after_seconds: Some(seconds), .. },
            ) => {
                headers.insert(RETRY_AFTER, HeaderValue::from(*seconds));
            }
            Self::Desk(
                DeskError::TotalsUnknown { retry_after_seconds } | DeskError::BookIncomplete { retry_after_seconds },
            ) => {
                headers.insert(RETRY_AFTER, HeaderValue::from(*retry_after_seconds));
            }
            Self::ConcurrencyLimited { limit, quota } => {
                add_exhausted_quota(headers, *limit, *quota, CONCURRENCY_RETRY_SECONDS);
            }
            Self::Desk(DeskError::TooManyQuotes { held }) => {
                add_exhausted_quota(headers, LimitName::LiveQuotes, *held, RETRY_AFTER_SECONDS);
            }
            _ if matches!(self.status().status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) => {
                headers.insert(RETRY_AFTER, HeaderValue::from(RETRY_AFTER_SECONDS));
            }
            _ => {}
        }
        response
    }
}

/// Adds `Retry-After` and the rate limit headers of a quota that counts what there is at a time, and is used up.
fn add_exhausted_quota(headers: &mut HeaderMap, limit: LimitName, quota: usize, retry_after_seconds: u64) {
    headers.insert(RETRY_AFTER, HeaderValue::from(retry_after_seconds));
    RateLimitStatus::exhausted(limit, quota, Duration::from_secs(retry_after_seconds)).add_to(headers);
}

/// The middleware writes the body, which depends on the request's host and the service snapshot.
impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.status().status
    }

    fn error_response(&self) -> HttpResponse {
        self.head()
    }
}

#[cfg(test)]
mod tests {
    use firmquote_desk::ConflictReason;

    use super::*;

    #[test]
    fn an_internal_error_never_says_what_went_wrong() {
        let error = ApiError::Desk(DeskError::Internal("the key is hot".into()));
        assert_eq!(error.message(), "Internal error");
        assert_eq!(error.status().status, 500);
    }

    #[test]
    fn what_may_pass_by_itself_says_when_to_try_again() {
        let error = ApiError::LoginsBusy;
        let (response, status) = (error.head(), error.status());
        assert_eq!((status.status, status.error_type), (503.try_into().unwrap(), ErrorType::ExternalServiceError));
        assert_eq!(response.headers().get(RETRY_AFTER).unwrap(), &HeaderValue::from(RETRY_AFTER_SECONDS));
        assert_eq!(error.message(), "Too many logins at once, please try again later");
    }

    #[test]
    fn every_refusal_for_too_much_has_the_fields_of_its_limit() {
        let held = ApiError::Desk(DeskError::TooManyQuotes { held: 300 }).head();
        let fields = ["retry-after", "ratelimit-policy", "ratelimit"].map(|name| held.headers().get(name).unwrap());
        assert_eq!(fields, ["2", "\"live-quotes\";q=300", "\"live-quotes\";r=0;t=2"]);
    }

    #[test]
    fn clients_can_match_on_the_conflict_message() {
        let conflict = Conflict { reason: ConflictReason::Price, shortfall: None, fresh_quote: None };
        let message = ApiError::Desk(DeskError::Conflict(Box::new(conflict))).message();
        assert_eq!(message, "Quote conflicts with latest prices. Please request a new quote.");
    }

    #[test]
    fn an_echoed_value_is_short() {
        let error = DeskError::Unsupported { field: "input_asset_symbol", value: "X".repeat(9_000) };
        let message = ApiError::Desk(error).message();
        assert!(message.starts_with("input_asset_symbol: XXX") && message.ends_with(" is not supported"));
        assert!(message.len() < 150, "{message}");
    }
}
