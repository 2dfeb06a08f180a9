//! The status of a client under a rate limit, its response headers, and the request that it is recorded for.

use std::{cell::RefCell, fmt, net::SocketAddr, time::Duration};

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

use super::{
    Quota,
    quota::{LimitName, whole_seconds},
};
use crate::error::ApiError;

static RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
static RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The status of a client under a limit after a request.
#[derive(Clone)]
pub(crate) struct RateLimitStatus {
    pub(crate) limit: LimitName,
    /// The value of `RateLimit-Policy`.
    pub(super) policy: HeaderValue,
    /// The number of requests that are still allowed at once.
    pub(super) remaining: u32,
    /// The maximum time until one more request is allowed.
    pub(super) retry_after: Duration,
    pub(super) is_refused: bool,
}

impl RateLimitStatus {
    /// Creates the status of a client that has reached the `quota` of concurrent items counted by `limit`.
    pub(crate) fn exhausted(limit: LimitName, quota: usize, retry_after: Duration) -> Self {
        let policy = field(format_args!("\"{}\";q={quota}", limit.policy()));
        Self { limit, policy, remaining: 0, retry_after, is_refused: true }
    }

    /// Returns the whole seconds until one more request is allowed, rounded up and at least 1: a client that waits this
    /// long is not refused.
    pub(crate) fn retry_after_seconds(&self) -> u64 {
        whole_seconds(self.retry_after)
    }

    /// Adds `RateLimit` and `RateLimit-Policy` to the headers of a response, unless it has those of another limit.
    pub(crate) fn add_to(&self, headers: &mut HeaderMap) {
        if headers.contains_key(&RATE_LIMIT) {
            return;
        }
        let Self { limit, policy, remaining, .. } = self;
        let status = format_args!("\"{}\";r={remaining};t={}", limit.policy(), self.retry_after_seconds());
        headers.insert(RATE_LIMIT_POLICY.clone(), policy.clone());
        headers.insert(RATE_LIMIT.clone(), field(status));
    }
}

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
        let refused =
            status.is_refused.then(|| ApiError::RateLimited { limit: status.limit, retry_after: status.retry_after });
        *self.rate_limit.borrow_mut() = Some(status);
        refused.map_or(Ok(()), Err)
    }

    /// Discards the recorded status, so that the response reports no limit.
    pub(super) fn clear_status(self) {
        *self.rate_limit.borrow_mut() = None;
    }
}

/// Formats the value of `RateLimit-Policy`: the name, the burst, and the seconds until the whole burst is available
/// again, rounded up.
pub(super) fn policy(limit: LimitName, quota: Quota) -> HeaderValue {
    field(format_args!("\"{}\";q={};w={}", limit.policy(), quota.burst(), whole_seconds(quota.window())))
}

/// Formats a policy name and numbers, which contain only bytes that are valid in a header.
fn field(text: fmt::Arguments<'_>) -> HeaderValue {
    HeaderValue::from_str(&text.to_string()).unwrap_or(HeaderValue::from_static(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_structured_fields() {
        for (limit, quota, text) in [
            (LimitName::Anonymous, Quota::per_second(5, 20), "\"anonymous\";q=20;w=4"),
            (LimitName::FailedLogins, Quota::per_minute(30, 10), "\"failed-logins\";q=10;w=20"),
            (LimitName::Credential, Quota::per_second(1_000, 1), "\"credential\";q=1;w=1"),
        ] {
            assert_eq!(policy(limit, quota), text);
        }
    }
}
