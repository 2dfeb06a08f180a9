//! Who sends a request, as far as limits are concerned.

use std::{cell::RefCell, net::SocketAddr};

use actix_web::http::header::HeaderMap;

use super::Standing;
use crate::error::ApiError;

/// Where a request comes from, and where whoever sent it stands.
#[derive(Clone, Copy)]
pub(crate) struct Sender<'r> {
    /// Absent if it came over no network.
    pub(crate) peer: Option<SocketAddr>,
    /// Those of the request.
    pub(crate) headers: &'r HeaderMap,
    /// What the answer will say of the limit that it is under.
    pub(crate) standing: &'r RefCell<Option<Standing>>,
}

impl Sender<'_> {
    /// Remembers where it stands, for the answer, and refuses what is to be refused.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`].
    pub(super) fn admit(self, standing: Standing) -> Result<(), ApiError> {
        let refused = standing
            .is_refused
            .then(|| ApiError::RateLimited { limit: standing.limit, retry_after_seconds: standing.more_in_seconds() });
        *self.standing.borrow_mut() = Some(standing);
        refused.map_or(Ok(()), Err)
    }

    /// The answer will say nothing of a limit after all.
    pub(super) fn forget_standing(self) {
        *self.standing.borrow_mut() = None;
    }
}
