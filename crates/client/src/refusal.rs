//! The Error object (docs/api.md) with its response headers, and the reaction to it.

use std::{fmt, time::Duration};

use firmquote_api::{self as api, ErrorType, Reason};
use firmquote_domain::{Amount, BasisPoints, Usd};

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
    /// `errorType`; `None` for one of a later release, and without an Error object, as from a proxy.
    pub error_type: Option<ErrorType>,
    /// `errorCode`: 422 for invalid input, 409 for a problem with a quote.
    pub error_code: Option<u16>,
    /// `errorMessage`, human-readable.
    pub message: String,
    /// `data`: every invalid input.
    pub invalid_fields: Vec<InvalidField>,
    /// `reason`; `None` for one of a later release, and from earlier ones.
    pub reason: Option<Reason>,
    /// The changes since the quote was made, if they are the reason.
    pub conflict: Option<Box<Conflict>>,
    /// What would be served.
    pub bounds: Bounds,
    /// `retry_after_ms`, otherwise `Retry-After`.
    pub retry_after: Option<Duration>,
    /// Request id and rate limit.
    pub meta: ResponseMeta,
}

/// What would be served instead of a refused request; empty if the reason has no such bounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The input that the reason is about.
    pub field: Option<String>,
    /// The largest amount for it that is served, in base units.
    pub max_amount: Option<Amount>,
    /// The smallest amount for it that is served, in base units.
    pub min_amount: Option<Amount>,
    /// The largest trade that is signed.
    pub largest_trade: Option<Usd>,
    /// The output that would be signed now, in base units.
    pub output_left: Option<Amount>,
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
    /// The shortfall of the current output as a fraction of the quoted output, rounded up; absent if the pool gives
    /// nothing now.
    pub moved: Option<BasisPoints>,
    /// A quote for the same amount at current prices, to be signed like any other; absent if none can be made, or it is
    /// for [another swap](crate::Error::fresh_quote).
    pub fresh_quote: Option<Quote>,
}

impl Refusal {
    /// Builds a refusal from a response. A body that is not an Error object counts as empty; so does an optional member
    /// that is not as specified, which does not invalidate the others.
    pub(crate) fn from_response(status: u16, body: &str, retry_after: Option<Duration>, meta: ResponseMeta) -> Self {
        let error: api::ErrorObject = serde_json::from_str(body).unwrap_or_default();
        let (message, moved) = (error.error_message.into_owned(), error.moved_bps.map(|moved| *moved));
        let reason: Option<Reason> = error.reason.as_deref().and_then(|reason| reason.parse().ok());
        let is_conflict = reason.is_some_and(Reason::is_conflict) || error.fresh_quote.is_some();
        let fresh_quote = error.fresh_quote.map(|quote| *quote);
        let bounds = Bounds {
            field: error.field.map(|field| one_line(&field)),
            max_amount: error.max_amount.map(|amount| *amount),
            min_amount: error.min_amount.map(|amount| *amount),
            largest_trade: error.largest_trade_in_usd.map(|value| *value),
            output_left: error.output_left.map(|amount| *amount),
        };
        Self {
            status,
            error_type: error.error_type.parse().ok(),
            error_code: error.error_code,
            message,
            invalid_fields: error.data.into_iter().map(InvalidField::from).collect(),
            reason,
            conflict: is_conflict.then(|| Box::new(Conflict { moved, fresh_quote })),
            bounds,
            retry_after: error.retry_after_ms.map(Duration::from_millis).or(retry_after),
            meta,
        }
    }

    /// Returns what to do next. Without a known reason, types and statuses decide.
    pub fn reaction(&self) -> Reaction {
        let retry = Reaction::Retry { after: self.retry_after };
        match self.reason.map(Reason::reaction) {
            Some(api::Reaction::Retry) => retry,
            Some(api::Reaction::RetryIfTold) if self.retry_after.is_some() => retry,
            Some(api::Reaction::Requote) => Reaction::Requote,
            Some(api::Reaction::RetryIfTold | api::Reaction::GiveUp) => Reaction::GiveUp,
            None => match (self.error_type, self.status) {
                (Some(ErrorType::QuoteProblem), _) if self.retry_after.is_some() => retry,
                (Some(ErrorType::QuoteProblem), _) if self.needs_new_quote() => Reaction::Requote,
                (_, 408 | 429 | 502 | 503 | 504) => retry,
                (None, 409) => Reaction::Requote,
                _ => Reaction::GiveUp,
            },
        }
    }

    /// Whether another quote for the same amount could succeed.
    fn needs_new_quote(&self) -> bool {
        self.conflict.is_some() || self.message.to_ascii_lowercase().contains("request a new quote")
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
