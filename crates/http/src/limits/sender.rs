//! Who sends a request, as far as limits are concerned.

use std::{cell::RefCell, net::SocketAddr};

use actix_web::http::header::HeaderMap;

use super::RateLimitStatus;
use crate::error::ApiError;

/// Where a request comes from, and where whoever sent it stands.
#[derive(Clone, Copy)]
pub(crate) struct Sender<'r> {
    /// Absent if it came over no network.
    pub(crate) peer: Option<SocketAddr>,
    /// Those of the request.
    pub(crate) headers: &'r HeaderMap,
    /// What the answer will say of the limit that it is under.
    pub(crate) rate_limit: &'r RefCell<Option<RateLimitStatus>>,
}

impl Sender<'_> {
    /// Remembers where it stands, for the answer, and refuses what is to be refused.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`].
    pub(super) fn admit(self, status: RateLimitStatus) -> Result<(), ApiError> {
        let refused = status
            .is_refused
            .then(|| ApiError::RateLimited { limit: status.limit, retry_after_seconds: status.more_in_seconds() });
        *self.rate_limit.borrow_mut() = Some(status);
        refused.map_or(Ok(()), Err)
    }

    /// The answer will say nothing of a limit after all.
    pub(super) fn forget(self) {
        *self.rate_limit.borrow_mut() = None;
    }
}
