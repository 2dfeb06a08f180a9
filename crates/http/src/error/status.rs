//! HTTP status, `errorType` and `errorCode` of an error response.

use actix_web::http::StatusCode;

use super::{ErrorType, Reason};

/// The HTTP status, `errorType` and `errorCode` of an error response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ErrorStatus {
    pub(crate) status: StatusCode,
    pub(crate) error_type: ErrorType,
    pub(crate) error_code: Option<u16>,
    pub(crate) reason: Reason,
}

impl ErrorStatus {
    /// Whether every request of a client is refused alike for some time: in an outage, a pause, or beyond a quota.
    pub(crate) fn is_repeatable(&self) -> bool {
        matches!(self.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS)
            || matches!(self.reason, Reason::Paused | Reason::Breaker | Reason::SwapsDisabled)
    }

    /// Returns the status of `reason`.
    pub(crate) fn from_reason(reason: Reason) -> Self {
        let (status, error_type) = reason.status();
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { status, error_type, error_code: reason.code(), reason }
    }
}
