//! What a refusal says beside its reason: the input at fault, and what would be served.

use std::time::Duration;

use actix_web::http::StatusCode;
use firmquote_desk::DeskError;
use firmquote_domain::{Amount, Usd};

use super::{ApiError, CONCURRENCY_RETRY};

/// When to retry after a 503 or a 429 without a computed delay.
const DEFAULT_RETRY: Duration = Duration::from_secs(2);

/// What would be served instead of a refused request.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    /// The input at fault.
    pub(crate) field: Option<&'static str>,
    /// The largest amount, in base units.
    pub(crate) max_amount: Option<Amount>,
    /// The smallest amount, in base units.
    pub(crate) min_amount: Option<Amount>,
    /// The largest trade.
    pub(crate) largest_trade: Option<Usd>,
    /// The output that is left, in base units.
    pub(crate) output_left: Option<Amount>,
}

impl ApiError {
    /// Returns what would be served.
    pub(crate) fn bounds(&self) -> Bounds {
        let Self::Desk(error) = self else { return Bounds::default() };
        match error {
            DeskError::Unsupported { input, .. } => Bounds { field: Some(input.field()), ..Bounds::default() },
            DeskError::TooLarge { field, limit } | DeskError::AmountAboveTradeLimit { field, limit } => {
                Bounds { field: Some(field), max_amount: Some(*limit), ..Bounds::default() }
            }
            DeskError::TooSmall { field, limit } => {
                Bounds { field: Some(field), min_amount: Some(*limit), ..Bounds::default() }
            }
            DeskError::TradeValueAboveLimit { limit, .. } => {
                Bounds { largest_trade: Some(*limit), ..Bounds::default() }
            }
            DeskError::OutstandingLimit { room, .. } => Bounds { output_left: *room, ..Bounds::default() },
            _ => Bounds::default(),
        }
    }

    /// Returns when the same request may be sent again; `None` if time does not help, or nobody knows when.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        match self {
            Self::RateLimited { retry_after, .. } => Some(*retry_after),
            Self::ConcurrencyLimited { .. } => Some(CONCURRENCY_RETRY),
            Self::Desk(
                DeskError::PoolLimit { retry_after_seconds }
                | DeskError::ClientLimit { retry_after_seconds }
                | DeskError::OutstandingLimit { retry_after_seconds, .. },
            ) => retry_after_seconds.map(seconds),
            Self::Desk(
                DeskError::VolumeUnknown { retry_after_seconds } | DeskError::BookIncomplete { retry_after_seconds },
            ) => Some(seconds(*retry_after_seconds)),
            _ => {
                let is_transient =
                    matches!(self.status().status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS);
                is_transient.then_some(DEFAULT_RETRY)
            }
        }
    }
}
