//! Why there is no answer; a variant for each thing that can be known about the request.

use std::time::Duration;

use crate::{Notes, Quote, Reaction, Refusal};

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
            Self::Refused(refusal) => Some(&refusal.notes.request_id),
            Self::Unsigned { cause, .. } => cause.request_id(),
            Self::NeedsApiKey(_) => None,
        }
    }

    /// An answer with 200 that is of no use.
    pub(crate) fn unusable(notes: &Notes, reason: &str) -> Self {
        Self::Unusable { request_id: notes.request_id.clone(), status: 200, reason: one_line(reason) }
    }
}

/// The longest part of an answer that is told on, in characters.
const LONGEST: usize = 300;

/// What of somebody else's text can stand in a log: one line of bounded length.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(LONGEST).collect()
}
