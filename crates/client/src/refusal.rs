//! The Error object (docs/api.md) with its response headers, and the reaction to it.

use std::{fmt, time::Duration};

use firmquote_api as api;
use firmquote_domain::BasisPoints;

use crate::{Quote, ResponseMeta, response::one_line};

/// The recommended next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Send the same request again. The service signs a quote for one set of terms and returns the same signature for
    /// the same terms, and an unused quote costs nothing, except one with a `levels_id`: it reserves a part of the
    /// levels' budget until its `must_accept_by`. Sign before the quote's `must_accept_by`; after that request a new
    /// quote. [`Client::quote_and_sign`](crate::Client::quote_and_sign) is the exception: each call makes another
    /// signature, which counts against limits of the pool and of the client. After
    /// [`Error::QuoteNotSigned`](crate::Error::QuoteNotSigned) sign its quote instead; otherwise retry only as often as
    /// signatures may be left unused, and send only one of them to the chain.
    Retry {
        /// The delay before the retry, if the service names one. Otherwise wait briefly, longer each time, and limit
        /// the number of retries.
        after: Option<Duration>,
    },
    /// This quote will not be signed for these terms. Use the fresh quote of the response
    /// ([`Error::fresh_quote`](crate::Error::fresh_quote)) if it has one with acceptable amounts; otherwise request a
    /// new one.
    Requote,
    /// The same request will be refused again: it needs another amount, asset, destination or credential, or the
    /// service needs attention from its operator.
    GiveUp,
}

/// The maximum number of invalid inputs written out; no operation has as many.
const MAX_FIELDS: usize = 20;

/// A refusal by the service.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// HTTP status.
    pub status: u16,
    /// `errorType`.
    pub error_type: ErrorType,
    /// `errorCode`: 422 for invalid input, 409 for a problem with a quote.
    pub error_code: Option<u16>,
    /// `errorMessage`, human-readable.
    pub message: String,
    /// `data`: every invalid input.
    pub invalid_fields: Vec<InvalidField>,
    /// The changes since the quote was made, if they are the reason.
    pub conflict: Option<Box<Conflict>>,
    /// Why the requested levels do not apply, if that is the reason.
    pub levels: Option<LevelsRefusal>,
    /// `Retry-After`.
    pub retry_after: Option<Duration>,
    /// Request id and rate limit.
    pub meta: ResponseMeta,
}

/// `errorType` of the Error object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorType {
    /// The request is invalid, or for a resource that the service does not have.
    BadData,
    /// The amount or the quote is not acceptable.
    QuoteProblem,
    /// Credentials are required.
    Unauthorized,
    /// The credentials, the destination or the sender are refused, or the quote is another client's.
    Forbidden,
    /// No such path.
    NotFound,
    /// No such method.
    MethodNotAllowed,
    /// Too many requests.
    RateLimited,
    /// A dependency of the service is unavailable.
    ExternalServiceError,
    /// A bug in the service.
    InternalError,
    /// Any other type; empty if the response has no Error object, as from a proxy.
    Other(String),
}

impl ErrorType {
    /// Parses a name on the wire.
    fn from_name(name: &str) -> Self {
        match name {
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
    /// The kind of error, such as `missing`.
    pub kind: String,
    /// The path to the input; empty for the body as a whole.
    pub location: Vec<String>,
    /// The expected value.
    pub message: String,
    /// The received value, as JSON.
    pub input: String,
    /// A page that explains the kind.
    pub url: String,
}

/// The conflict of a quote with the current state.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The input that moved.
    pub reason: ConflictReason,
    /// The shortfall of the current output as a fraction of the quoted output, rounded up; absent if the pool gives
    /// nothing now.
    pub moved: Option<BasisPoints>,
    /// A quote for the same amount at current prices, to be signed like any other; absent if none can be made, or it is
    /// for [another swap](crate::Error::fresh_quote).
    pub fresh_quote: Option<Quote>,
}

/// The input that moved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConflictReason {
    /// A price.
    Price,
    /// A reserve.
    Reserve,
    /// Swaps that were signed in the meantime and may execute first.
    Outstanding,
    /// The fee.
    Fee,
    /// The pool no longer swaps these assets, or not on these terms.
    Disabled,
    /// Any other reason.
    Other(String),
}

