//! The errors of the HTTP interface: status, headers, message and operator-facing reason of every rejected or failed
//! request. Messages never reveal details of internal errors or of rejected credentials.

mod allowed_methods;
pub(crate) mod body;
mod classification;
mod headers;
pub(crate) mod pages;

use std::{borrow::Cow, time::Duration};

use actix_web::http::header::HeaderValue;
use firmquote_desk::DeskError;

pub(crate) use firmquote_api::{ErrorType, Reason};

pub(crate) use self::{
    allowed_methods::AllowedMethods,
    classification::{is_repeatable, status_code},
};
use crate::{
    input::{InvalidInput, shorten},
    limits::{LimitName, whole_seconds},
    readiness::Readiness,
};

/// When to retry after a concurrency limit: a stream may be closed at any time.
const CONCURRENCY_RETRY: Duration = Duration::from_secs(5);

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
    #[error("Credentials are required")]
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
    /// An operator without the role that the route requires.
    #[error("Access is forbidden: this operator does not have the role {0}")]
    MissingRole(&'static str),
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
    MethodNotAllowed(AllowedMethods),
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
    #[error("The content type must be application/json, without a Content-Encoding")]
    UnsupportedMediaType,
    /// The request is not the handshake of a WebSocket.
    #[error("A WebSocket handshake of version 13 is expected")]
    UpgradeRequired,
    /// The client exceeded its quota of requests or of failed logins.
    #[error("Too many {}, please try again in {} s", subject(*.limit), whole_seconds(*.retry_after))]
    RateLimited {
        /// The exceeded limit.
        limit: LimitName,
        /// The maximum time until one more is allowed.
        retry_after: Duration,
    },
    /// The client has the maximum number of concurrent streams, or of books in them.
    #[error("Too many {}, please try again in {} s", subject(*.limit), CONCURRENCY_RETRY.as_secs())]
    ConcurrencyLimited {
        /// The exceeded limit.
        limit: LimitName,
        /// The maximum at a time.
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

impl ApiError {
    /// Returns `errorMessage`, which reveals nothing about credentials or internal errors.
    pub(crate) fn message(&self) -> Cow<'static, str> {
        match (self.reason().status().1, self) {
            (
                ErrorType::Forbidden,
                Self::NoAdminToken
                | Self::MissingRole(_)
                | Self::CrossSite
                | Self::Desk(DeskError::DestinationDenied | DeskError::SenderDenied | DeskError::ClientTerms),
            ) => self.to_string().into(),
            (ErrorType::Forbidden, _) => "Access is forbidden".into(),
            (ErrorType::InternalError, _) => "Internal error".into(),
            (ErrorType::BadData, Self::Desk(DeskError::Unsupported { input, value })) => {
                format!("{}: {} is not supported", input.field(), shorten(value)).into()
            }
            _ => self.to_string().into(),
        }
    }
}

/// Returns what the limit counts, for the error message.
const fn subject(limit: LimitName) -> &'static str {
    match limit {
        LimitName::Anonymous | LimitName::AnonymousSignatures | LimitName::Credential => "requests",
        LimitName::FailedLogins => "failed logins",
        LimitName::LevelStreams => "streams",
        LimitName::LevelBooks => "books of levels",
        LimitName::LiveQuotes => "live quotes",
    }
}

#[cfg(test)]
mod tests {
    use firmquote_desk::{Conflict, ConflictReason, UnsupportedInput};

    use super::*;

    #[test]
    fn internal_errors_reveal_no_cause() {
        let error = ApiError::Desk(DeskError::Internal("the key is hot".into()));
        assert_eq!(error.message(), "Internal error");
        assert_eq!(error.reason().status().0, 500);
    }

    #[test]
    fn the_conflict_message_is_stable() {
        let conflict = Conflict { reason: ConflictReason::Price, shortfall: None, fresh_quote: None };
        let message = ApiError::Desk(DeskError::Conflict(Box::new(conflict))).message();
        assert_eq!(message, "Quote conflicts with latest prices. Please request a new quote.");
    }

    #[test]
    fn echoed_values_are_truncated() {
        let error = DeskError::Unsupported { input: UnsupportedInput::InputSymbol, value: "X".repeat(9_000) };
        let message = ApiError::Desk(error).message();
        assert!(message.starts_with("input_asset_symbol: XXX") && message.ends_with(" is not supported"));
        assert!(message.len() < 150, "{message}");
    }
}
