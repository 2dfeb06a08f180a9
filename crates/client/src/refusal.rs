//! The Error object (specification 2.3) with what its headers add, and what to do about it.

use std::{fmt, time::Duration};

use firmquote_domain::BasisPoints;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    Quote, ResponseMeta,
    answer::{read, read::one_line},
};

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Send the same request again. The service signs a quote for one set of terms and answers the same terms with the same
    /// signature, and a quote that nobody takes costs nothing. Sign before the quote's `must_accept_by`; after that ask for a
    /// new one. [`Client::quote_and_sign`](crate::Client::quote_and_sign) is the exception: each time makes another signature,
    /// which spends limits of the pool and of the client. After [`Error::Unsigned`](crate::Error::Unsigned) sign its quote
    /// instead; otherwise ask again only as often as signatures may be left unused, and send one of them to the chain.
    Retry {
        /// How long to wait before, if the service says so. Without it, wait a little, longer each time, and not for ever.
        after: Option<Duration>,
    },
    /// This quote will not be signed for these terms. Take the fresh quote of the answer
    /// ([`Error::fresh_quote`](crate::Error::fresh_quote)) if it has one and its amounts will do, else ask anew.
    Requote,
    /// The same will be refused again: another amount, another asset, another destination or another credential is needed,
    /// or somebody who looks at the service.
    GiveUp,
}

/// More invalid inputs than any operation has are not written out.
const MAX_FIELDS: usize = 20;

/// How the service said no.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// HTTP status.
    pub status: u16,
    /// `errorType`.
    pub error_type: ErrorType,
    /// `errorCode`: 422 for invalid input, 409 for a problem with a quote.
    pub error_code: Option<u16>,
    /// `errorMessage`, for people.
    pub message: String,
    /// `data`: every invalid input.
    pub invalid_fields: Vec<InvalidField>,
    /// What moved since the quote was made, where that is the reason.
    pub conflict: Option<Box<Conflict>>,
    /// `Retry-After`.
    pub retry_after: Option<Duration>,
    /// Request id and limits.
    pub meta: ResponseMeta,
}

/// `errorType` of the Error object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorType {
    /// The request is wrong, or asks for what the service does not have.
    BadData,
    /// The amount or the quote will not do.
    QuoteProblem,
    /// Credentials are needed.
    Unauthorized,
    /// The credentials, the destination or the sender are refused, or the quote is another client's.
    Forbidden,
    /// No such path.
    NotFound,
    /// No such method.
    MethodNotAllowed,
    /// Too many requests.
    RateLimited,
    /// Something that the service needs is away.
    ExternalServiceError,
    /// A mistake of the service.
    InternalError,
    /// Another word; empty where the answer has no Error object, as those of proxies.
    Other(String),
}

impl ErrorType {
    /// The type by its word on the wire.
    fn named(word: &str) -> Self {
        match word {
            "BadData" => Self::BadData,
            "QuoteProblem" => Self::QuoteProblem,
            "Unauthorized" => Self::Unauthorized,
            "Forbidden" => Self::Forbidden,
            "NotFound" => Self::NotFound,
            "MethodNotAllowed" => Self::MethodNotAllowed,
            "RateLimited" => Self::RateLimited,
            "ExternalServiceError" => Self::ExternalServiceError,
            "InternalError" => Self::InternalError,
            other => Self::Other(other.to_owned()),
        }
    }
}

/// One input that is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidField {
    /// The kind of mistake, such as `missing`.
    pub kind: String,
    /// The path to the input; empty for the body as a whole.
    pub location: Vec<String>,
    /// What would have been right.
    pub message: String,
    /// What was received, as JSON.
    pub input: String,
    /// A page that explains the kind.
    pub url: String,
}

/// What moved since a quote was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// What moved.
    pub reason: ConflictReason,
    /// How much less the pool would give now, as a part of what was quoted, rounded up; absent where it gives nothing.
    pub moved: Option<BasisPoints>,
    /// A quote for the same amount at today's prices, to be signed like any other; absent where none can be made.
    pub fresh_quote: Option<Quote>,
}

