//! The rules that prices and reserves must satisfy: their limits, their names, and the rejection when one is broken.

use firmquote_domain::{BasisPoints, InvalidValue, Timestamp};

use super::Deviation;

/// The limits that a price must satisfy, each independently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriceRules {
    /// The age at which a price is no longer trusted, in milliseconds.
    pub max_age_ms: u64,
    /// The maximum speed of a price, per second since it was last trusted; within the first second, the full amount at
    /// once. A price that moved further is trusted again after the time that the move takes at this speed.
    pub max_jump_per_second: BasisPoints,
    /// The maximum move of a price in a minute, however many small steps it takes. A price that moved further is
    /// trusted again after the time that the move takes at this speed.
    pub max_move_per_minute: BasisPoints,
    /// How far the highest of the trusted sources may be above the lowest.
    pub max_deviation: Deviation,
    /// The maximum half-width of a source's confidence interval, relative to the price.
    pub max_confidence: Deviation,
    /// The choice among several trusted sources.
    pub aggregation: Aggregation,
}

/// How the price is chosen from several trusted sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregation {
    /// The first, in configured order.
    Priority,
    /// The median; of an even number of sources, the mean of the middle two, rounded down.
    Median {
        /// The minimum number of trusted sources, at least one.
        min_sources: usize,
    },
}

/// A rule for prices or reserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The rule of [`Rejection::Silent`].
    Silent,
    /// The rule of [`Rejection::Old`] and [`Rejection::OldReserves`].
    Old,
    /// The rule of [`Rejection::Jump`].
    Jump,
    /// The rule of [`Rejection::Deviation`].
    Deviation,
    /// The rule of [`Rejection::Confidence`].
    Confidence,
    /// The rule of [`Rejection::Future`].
    Future,
    /// The rule of [`Rejection::Invalid`].
    Invalid,
    /// The rule of [`Rejection::TooFew`].
    TooFew,
    /// The rule of [`Rejection::Reserves`].
    Reserves,
}

impl Rule {
    /// The rules that an update of a source can break.
    pub const UPDATE_RULES: [Self; 4] = [Self::Jump, Self::Confidence, Self::Future, Self::Invalid];
    /// The rules that a source can break, with an update or by the lack of one.
    pub const SOURCE_RULES: [Self; 6] =
        [Self::Silent, Self::Old, Self::Jump, Self::Confidence, Self::Future, Self::Invalid];
    /// The rules that the price of an asset can break.
    pub const PRICE_RULES: [Self; 8] = [
        Self::Silent,
        Self::Old,
        Self::Jump,
        Self::Deviation,
        Self::Confidence,
        Self::Future,
        Self::Invalid,
        Self::TooFew,
    ];
    /// The rules that the reserves of a pool can break.
    pub const RESERVE_RULES: [Self; 4] = [Self::Silent, Self::Old, Self::Future, Self::Reserves];

    /// Returns the machine-readable name, in snake case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Old => "old",
            Self::Jump => "jump",
            Self::Deviation => "deviation",
            Self::Confidence => "confidence",
            Self::Future => "future",
            Self::Invalid => "invalid",
            Self::TooFew => "too_few",
            Self::Reserves => "reserves",
        }
    }
}

/// Why a price or the reserves of a pool cannot be used for quotes. Its text is sent to clients.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// No update was received yet.
    #[error("no update was received yet")]
    Silent,
    /// The last update is older than allowed.
    #[error("the last update is {age_ms} ms old, at most {max_age_ms} ms is allowed")]
    Old {
        /// The age of the update, in milliseconds.
        age_ms: u64,
        /// The maximum age, in milliseconds.
        max_age_ms: u64,
    },
    /// The price moved faster than allowed since it was last trusted.
    #[error("the price moved by {change}, at most {max_change} is allowed in that time")]
    Jump {
        /// The size of the change.
        change: Deviation,
        /// The maximum change in the time that passed.
        max_change: Deviation,
    },
    /// Sources are further apart than allowed.
    #[error("sources are {deviation} apart, at most {max_deviation} is allowed")]
    Deviation {
        /// Their distance.
        deviation: Deviation,
        /// The maximum distance.
        max_deviation: Deviation,
    },
    /// The confidence interval of the source is too wide.
    #[error("the confidence interval of the source is ±{half_width}, at most ±{max_half_width} is allowed")]
    Confidence {
        /// Half the width of the interval, relative to the price.
        half_width: Deviation,
        /// The maximum half-width.
        max_half_width: Deviation,
    },
    /// The time of the last update is in the future.
    #[error("the last update is {ahead_ms} ms in the future")]
    Future {
        /// How far in the future, in milliseconds.
        ahead_ms: u64,
    },
    /// The last update is not a price.
    #[error("the last update is not a valid price: {0}")]
    Invalid(#[source] InvalidValue),
    /// Fewer sources are trusted than needed.
    #[error("{trusted} sources are trusted, {min_sources} are required")]
    TooFew {
        /// The number of trusted sources.
        trusted: usize,
        /// The minimum number of trusted sources.
        min_sources: usize,
    },
    /// The reserves are of a block that is too old.
    #[error("its reserves are {age_ms} ms old, at most {max_age_ms} ms is allowed")]
    OldReserves {
        /// The age of the block, in milliseconds.
        age_ms: u64,
        /// The maximum age, in milliseconds.
        max_age_ms: u64,
    },
    /// The reserves could not be read, or must not be used.
    #[error("{0}")]
    Reserves(String),
}

impl Rejection {
    /// Returns the broken rule.
    pub const fn rule(&self) -> Rule {
        match self {
            Self::Silent => Rule::Silent,
            Self::Old { .. } | Self::OldReserves { .. } => Rule::Old,
            Self::Jump { .. } => Rule::Jump,
            Self::Deviation { .. } => Rule::Deviation,
            Self::Confidence { .. } => Rule::Confidence,
            Self::Future { .. } => Rule::Future,
            Self::Invalid(_) => Rule::Invalid,
            Self::TooFew { .. } => Rule::TooFew,
            Self::Reserves(_) => Rule::Reserves,
        }
    }
}

/// A value that is trusted for a limited time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trusted<T> {
    /// The trusted value.
    pub value: T,
    /// The time of the value.
    pub since: Timestamp,
    /// The first instant at which the value is too old.
    pub until: Timestamp,
}

impl<T> Trusted<T> {
    /// Returns the time of the value, or `None` if it never expires.
    pub fn time(&self) -> Option<Timestamp> {
        (self.until != Timestamp::from_micros(u64::MAX)).then_some(self.since)
    }

    /// Creates a value that never expires.
    pub const fn without_expiry(value: T) -> Self {
        Self { value, since: Timestamp::from_micros(0), until: Timestamp::from_micros(u64::MAX) }
    }
}

/// How far in the future a trusted value may be, in milliseconds: blocks can be that far ahead; beyond it, our clock
/// was set back.
const MAX_AHEAD_MS: u64 = 15_000;

impl<T: Copy> Trusted<T> {
    /// Returns the value, unless it is too old at `now`, or from a time far ahead of it.
    ///
    /// # Errors
    /// [`Rejection::Old`] and [`Rejection::Future`].
    pub fn at(&self, now: Timestamp) -> Result<T, Rejection> {
        if self.since.millis_since(now) > MAX_AHEAD_MS {
            return Err(Rejection::Future { ahead_ms: self.since.millis_since(now) });
        }
        if now < self.until {
            return Ok(self.value);
        }
        Err(Rejection::Old { age_ms: now.millis_since(self.since), max_age_ms: self.until.millis_since(self.since) })
    }
}
