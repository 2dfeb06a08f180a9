//! How many bytes of a body are still to come, and how many of them are received.

use actix_http::{Payload, Request};
use actix_web::http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};

/// How many bytes of a chunked body are received for each one that may be read: a chunk of one byte takes six. Framing is
/// not kept in memory.
const CHUNKED_FACTOR: usize = 8;

/// The remainder of the body of the last request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BodyBudget {
    /// Bytes left; unknown for a chunked body, whose end is found by the decoder.
    left: Option<usize>,
    /// How many bytes of it are received at most. Bodies that handlers read are smaller, and the rest of an unread body
    /// is not waited for.
    budget: usize,
}

impl BodyBudget {
    /// Creates the budget of a body of `length` bytes, or of unknown length, of which at most `budget` bytes including
    /// framing are received.
    pub(super) const fn new(length: Option<usize>, budget: usize) -> Self {
        Self { left: length, budget }
    }

    /// Creates the budget of the body that follows the head of `request`, where handlers read at most `max_body_bytes`.
    pub(super) fn from_request(request: &mut Request, max_body_bytes: usize) -> Self {
        if matches!(request.payload(), Payload::None) {
            return Self::new(Some(0), 0);
        }
        let headers = &request.head().headers;
        let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        let length = length.filter(|_| !headers.contains_key(TRANSFER_ENCODING));
        let factor = if length.is_some() { 2 } else { CHUNKED_FACTOR };
        Self::new(length, max_body_bytes.saturating_mul(factor))
    }

    /// Returns how many bytes may be received now.
    pub(super) fn allowance(self) -> usize {
        self.left.unwrap_or(usize::MAX).min(self.budget)
    }

    /// Returns the remainder after these `bytes`.
    pub(super) fn after(self, bytes: usize) -> Self {
        Self { left: self.left.map(|left| left.saturating_sub(bytes)), budget: self.budget.saturating_sub(bytes) }
    }

    /// Whether all bytes of the body arrived.
    pub(super) fn is_finished(self) -> bool {
        self.left == Some(0)
    }

    /// Whether the budget is used up before the end of the body.
    pub(super) fn is_over_budget(self) -> bool {
        self.budget == 0 && !self.is_finished()
    }
}
