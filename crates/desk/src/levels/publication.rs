//! The published state of one book: replaced when anything moves, renewed while nothing does, withdrawn when nothing is
//! quoted.

use std::sync::Arc;

use firmquote_domain::{Asset, BasisPoints, LevelsId, StateId, Timestamp};
use firmquote_market::Rejection;
use firmquote_pricing::Levels;
use strum::{EnumIter, IntoStaticStr};

use super::{
    LevelBookKey,
    inputs::{Basis, Freshness, LevelInputs, Source},
};
use crate::{Desk, DeskError};

/// How long a publication stands at least before its period is extended, in microseconds.
const RENEWAL_MICROS: u64 = 1_000_000;

/// Levels of a pair in one direction.
#[derive(Clone, Debug)]
pub struct LevelBook {
    /// Identifies these levels.
    pub id: LevelsId,
    /// Grows from book to book of the same key.
    pub sequence: u64,
    /// The state that quotes are priced on, which the levels are of.
    pub state_id: StateId,
    /// What the book is of.
    pub key: LevelBookKey,
    /// The asset paid to the pool.
    pub input: Asset,
    /// The asset paid by the pool.
    pub output: Asset,
    /// The fee included in the outputs.
    pub fee: BasisPoints,
    /// The knots.
    pub levels: Levels,
}

/// The period of published levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Validity {
    /// When the oldest price or reserve of the levels was true.
    pub as_of: Timestamp,
    /// When this period was published.
    pub published_at: Timestamp,
    /// The first instant at which some price or reserve is too old to quote with.
    pub valid_until: Timestamp,
}

/// The published state of a book.
#[derive(Clone, Debug)]
pub enum LevelState {
    /// The levels of quotes.
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
    /// The operator paused the pool.
    #[strum(serialize = "paused")]
    Paused,
    /// The pool does not swap these assets, or not with this time.
    #[strum(serialize = "swaps_disabled")]
    SwapsDisabled,
    /// What replicas share cannot be read.
    #[strum(serialize = "store_unreachable")]
    StoreUnreachable,
    /// Beside what is outstanding, no size is quoted.
    #[strum(serialize = "outstanding_limit")]
    OutstandingLimit,
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
            Desk::Paused => Self::Paused,
            Desk::Untrusted { reason: Rejection::OldReserves { .. } | Rejection::Reserves(_), .. } => {
                Self::StaleReserves
            }
            Desk::Untrusted { .. } | Desk::Market(_) => Self::StalePrices,
            Desk::Exhausted | Desk::TooLarge { .. } | Desk::TooSmall { .. } | Desk::OutstandingLimit { .. } => {
                Self::OutstandingLimit
            }
            Desk::Store(_) | Desk::Board(_) | Desk::BookIncomplete { .. } | Desk::TotalsUnknown { .. } => {
                Self::StoreUnreachable
            }
            Desk::SwapsDisabled
            | Desk::Unsupported { .. }
            | Desk::NotAllowed { .. }
            | Desk::DestinationDenied
            | Desk::SenderDenied
            | Desk::AboveLimit { .. }
            | Desk::PoolLimit { .. }
            | Desk::ClientLimit { .. }
            | Desk::UnknownQuote(_)
            | Desk::NoStatus(_)
            | Desk::AnotherClients
            | Desk::SignedForOtherTerms
            | Desk::Conflict(_)
            | Desk::Clock(_)
            | Desk::TooManyQuotes { .. }
            | Desk::Key(_)
            | Desk::Internal(_) => Self::SwapsDisabled,
        }
    }
}

/// The publication of one book, kept up to date by [`Self::refresh`].
#[derive(Debug)]
pub struct LevelPublication {
    key: LevelBookKey,
    sequence: u64,
    current: Option<LevelState>,
    /// What the current levels follow from.
    origin: Option<(Source, Basis)>,
}

impl LevelPublication {
    /// Creates a publication of nothing so far.
    pub const fn new(key: LevelBookKey) -> Self {
        Self { key, sequence: 0, current: None, origin: None }
    }

    /// What the book is of.
    pub const fn key(&self) -> &LevelBookKey {
        &self.key
    }

    /// Returns the published state; `None` before the first [`Self::refresh`].
    pub const fn state(&self) -> Option<&LevelState> {
        self.current.as_ref()
    }

    /// Brings the publication to what `desk` would quote at `now`. Returns whether it changed: nothing is computed while
    /// prices, reserves and outstanding swaps are those of the last call.
    pub fn refresh(&mut self, desk: &Desk, now: Timestamp) -> bool {
        match self.updated(desk, now) {
            Ok(None) => false,
            Ok(Some(state)) => {
                self.current = Some(state);
                true
            }
            Err(error) => {
                let reason = WithdrawalReason::from(error);
                let is_known = matches!(&self.current, Some(LevelState::Withdrawn(known)) if *known == reason);
                (self.current, self.origin) = (Some(LevelState::Withdrawn(reason)), None);
                !is_known
            }
        }
    }

    fn updated(&mut self, desk: &Desk, now: Timestamp) -> Result<Option<LevelState>, DeskError> {
        let source = Source::current(desk, &self.key)?;
        if let (Some(LevelState::Live(_, validity)), Some((known, _))) = (&self.current, &self.origin)
            && known.is_same(&source)
            && now < validity.valid_until
            && !is_due(validity, now)
        {
            return Ok(None);
        }
        let (inputs, freshness) = LevelInputs::new(desk, &self.key, source, now)?;
        let validity = |Freshness { as_of, until }| Validity { as_of, published_at: now, valid_until: until };
        if let (Some(LevelState::Live(book, published)), Some((source, basis))) = (&self.current, &mut self.origin)
            && basis.is_same_for_now(&inputs.basis, is_due(published, now))
        {
            *source = inputs.source;
            let is_newer = freshness.until > published.valid_until && is_due(published, now);
            return Ok(is_newer.then(|| LevelState::Live(Arc::clone(book), validity(freshness))));
        }
        let levels = inputs.levels(self.key.max_knots)?;
        self.sequence += 1;
        let LevelInputs { source, basis, state_id, assets: [input, output], .. } = inputs;
        let book = LevelBook {
            id: LevelsId::from_bytes(uuid::Uuid::new_v4().into_bytes()),
            sequence: self.sequence,
            state_id,
            key: self.key.clone(),
            input,
            output,
            fee: basis.state.fee,
            levels,
        };
        self.origin = Some((source, basis));
        Ok(Some(LevelState::Live(Arc::new(book), validity(freshness))))
    }
}

/// Whether a period may be extended.
fn is_due(validity: &Validity, now: Timestamp) -> bool {
    now.as_micros().saturating_sub(validity.published_at.as_micros()) >= RENEWAL_MICROS
}
