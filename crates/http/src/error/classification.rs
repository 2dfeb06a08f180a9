//! The reason of each error, which determines its status.

use super::{ApiError, ErrorStatus, Reason};
use crate::limits::LimitName;

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

    /// Returns the status, type and code of the response.
    pub(crate) fn status(&self) -> ErrorStatus {
        ErrorStatus::from_reason(self.reason())
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
    use firmquote_desk::DeskError;
    use strum::VariantNames as _;

    use super::*;

    #[test]
    fn every_name_of_the_desk_is_a_reason() {
        assert!(DeskError::VARIANTS.len() > 20);
        for name in DeskError::VARIANTS {
            assert_eq!(name.parse::<Reason>().map(Reason::label), Ok(*name));
        }
    }
}
