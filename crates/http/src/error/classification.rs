//! The reason of each error, which determines its status, and when the request may be sent again.

use std::time::Duration;

use actix_web::http::StatusCode;
use firmquote_desk::DeskError;

use super::{ApiError, CONCURRENCY_RETRY, Reason};
use crate::limits::LimitName;

/// When to retry after a 503 or a 429 without a computed delay.
const DEFAULT_RETRY: Duration = Duration::from_secs(2);

/// Returns the HTTP status of `reason`.
pub(crate) fn status_code(reason: Reason) -> StatusCode {
    StatusCode::from_u16(reason.status().0).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Whether every request of a client is refused for `reason` for some time: in an outage, a pause, or beyond a quota.
pub(crate) fn is_repeatable(reason: Reason) -> bool {
    matches!(reason.status().0, 429 | 503) || matches!(reason, Reason::Paused | Reason::Breaker | Reason::SwapsDisabled)
}

impl ApiError {
    /// Returns the reason reported to operators, in metrics and in the log.
    pub(crate) fn reason(&self) -> Reason {
        match self {
            // Every name of the desk is a reason.
            Self::Desk(error) => error.name().parse().unwrap_or(Reason::Internal),
            Self::InvalidInput(_) => Reason::InvalidInput,
            Self::NoCredentials(_) => Reason::NoCredentials,
            Self::BadCredentials => Reason::BadCredentials,
            Self::BasicRetired => Reason::BasicRetired,
            Self::NoAdminToken => Reason::NoAdminToken,
            Self::MissingRole(_) => Reason::MissingRole,
            Self::CrossSite => Reason::CrossSite,
            Self::NoRoute => Reason::NoRoute,
            Self::MethodNotAllowed(_) => Reason::Method,
            Self::BodyTooSlow => Reason::BodyTooSlow,
            Self::BodyTooLarge { .. } => Reason::BodyTooLarge,
            Self::UnsupportedMediaType => Reason::MediaType,
            Self::UpgradeRequired => Reason::UpgradeRequired,
            Self::RateLimited { limit, .. } | Self::ConcurrencyLimited { limit, .. } => reason(*limit),
            Self::LoginsBusy => Reason::LoginsBusy,
            Self::NotReady(_) => Reason::NotReady,
            Self::ShuttingDown => Reason::ShuttingDown,
            Self::Internal(_) => Reason::Internal,
        }
    }

    /// Returns when the same request may be sent again; `None` if waiting does not help, or the time is not known.
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
                let is_transient = matches!(self.reason().status().0, 429 | 503);
                is_transient.then_some(DEFAULT_RETRY)
            }
        }
    }
}

const fn reason(limit: LimitName) -> Reason {
    match limit {
        LimitName::Anonymous | LimitName::AnonymousSignatures => Reason::AnonymousRate,
        LimitName::FailedLogins => Reason::FailedLoginRate,
        LimitName::Credential | LimitName::LevelStreams | LimitName::LevelBooks => Reason::CredentialRate,
        LimitName::LiveQuotes => Reason::QuotesHeld,
    }
}

#[cfg(test)]
mod tests {
    use firmquote_desk::{ConflictReason, LevelsRefusal, UnsupportedInput};
    use strum::{IntoEnumIterator as _, VariantArray as _, VariantNames as _};

    use super::*;

    #[test]
    fn every_name_of_the_desk_is_a_reason() {
        // Their reasons are those of what they contain.
        let containers = ["unsupported", "conflict", "levels"];
        let own = DeskError::VARIANTS.iter().copied().filter(|name| !containers.contains(name));
        let unsupported = UnsupportedInput::VARIANTS.iter().map(|input| input.name());
        let conflicts = ConflictReason::VARIANTS.iter().map(|reason| reason.name());
        let names: Vec<_> =
            own.chain(unsupported).chain(conflicts).chain(LevelsRefusal::iter().map(LevelsRefusal::name)).collect();
        assert!(names.len() > 40);
        for name in names {
            assert_eq!(name.parse::<Reason>().map(Reason::name), Ok(name));
        }
    }
}
