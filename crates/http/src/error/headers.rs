//! The response to an error without its body: status, challenges, `Allow`, `Retry-After` and rate limit headers.

use actix_web::{
    HttpResponse, ResponseError,
    http::{
        StatusCode,
        header::{ALLOW, HeaderValue, RETRY_AFTER, UPGRADE, WWW_AUTHENTICATE},
    },
};
use firmquote_desk::DeskError;

use super::{ApiError, status_code};
use crate::limits::{LimitName, RateLimitStatus, whole_seconds};

impl ApiError {
    /// Returns the response with the status and headers of this error, without its body and the headers common to all
    /// responses.
    pub(crate) fn head(&self) -> HttpResponse {
        let mut response = HttpResponse::new(status_code(self.reason()));
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
            Self::ConcurrencyLimited { limit, quota } => self.exhausted_quota(*limit, *quota).add_to(headers),
            Self::Desk(DeskError::TooManyQuotes { held }) => {
                self.exhausted_quota(LimitName::LiveQuotes, *held).add_to(headers);
            }
            _ => {}
        }
        if let Some(retry_after) = self.retry_after() {
            headers.insert(RETRY_AFTER, HeaderValue::from(whole_seconds(retry_after)));
        }
        response
    }

    /// The status of a quota of concurrent items that is used up.
    fn exhausted_quota(&self, limit: LimitName, quota: usize) -> RateLimitStatus {
        RateLimitStatus::exhausted(limit, quota, self.retry_after().unwrap_or_default())
    }
}

/// The middleware writes the body, which depends on the request's host and the service snapshot.
impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        status_code(self.reason())
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
        let response = error.head();
        assert_eq!(error.reason().status(), (503, ErrorType::ExternalServiceError));
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers().get(RETRY_AFTER).unwrap(), "2");
        assert_eq!(error.message(), "Too many logins at once, please try again later");
    }

    #[test]
    fn every_quota_error_has_rate_limit_headers() {
        let held = ApiError::Desk(DeskError::TooManyQuotes { held: 300 }).head();
        let fields = ["retry-after", "ratelimit-policy", "ratelimit"].map(|name| held.headers().get(name).unwrap());
        assert_eq!(fields, ["2", "\"live-quotes\";q=300", "\"live-quotes\";r=0;t=2"]);
    }
}
