//! Errors of a request, one variant for each distinguishable outcome, and of a client's settings.

use crate::{Quote, Refusal, ResponseMeta, refusal::Reaction, response::one_line};

use std::time::Duration;

/// Why settings or a request id are invalid. Never contains the rejected value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidSettings {
    /// Not an HTTP URL, or one with an invalid port, a user, a query or a fragment.
    #[error(
        "the base URL must be http:// or https:// with a host and an optional port of 1 to 65535, and without user, \
         query and fragment"
    )]
    BaseUrl,
    /// A credential that is not a valid header value, or a user name with a colon.
    #[error("the credential cannot be sent: it has characters not allowed in a header, or a colon in its user name")]
    Credential,
    /// No trusted authorities, or an invalid certificate.
    #[error("cannot set up TLS: {reason}")]
    Authorities {
        /// The problem.
        reason: String,
    },
    /// A request id that the service would not accept.
    #[error("a request id must be 1 to 64 characters of A-Z a-z 0-9 . _ -")]
    RequestId,
}

/// Why a request has no valid response. Never contains a credential.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No connection could be made: the request was not sent.
    #[error("the service cannot be reached: {cause}")]
    Unreachable {
        /// The request id.
        request_id: String,
        /// The cause, in one line.
        cause: String,
    },
    /// The response was not complete in time. The service may have processed the request.
    #[error("no response within {} ms", .after.as_millis())]
    TimedOut {
        /// The request id.
        request_id: String,
        /// The timeout that elapsed.
        after: Duration,
    },
    /// The connection ended before the response was complete. The service may have processed the request.
    #[error("the connection ended before the response was complete: {cause}")]
    Interrupted {
        /// The request id.
        request_id: String,
        /// The cause, in one line.
        cause: String,
    },
    /// The service refused the request.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// A response that violates the API, does not match the request, is too long, or contains the credential.
    #[error("unusable response (HTTP {status}): {reason}")]
    InvalidResponse {
        /// The request id.
        request_id: String,
        /// The HTTP status.
        status: u16,
        /// The violation.
        reason: String,
    },
    /// The first step of [`Client::quote_and_sign`](crate::Client::quote_and_sign) in version 1 succeeded and the
    /// second failed. The quote may be signed nevertheless; call [`Client::sign_quote`](crate::Client::sign_quote) to
    /// find out.
    #[error("{cause}; quote {} was to be signed", quote.id)]
    QuoteNotSigned {
        /// The quote.
        quote: Box<Quote>,
        /// Why there is no signature.
        cause: Box<Self>,
    },
    /// The request was not sent: it needs version 2 of the API and therefore an API key.
    #[error("{0} requires an API key")]
    NeedsApiKey(&'static str),
}

impl Error {
    /// Returns what to do next.
    pub fn reaction(&self) -> Reaction {
        match self {
            Self::Unreachable { .. } | Self::TimedOut { .. } | Self::Interrupted { .. } => {
                Reaction::Retry { after: None }
            }
            Self::Refused(refusal) => refusal.reaction(),
            Self::QuoteNotSigned { cause, .. } => cause.reaction(),
            Self::InvalidResponse { .. } | Self::NeedsApiKey(_) => Reaction::GiveUp,
        }
    }

    /// Returns the refusal, if the service refused the request.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            Self::QuoteNotSigned { cause, .. } => cause.refusal(),
            _ => None,
        }
    }

    /// Returns the quote that replaces the one to be signed, if the service offers one.
    /// [`Client::sign_quote`](crate::Client::sign_quote) discards one of another chain, pool or token, or with both
    /// amounts changed; [`Client::quote_and_sign`](crate::Client::quote_and_sign) one that does not match the request;
    /// [`Client::sign`](crate::Client::sign) knows neither and checks nothing. Compare its amounts with what is
    /// acceptable: they are at current prices.
    pub fn fresh_quote(&self) -> Option<&Quote> {
        self.refusal()?.conflict.as_ref()?.fresh_quote.as_ref()
    }

    /// Returns the request id, by which the operator finds the request in the log; `None` if no request was made.
    pub fn request_id(&self) -> Option<&str> {
        match self {
            Self::Unreachable { request_id, .. }
            | Self::TimedOut { request_id, .. }
            | Self::Interrupted { request_id, .. }
            | Self::InvalidResponse { request_id, .. } => Some(request_id),
            Self::Refused(refusal) => Some(&refusal.meta.request_id),
            Self::QuoteNotSigned { cause, .. } => cause.request_id(),
            Self::NeedsApiKey(_) => None,
        }
    }

    /// Discards the fresh quote of a refusal if `check` refuses it.
    pub(crate) fn filter_fresh_quote(mut self, check: impl FnOnce(&Quote) -> Result<(), &'static str>) -> Self {
        if let Self::Refused(refusal) = &mut self
            && let Some(conflict) = &mut refusal.conflict
        {
            conflict.fresh_quote = conflict.fresh_quote.take().filter(|fresh| check(fresh).is_ok());
        }
        self
    }

    /// A response with status 200 that cannot be used.
    pub(crate) fn invalid_response(meta: &ResponseMeta, reason: &str) -> Self {
        Self::InvalidResponse { request_id: meta.request_id.clone(), status: 200, reason: one_line(reason) }
    }
}
