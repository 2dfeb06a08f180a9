//! The reason of each error, which determines its status.

use firmquote_desk::{DeskError, LevelsRefusal};

use super::{ApiError, ErrorStatus, Reason};
use crate::limits::LimitName;

impl ApiError {
    /// Returns the reason reported to operators, in metrics and in the log.
    pub(crate) const fn reason(&self) -> Reason {
        use DeskError as Desk;
        match self {
            Self::InvalidInput(_) | Self::Desk(Desk::NotAllowed { .. }) => Reason::InvalidInput,
            Self::Desk(Desk::Unsupported { .. }) => Reason::Unsupported,
            Self::Desk(Desk::UnknownQuote(_)) => Reason::UnknownQuote,
            Self::Desk(Desk::Conflict(_)) => Reason::Conflict,
            Self::Desk(Desk::SignedForOtherTerms) => Reason::OtherTerms,
            Self::Desk(Desk::TooLarge { .. }) => Reason::TooLarge,
            Self::Desk(Desk::TooSmall { .. }) => Reason::TooSmall,
            Self::Desk(Desk::Exhausted) => Reason::Exhausted,
            Self::Desk(Desk::SwapsDisabled) => Reason::SwapsDisabled,
            Self::Desk(Desk::Paused | Desk::Levels(LevelsRefusal::Paused)) => Reason::Paused,
            Self::Desk(Desk::TradeValueAboveLimit { .. } | Desk::AmountAboveTradeLimit { .. }) => Reason::TradeLimit,
            Self::Desk(Desk::PoolLimit { .. }) => Reason::PoolLimit,
            Self::Desk(Desk::ClientLimit { .. }) => Reason::ClientLimit,
            Self::Desk(Desk::OutstandingLimit { .. } | Desk::Levels(LevelsRefusal::OutstandingLimit)) => {
                Reason::OutstandingLimit
            }
            Self::Desk(Desk::Levels(_)) => Reason::Levels,
            Self::Desk(Desk::DestinationDenied) => Reason::DestinationDenied,
            Self::Desk(Desk::SenderDenied) => Reason::SenderDenied,
            Self::NoCredentials(_) => Reason::NoCredentials,
            Self::BadCredentials => Reason::BadCredentials,
            Self::BasicRetired => Reason::BasicRetired,
            Self::NoAdminToken => Reason::NoAdminToken,
            Self::CrossSite => Reason::CrossSite,
            Self::Desk(Desk::OtherClient) => Reason::AnotherClient,
            Self::Desk(Desk::StatusNotFound(_)) => Reason::NoStatus,
            Self::NoRoute => Reason::NoRoute,
            Self::MethodNotAllowed(_) => Reason::Method,
            Self::BodyTooSlow => Reason::BodyTooSlow,
            Self::BodyTooLarge { .. } => Reason::BodyTooLarge,
            Self::UnsupportedMediaType => Reason::MediaType,
            Self::UpgradeRequired => Reason::UpgradeRequired,
            Self::RateLimited { limit, .. } | Self::ConcurrencyLimited { limit, .. } => reason(*limit),
            Self::Desk(Desk::TooManyQuotes { .. }) => Reason::QuotesHeld,
            Self::Desk(Desk::Market(_) | Desk::Untrusted { .. }) => Reason::Market,
            Self::Desk(Desk::Store(_) | Desk::VolumeUnknown { .. } | Desk::BookIncomplete { .. }) => Reason::Store,
            Self::Desk(Desk::Clock(_)) => Reason::Clock,
            Self::Desk(Desk::Publish(_)) => Reason::PricePublisher,
            Self::Desk(Desk::Signer(_)) => Reason::Key,
            Self::LoginsBusy => Reason::LoginsBusy,
            Self::NotReady(_) => Reason::NotReady,
            Self::ShuttingDown => Reason::ShuttingDown,
            Self::Internal(_) | Self::Desk(Desk::Internal(_)) => Reason::Internal,
        }
    }

    /// Returns the status, type and code of the response.
    pub(crate) const fn status(&self) -> ErrorStatus {
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
