//! Errors of a request, one variant for each thing that can be known about it, and of a client's settings.

use crate::{Quote, Refusal, ResponseMeta, answer::read::one_line, refusal::Reaction};

use std::time::Duration;

/// Why nothing can be asked this way. Repeats nothing of what it was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSettings {
    /// An address that is none, or one with a port that there is not, a user, a query or a fragment.
    #[error(
        "the base address is no http:// or https:// address with a host, perhaps a port of 1 to 65535, and without user, \
         query and fragment"
    )]
    BaseUrl,
    /// A credential that no header can carry, or a user name with a colon.
    #[error("the credential cannot be sent: it has blanks, control characters or, in its user name, a colon")]
    Credential,
    /// Nobody to trust, or a certificate that is broken.
    #[error("no TLS: {reason}")]
    Authorities {
        /// What is wrong.
        reason: String,
    },
    /// A request id that the service would not take.
    #[error("a request id is 1 to 64 of A-Z a-z 0-9 . _ -")]
    RequestId,
}

/// Why a request has no answer of the kind that was asked for. Never holds a credential.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no connection: nothing was asked.
    #[error("the service cannot be reached: {cause}")]
    Unreachable {
        /// The name of the request.
        request_id: String,
        /// Why, in one line.
        cause: String,
    },
    /// No whole answer came in time. The service may have answered.
    #[error("no answer within {} ms", .after.as_millis())]
    TimedOut {
        /// The name of the request.
        request_id: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// The connection ended before the whole answer was there. The service may have answered.
    #[error("the connection ended before the answer: {cause}")]
    Interrupted {
        /// The name of the request.
        request_id: String,
        /// Why, in one line.
        cause: String,
    },
    /// The service answered no.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// An answer that is not of this interface, is not one to what was asked, is too long, or repeats the credential.
    #[error("an answer that cannot be used (HTTP {status}): {reason}")]
    Unusable {
        /// The name of the request.
        request_id: String,
        /// The HTTP status.
        status: u16,
        /// What is wrong with it.
        reason: String,
    },
    /// The first step of [`Client::quote_and_sign`](crate::Client::quote_and_sign) in version 1 was answered and the second was
    /// not. The quote may be signed all the same: [`Client::sign_quote`](crate::Client::sign_quote) tells.
    #[error("{cause}; quote {} was to be signed", quote.id)]
    Unsigned {
        /// The quote.
        quote: Box<Quote>,
        /// Why there is no signature.
        cause: Box<Self>,
    },
    /// The request cannot be put: what it asks for needs version 2 of the interface, that is, an API key.
    #[error("{0} needs an API key")]
    NeedsApiKey(&'static str),
}

impl Error {
    /// What to do next.
    pub fn reaction(&self) -> Reaction {
        match self {
            Self::Unreachable { .. } | Self::TimedOut { .. } | Self::Interrupted { .. } => {
                Reaction::Retry { after: None }
            }
            Self::Refused(refusal) => refusal.reaction(),
            Self::Unsigned { cause, .. } => cause.reaction(),
            Self::Unusable { .. } | Self::NeedsApiKey(_) => Reaction::GiveUp,
        }
    }

    /// What the service said, if it said no.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            Self::Unsigned { cause, .. } => cause.refusal(),
            _ => None,
        }
    }

    /// The quote that holds instead of the one that was to be signed, where the service offers one.
    pub fn fresh_quote(&self) -> Option<&Quote> {
        self.refusal()?.conflict.as_ref()?.fresh_quote.as_ref()
    }

    /// The name of the request, by which the operator finds it in the log; `None` if nothing was sent.
    pub fn request_id(&self) -> Option<&str> {
        match self {
            Self::Unreachable { request_id, .. }
            | Self::TimedOut { request_id, .. }
            | Self::Interrupted { request_id, .. }
            | Self::Unusable { request_id, .. } => Some(request_id),
            Self::Refused(refusal) => Some(&refusal.meta.request_id),
            Self::Unsigned { cause, .. } => cause.request_id(),
            Self::NeedsApiKey(_) => None,
        }
    }

    /// An answer with 200 that is of no use.
    pub(crate) fn unusable(meta: &ResponseMeta, reason: &str) -> Self {
        Self::Unusable { request_id: meta.request_id.clone(), status: 200, reason: one_line(reason) }
    }
}
