//! The rate limit a client is under, its headers, and the sender that a request is counted for.

use std::{cell::RefCell, net::SocketAddr, time::Duration};

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

use super::{Quota, quota::LimitName};
use crate::error::ApiError;

static RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
static RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Where a client stands with a limit after a request.
#[derive(Clone)]
pub(crate) struct RateLimitStatus {
    pub(crate) limit: LimitName,
    /// The value of `RateLimit-Policy`.
    pub(super) policy: HeaderValue,
    /// How many more are allowed at once.
    pub(super) remaining: u32,
    /// How long it takes at most until one more is allowed.
    pub(super) more_in: Duration,
    pub(super) is_refused: bool,
}

impl RateLimitStatus {
    /// Whole seconds until one more is allowed, rounded up, 1 at least: whoever waits as long is not refused.
    pub(crate) fn more_in_seconds(&self) -> u64 {
        rounded_up(self.more_in)
    }

    /// Puts both fields among the headers of an answer.
    pub(crate) fn add_to(&self, headers: &mut HeaderMap) {
        let Self { limit, remaining, .. } = self;
        let text = format!("\"{}\";r={remaining};t={}", limit.policy(), self.more_in_seconds());
        if let Ok(value) = HeaderValue::from_str(&text) {
            headers.insert(RATE_LIMIT_POLICY.clone(), self.policy.clone());
            headers.insert(RATE_LIMIT.clone(), value);
        }
    }
}

/// The value of `RateLimit-Policy`: the name, so many at once, and the seconds in which all are there again, rounded up.
pub(super) fn policy(limit: LimitName, quota: Quota) -> HeaderValue {
    let text = format!("\"{}\";q={};w={}", limit.policy(), quota.burst(), rounded_up(quota.window()));
    // A name in letters and two numbers have no other bytes than a header may have.
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

fn rounded_up(time: Duration) -> u64 {
    (time.as_secs() + u64::from(time.subsec_nanos() > 0)).max(1)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_rounded_up() {
        for (millis, seconds) in [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (59_999, 60)] {
            assert_eq!(rounded_up(Duration::from_millis(millis)), seconds);
        }
    }

    #[test]
    fn the_fields_are_structured_ones() {
        for (limit, quota, text) in [
            (LimitName::Anonymous, Quota::per_second(5, 20), "\"anonymous\";q=20;w=4"),
            (LimitName::FailedLogins, Quota::per_minute(30, 10), "\"failed-logins\";q=10;w=20"),
            (LimitName::Credential, Quota::per_second(1_000, 1), "\"credential\";q=1;w=1"),
        ] {
            assert_eq!(policy(limit, quota), text);
        }
    }
}
