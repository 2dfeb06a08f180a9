//! The sender that a request is counted for, and the status of its rate limit.

use std::{cell::RefCell, net::SocketAddr};

use actix_web::http::header::HeaderMap;

use super::RateLimitStatus;
use crate::error::ApiError;

/// The origin of a request, and the place where its rate limit status is recorded.
#[derive(Clone, Copy)]
pub(crate) struct RequestSource<'r> {
    /// Absent for requests without a network peer.
    pub(crate) peer: Option<SocketAddr>,
    /// The headers of the request.
    pub(crate) headers: &'r HeaderMap,
    /// The rate limit status that the response reports.
    pub(crate) rate_limit: &'r RefCell<Option<RateLimitStatus>>,
}

impl RequestSource<'_> {
    /// Records the status for the response, and rejects a refused request.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] when the status is a refusal.
    pub(super) fn enforce(self, status: RateLimitStatus) -> Result<(), ApiError> {
        let refused = status
            .is_refused
            .then(|| ApiError::RateLimited { limit: status.limit, retry_after_seconds: status.retry_after_seconds() });
        *self.rate_limit.borrow_mut() = Some(status);
        refused.map_or(Ok(()), Err)
    }

    /// Discards the recorded status, so that the response reports no limit.
    pub(super) fn clear_status(self) {
        *self.rate_limit.borrow_mut() = None;
    }
}