/// The reasons of pauses and limits. They are not conflicts of the quote: another quote would be refused too.
const POLICY_REASONS: [&str; 5] = ["paused", "trade_limit", "pool_limit", "client_limit", "outstanding_limit"];

/// Why levels do not apply to a quote that names them. A quote that names newer levels, or none, may succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LevelsRefusal {
    /// They have expired, or were never firm.
    Expired,
    /// The amount is beyond the last knot or the budget.
    BeyondSize,
    /// The amount is below the first knot.
    BelowMinimum,
    /// Other quotes and swaps of the client used the budget.
    BudgetUsed,
    /// The reserves moved: a breach of the levels' promise.
    ReservesMoved,
    /// The service lost its record of the levels: a breach of their promise.
    StoreLost,
}

impl LevelsRefusal {
    /// Parses the reason of a refusal. A paused pool and the limit on outstanding swaps belong to [`POLICY_REASONS`].
    fn from_reason(reason: &str) -> Option<Self> {
        Some(match reason {
            "levels_expired" => Self::Expired,
            "beyond_size" => Self::BeyondSize,
            "below_minimum" => Self::BelowMinimum,
            "budget_used" => Self::BudgetUsed,
            "reserves_moved" => Self::ReservesMoved,
            "store_lost" => Self::StoreLost,
            _ => return None,
        })
    }
}

impl Refusal {
    /// Builds a refusal from a response. A body that is not an Error object counts as empty; so does an optional member
    /// that is not as specified, which does not invalidate the others.
    pub(crate) fn from_response(status: u16, body: &str, retry_after: Option<Duration>, meta: ResponseMeta) -> Self {
        let error: api::ErrorObject = serde_json::from_str(body).unwrap_or_default();
        let api::ErrorObject { error_message, error_type, error_code, data, reason, moved_bps, fresh_quote, .. } =
            error;
        let (message, moved) = (error_message.into_owned(), moved_bps.map(|moved| *moved));
        let fresh_quote = fresh_quote.map(|quote| *quote);
        let levels = reason.as_deref().filter(|_| error_code == Some(409)).and_then(LevelsRefusal::from_reason);
        let conflict = reason
            .filter(|reason| !POLICY_REASONS.contains(&&**reason) && levels.is_none())
            .map(|reason| Box::new(Conflict { reason: conflict_reason(&reason), moved, fresh_quote }));
        let invalid_fields = data.into_iter().map(InvalidField::from).collect();
        let error_type = ErrorType::from_name(&error_type);
        Self { status, error_type, error_code, message, invalid_fields, conflict, levels, retry_after, meta }
    }

    /// Returns what to do next. Unknown types are classified by their HTTP status.
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

    /// Whether another quote for the same amount could succeed. All these errors have the same code; their messages
    /// differ.
    fn is_about_this_quote(&self) -> bool {
        let message = self.message.to_ascii_lowercase();
        self.conflict.is_some()
            || self.levels.is_some()
            || message.contains("request a new quote")
            || message.contains("signed for other terms")
    }
}

impl fmt::Display for Refusal {
    /// One line: the message, the status and the first invalid inputs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = if self.message.is_empty() { "the service refused the request" } else { &self.message };
        write!(f, "{} (HTTP {})", one_line(message), self.status)?;
        for InvalidField { location, message, .. } in self.invalid_fields.iter().take(MAX_FIELDS) {
            write!(f, "; {}: {}", one_line(&location.join(".")), one_line(message))?;
        }
        Ok(())
    }
}

impl From<api::InvalidInput> for InvalidField {
    fn from(api::InvalidInput { kind, loc, msg, input, url }: api::InvalidInput) -> Self {
        let segment = |step: api::Step| match step {
            api::Step::Name(name) => name.into_owned(),
            api::Step::Position(position) => position.to_string(),
        };
        let input = input.map_or_else(|| "null".to_owned(), |input| input.get().to_owned());
        let location = loc.into_iter().map(segment).collect();
        Self { kind: kind.into_owned(), location, message: msg.into_owned(), input, url }
    }
}

fn conflict_reason(name: &str) -> ConflictReason {
    match name {
        "price" => ConflictReason::Price,
        "reserve" => ConflictReason::Reserve,
        "outstanding" => ConflictReason::Outstanding,
        "fee" => ConflictReason::Fee,
        "disabled" => ConflictReason::Disabled,
        other => ConflictReason::Other(other.to_owned()),
    }
}
