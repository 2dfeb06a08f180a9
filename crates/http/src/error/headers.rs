//! The response to an error without its body: status, challenges, `Allow`, `Retry-After` and rate limit headers.

use std::time::Duration;

use actix_web::{
    HttpResponse, ResponseError,
    http::{
        StatusCode,
        header::{ALLOW, HeaderMap, HeaderValue, RETRY_AFTER, UPGRADE, WWW_AUTHENTICATE},
    },
};
use firmquote_desk::DeskError;

use super::{ApiError, CONCURRENCY_RETRY_SECONDS};
use crate::limits::{LimitName, RateLimitStatus};

/// Default `Retry-After` in seconds, for 503 and 429 responses without a computed delay.
const RETRY_AFTER_SECONDS: u64 = 2;

impl ApiError {
    /// Returns the response with the status and headers of this error, without its body and the headers common to all
    /// responses.
    pub(crate) fn head(&self) -> HttpResponse {
        let mut response = HttpResponse::new(self.status().status);
        let headers = response.headers_mut();
        match self {
            Self::NoCredentials(challenges) => {
                for challenge in challenges {
                    headers.append(WWW_AUTHENTICATE, challenge.clone());
                }
            }
            Self::MethodNotAllowed(allowed) => {
                headers.insert(ALLOW, HeaderValue::from_static(allowed.list()));
            }
            Self::UpgradeRequired => {
                headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
            }
            Self::RateLimited { retry_after_seconds, .. } => {
                headers.insert(RETRY_AFTER, HeaderValue::from(*retry_after_seconds));
            }
            Self::Desk(
                DeskError::PoolLimit { retry_after_seconds: Some(seconds) }
                | DeskError::ClientLimit { retry_after_seconds: Some(seconds) }
                | DeskError::OutstandingLimit { retry_after_seconds: Some(seconds), .. },
            ) => {
                headers.insert(RETRY_AFTER, HeaderValue::from(*seconds));
            }
            Self::Desk(
                DeskError::VolumeUnknown { retry_after_seconds } | DeskError::BookIncomplete { retry_after_seconds },
            ) => {
                headers.insert(RETRY_AFTER, HeaderValue::from(*retry_after_seconds));
            }
            Self::ConcurrencyLimited { limit, quota } => {
                add_exhausted_quota(headers, *limit, *quota, CONCURRENCY_RETRY_SECONDS);
            }
            Self::Desk(DeskError::TooManyQuotes { held }) => {
                add_exhausted_quota(headers, LimitName::LiveQuotes, *held, RETRY_AFTER_SECONDS);
            }
            _ if matches!(self.status().status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) => {
                headers.insert(RETRY_AFTER, HeaderValue::from(RETRY_AFTER_SECONDS));
            }
            _ => {}
        }
        response
    }
}

/// Adds `Retry-After` and the rate limit headers of an exhausted concurrency quota.
fn add_exhausted_quota(headers: &mut HeaderMap, limit: LimitName, quota: usize, retry_after_seconds: u64) {
    headers.insert(RETRY_AFTER, HeaderValue::from(retry_after_seconds));
    RateLimitStatus::exhausted(limit, quota, Duration::from_secs(retry_after_seconds)).add_to(headers);
}

/// The middleware writes the body, which depends on the request's host and the service snapshot.
impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.status().status
    }

    fn error_response(&self) -> HttpResponse {
        self.head()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorType;

    #[test]
    fn transient_errors_have_a_retry_after() {
        let error = ApiError::LoginsBusy;
        let (response, status) = (error.head(), error.status());
        assert_eq!((status.status, status.error_type), (503.try_into().unwrap(), ErrorType::ExternalServiceError));
        assert_eq!(response.headers().get(RETRY_AFTER).unwrap(), &HeaderValue::from(RETRY_AFTER_SECONDS));
        assert_eq!(error.message(), "Too many logins at once, please try again later");
    }

    #[test]
    fn every_quota_error_has_rate_limit_headers() {
        let held = ApiError::Desk(DeskError::TooManyQuotes { held: 300 }).head();
        let fields = ["retry-after", "ratelimit-policy", "ratelimit"].map(|name| held.headers().get(name).unwrap());
        assert_eq!(fields, ["2", "\"live-quotes\";q=300", "\"live-quotes\";r=0;t=2"]);
    }
}