/// What moved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConflictReason {
    /// A price.
    Price,
    /// A reserve.
    Reserve,
    /// The fee.
    Fee,
    /// The pool does not swap these assets any more, or not on these terms.
    Disabled,
    /// Another word.
    Other(String),
}

impl Refusal {
    /// What `body` and headers say. A body that is no Error object counts as one that says nothing.
    pub(crate) fn from_response(status: u16, body: &str, retry_after: Option<Duration>, meta: ResponseMeta) -> Self {
        let wire: ErrorObject = serde_json::from_str(body).unwrap_or_default();
        let ErrorObject { error_message: message, error_type, error_code, data, reason, moved, fresh_quote } = wire;
        let conflict = reason.map(|reason| Box::new(Conflict { reason: conflict_reason(&reason), moved, fresh_quote }));
        let invalid_fields = data.into_iter().map(InvalidField::from).collect();
        let error_type = ErrorType::named(&error_type);
        Self { status, error_type, error_code, message, invalid_fields, conflict, retry_after, meta }
    }

    /// What to do next. Types that are not known count by their HTTP status.
    pub fn reaction(&self) -> Reaction {
        let retry = Reaction::Retry { after: self.retry_after };
        match (&self.error_type, self.status) {
            (ErrorType::QuoteProblem, _) if self.retry_after.is_some() => retry,
            (ErrorType::QuoteProblem, _) if self.is_about_this_quote() => Reaction::Requote,
            (ErrorType::QuoteProblem, _) => Reaction::GiveUp,
            (_, 408 | 429 | 502 | 503 | 504) => retry,
            (ErrorType::Other(_), 409) => Reaction::Requote,
            _ => Reaction::GiveUp,
        }
    }

    /// Whether another quote for the same amount would do. The code of all these problems is one; the words differ.
    fn is_about_this_quote(&self) -> bool {
        let message = self.message.to_ascii_lowercase();
        self.conflict.is_some() || message.contains("request a new quote") || message.contains("signed for other terms")
    }
}

impl fmt::Display for Refusal {
    /// One line: the message, the status and the first invalid inputs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = if self.message.is_empty() { "the service refuses" } else { &self.message };
        write!(f, "{} (HTTP {})", one_line(message), self.status)?;
        for InvalidField { location, message, .. } in self.invalid_fields.iter().take(MAX_FIELDS) {
            write!(f, "; {}: {}", one_line(&location.join(".")), one_line(message))?;
        }
        Ok(())
    }
}

#[derive(Default, Deserialize)]
struct ErrorObject {
    #[serde(rename = "errorMessage")]
    error_message: String,
    #[serde(rename = "errorType")]
    error_type: String,
    #[serde(rename = "errorCode")]
    error_code: Option<u16>,
    #[serde(default)]
    data: Vec<InvalidItem>,
    reason: Option<String>,
    #[serde(default, rename = "moved_bps", deserialize_with = "read::optional_rate")]
    moved: Option<BasisPoints>,
    fresh_quote: Option<Quote>,
}

#[derive(Deserialize)]
struct InvalidItem {
    r#type: String,
    loc: Vec<serde_json::Value>,
    msg: String,
    #[serde(default)]
    input: Option<Box<RawValue>>,
    url: String,
}

impl From<InvalidItem> for InvalidField {
    fn from(InvalidItem { r#type: kind, loc, msg: message, input, url }: InvalidItem) -> Self {
        let step = |step: serde_json::Value| match step {
            serde_json::Value::String(name) => name,
            position => position.to_string(),
        };
        let input = input.map_or_else(|| "null".to_owned(), |input| input.get().to_owned());
        Self { kind, location: loc.into_iter().map(step).collect(), message, input, url }
    }
}

fn conflict_reason(word: &str) -> ConflictReason {
    match word {
        "price" => ConflictReason::Price,
        "reserve" => ConflictReason::Reserve,
        "fee" => ConflictReason::Fee,
        "disabled" => ConflictReason::Disabled,
        other => ConflictReason::Other(other.to_owned()),
    }
}
