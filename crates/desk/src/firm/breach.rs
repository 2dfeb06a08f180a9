//! Refusals that break the promise of firm levels.

use super::LevelsRefusal;
use crate::{ConflictReason, Desk, DeskError};

impl Desk {
    /// Counts the refusal of a quote that names levels, or of its signature, if it breaks the promise of the levels.
    pub(crate) fn count_breach(&self, error: &DeskError) {
        if let Some(refusal) = refusal_of(error) {
            self.firm_levels.count_breach(refusal);
        }
    }
}

impl From<ConflictReason> for LevelsRefusal {
    fn from(reason: ConflictReason) -> Self {
        match reason {
            ConflictReason::Outstanding => Self::OutstandingLimit,
            ConflictReason::Reserve | ConflictReason::Disabled | ConflictReason::Price | ConflictReason::Fee => {
                Self::ReservesMoved
            }
        }
    }
}

/// Maps the refusal to sign a firm quote to the broken promise; `None` if no promise is broken.
pub(super) fn refusal_of(error: &DeskError) -> Option<LevelsRefusal> {
    match error {
        DeskError::Conflict(conflict) => Some(conflict.reason.into()),
        DeskError::OutstandingLimit { .. }
        | DeskError::TradeValueAboveLimit { .. }
        | DeskError::PoolLimit { .. }
        | DeskError::ClientLimit { .. } => Some(LevelsRefusal::OutstandingLimit),
        DeskError::BookIncomplete { .. } | DeskError::VolumeUnknown { .. } => Some(LevelsRefusal::StoreLost),
        DeskError::Market(_) | DeskError::Untrusted { .. } | DeskError::SwapsDisabled => {
            Some(LevelsRefusal::ReservesMoved)
        }
        DeskError::Paused | DeskError::Breaker => Some(LevelsRefusal::Paused),
        DeskError::Levels(refusal) => Some(*refusal),
        DeskError::Unsupported { .. }
        | DeskError::NotAllowed { .. }
        | DeskError::DestinationDenied
        | DeskError::ClientTerms
        | DeskError::SenderDenied
        | DeskError::TooLarge { .. }
        | DeskError::AmountAboveTradeLimit { .. }
        | DeskError::TooSmall { .. }
        | DeskError::Exhausted
        | DeskError::UnknownQuote(_)
        | DeskError::StatusNotFound(_)
        | DeskError::OtherClient
        | DeskError::SignedForOtherTerms
        | DeskError::KeyReused
        | DeskError::HedgeIdReused
        | DeskError::Clock(_)
        | DeskError::TooManyQuotes { .. }
        | DeskError::Store(_)
        | DeskError::Publish(_)
        | DeskError::Signer(_)
        | DeskError::Internal(_) => None,
    }
}
