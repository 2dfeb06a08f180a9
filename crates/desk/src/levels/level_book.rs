//! A published book: its levels, how long they hold, and why they are withdrawn.

use std::sync::Arc;

use firmquote_domain::{Amount, Asset, BasisPoints, LevelsId, Price, StateId, Timestamp};
use firmquote_market::Rejection;
use firmquote_pricing::Levels;
use strum::{EnumIter, IntoStaticStr};

use super::LevelBookKey;
use crate::DeskError;

/// Levels of a pair in one direction.
#[derive(Clone, Debug)]
pub struct LevelBook {
    /// Identifies these levels.
    pub id: LevelsId,
    /// Increases with each book of the same key.
    pub sequence: u64,
    /// The state that the levels, and quotes, are priced on.
    pub state_id: StateId,
    /// The key of the book.
    pub key: LevelBookKey,
    /// The asset paid to the pool.
    pub input: Asset,
    /// The asset paid by the pool.
    pub output: Asset,
    /// The fee included in the outputs.
    pub fee: BasisPoints,
    /// The knots.
    pub levels: Levels,
    /// The budget of one client while they are [firm](firmquote_domain::FirmLevels), in base units of the input; `None`
    /// for levels that promise nothing.
    pub firm_budget: Option<Amount>,
    /// The prices of both assets.
    pub(super) prices: [Price; 2],
}

/// The period of published levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Validity {
    /// The time of the oldest price or reserve of the levels.
    pub as_of: Timestamp,
    /// When this period was published.
    pub published_at: Timestamp,
    /// The first instant at which the levels no longer hold: a price or reserve is too old to quote with or, if they
    /// are firm, their promise ends.
    pub valid_until: Timestamp,
}

/// The published state of a book.
#[derive(Clone, Debug)]
pub enum LevelState {
    /// Live levels.
    Live(Arc<LevelBook>, Validity),
    /// Nothing is quoted.
    Withdrawn(WithdrawalReason),
}

/// Why levels are withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumIter, IntoStaticStr)]
pub enum WithdrawalReason {
    /// A price is too old or otherwise not trusted.
    #[strum(serialize = "stale_prices")]
    StalePrices,
    /// A reserve is too old or otherwise not trusted.
    #[strum(serialize = "stale_reserves")]
    StaleReserves,
    /// The operator or a breaker paused the pool.
    #[strum(serialize = "paused")]
    Paused,
    /// The pool does not swap these assets, or not with this time.
    #[strum(serialize = "swaps_disabled")]
    SwapsDisabled,
    /// The shared store cannot be read.
    #[strum(serialize = "store_unreachable")]
    StoreUnreachable,
    /// Outstanding swaps leave no quoted size.
    #[strum(serialize = "outstanding_limit")]
    OutstandingLimit,
}

impl LevelState {
    /// The id of live levels.
    pub(super) fn id(&self) -> Option<LevelsId> {
        match self {
            Self::Live(book, _) => Some(book.id),
            Self::Withdrawn(_) => None,
        }
    }
}

impl WithdrawalReason {
    /// The name in messages.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl From<DeskError> for WithdrawalReason {
    fn from(error: DeskError) -> Self {
        use DeskError as Desk;
        match error {
            Desk::Paused | Desk::Breaker => Self::Paused,
            Desk::Untrusted { reason: Rejection::OldReserves { .. } | Rejection::Reserves(_), .. } => {
                Self::StaleReserves
            }
            Desk::Untrusted { .. } | Desk::Market(_) => Self::StalePrices,
            Desk::Exhausted
            | Desk::TooLarge { .. }
            | Desk::AmountAboveTradeLimit { .. }
            | Desk::TooSmall { .. }
            | Desk::OutstandingLimit { .. } => Self::OutstandingLimit,
            Desk::Store(_) | Desk::Publish(_) | Desk::BookIncomplete { .. } | Desk::VolumeUnknown { .. } => {
                Self::StoreUnreachable
            }
            Desk::SwapsDisabled
            | Desk::Unsupported { .. }
            | Desk::NotAllowed { .. }
            | Desk::DestinationDenied
            | Desk::ClientTerms
            | Desk::SenderDenied
            | Desk::TradeValueAboveLimit { .. }
            | Desk::PoolLimit { .. }
            | Desk::ClientLimit { .. }
            | Desk::UnknownQuote(_)
            | Desk::StatusNotFound(_)
            | Desk::OtherClient
            | Desk::SignedForOtherTerms
            | Desk::KeyReused
            | Desk::HedgeIdReused
            | Desk::Conflict(_)
            | Desk::Clock(_)
            | Desk::TooManyQuotes { .. }
            | Desk::Signer(_)
            | Desk::Levels(_)
            | Desk::Internal(_) => Self::SwapsDisabled,
        }
    }
}
