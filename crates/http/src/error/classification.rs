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
    use firmquote_desk::{ConflictReason, DeskError, LevelsRefusal, UnsupportedInput};
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
