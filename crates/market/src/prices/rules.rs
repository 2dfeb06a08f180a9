//! The rules that a price or the reserves of a pool have to keep to: their limits, their names, and the reason when one
//! is broken.

use firmquote_domain::{BasisPoints, InvalidValue, Timestamp};

use super::Deviation;

/// What a price has to keep to, each rule for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriceRules {
    /// The age at which a price is no longer trusted, in milliseconds.
    pub max_age_ms: u64,
    /// How fast a price may move, per second since it was trusted last; within the first second, this much at once. A
    /// price that moved further is trusted again when as much time has passed as its move takes at this speed.
    pub max_jump_per_second: BasisPoints,
    /// How far a price may move in a minute, however many small steps it takes. A price that moved further is trusted again
    /// when as much time has passed as its move takes at this speed.
    pub max_move_per_minute: BasisPoints,
    /// How far the highest of the trusted sources may be above the lowest.
    pub max_deviation: Deviation,
    /// How wide half of a source's confidence interval may be, as a part of the price.
    pub max_confidence: Deviation,
    /// Which of several sources counts.
    pub choice: Choice,
}

/// Which of several trusted sources counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The first, in configured order.
    Priority,
    /// The one in the middle; of two in the middle the mean, rounded down.
    Median {
        /// How many have to be trusted, one at least.
        least: usize,
    },
}

/// What a price or the reserves of a pool have to keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// That of [`Rejection::Silent`](crate::prices::Distrust::Silent).
    Silent,
    /// That of [`Rejection::Old`](crate::prices::Distrust::Old).
    Old,
    /// That of [`Rejection::Jump`](crate::prices::Distrust::Jump).
    Jump,
    /// That of [`Rejection::Deviation`](crate::prices::Distrust::Deviation).
    Deviation,
    /// That of [`Rejection::Confidence`](crate::prices::Distrust::Confidence).
    Confidence,
    /// That of [`Rejection::Future`](crate::prices::Distrust::Future).
    Future,
    /// That of [`Rejection::Invalid`](crate::prices::Distrust::Invalid).
    Invalid,
    /// That of [`Rejection::TooFew`](crate::prices::Distrust::TooFew).
    TooFew,
    /// That of [`Rejection::Reserves`](crate::prices::Distrust::Reserves).
    Reserves,
}

impl Rule {
    /// The rules that what a source says can break.
    pub const OF_WORDS: [Self; 4] = [Self::Jump, Self::Confidence, Self::Future, Self::Invalid];
    /// The rules that a source can break, by a word or by none.
    pub const OF_SOURCES: [Self; 6] =
        [Self::Silent, Self::Old, Self::Jump, Self::Confidence, Self::Future, Self::Invalid];
    /// The rules that the price of an asset can break.
    pub const OF_PRICES: [Self; 8] = [
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
    pub const OF_RESERVES: [Self; 4] = [Self::Silent, Self::Old, Self::Future, Self::Reserves];

    /// Its name, for machines: lower case, with underscores.
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

/// Why a price or the reserves of a pool are not quoted on; a variant per rule. Its text goes to clients.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// Nobody has said anything yet.
    #[error("nothing is known yet")]
    Silent,
    /// What was said last is older than allowed.
    #[error("the last update is {age_ms} ms old, at most {most_ms} ms are allowed")]
    Old {
        /// How old, in milliseconds.
        age_ms: u64,
        /// What is allowed, in milliseconds.
        most_ms: u64,
    },
    /// It moved faster than allowed since it was trusted last.
    #[error("the price moved by {moved}, at most {most} are allowed in that time")]
    Jump {
        /// By how much.
        moved: Deviation,
        /// What is allowed in the time that passed.
        most: Deviation,
    },
    /// Sources are further apart than allowed.
    #[error("sources are {apart} apart, at most {most} are allowed")]
    Deviation {
        /// How far.
        apart: Deviation,
        /// What is allowed.
        most: Deviation,
    },
    /// The source itself is less sure than it has to be.
    #[error("the source is confident within {width}, at most {most} are allowed")]
    Confidence {
        /// Half the width of its interval, as a part of the price.
        width: Deviation,
        /// What is allowed.
        most: Deviation,
    },
    /// It is said to be of a time that has not come.
    #[error("the last update is {ahead_ms} ms in the future")]
    Future {
        /// How far, in milliseconds.
        ahead_ms: u64,
    },
    /// What was said is no price.
    #[error("the last update is no price: {0}")]
    Invalid(#[source] InvalidValue),
    /// Fewer sources are trusted than needed.
    #[error("{trusted} sources are trusted, {least} are needed")]
    TooFew {
        /// How many are.
        trusted: usize,
        /// How many are needed.
        least: usize,
    },
    /// The reserves are of a block that is too old.
    #[error("its reserves are {age_ms} ms old, at most {most_ms} ms are allowed")]
    OldReserves {
        /// How old, in milliseconds.
        age_ms: u64,
        /// What is allowed, in milliseconds.
        most_ms: u64,
    },
    /// The reserves could not be read, or must not be used.
    #[error("{0}")]
    Reserves(String),
}

impl Rejection {
    /// The rule that is broken.
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

/// Something that is trusted for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trusted<T> {
    /// What is trusted.
    pub value: T,
    /// When it was so.
    pub since: Timestamp,
    /// The first instant at which it is too old.
    pub until: Timestamp,
}

impl<T> Trusted<T> {
    /// When it was so, unless it never gets old.
    pub fn time(&self) -> Option<Timestamp> {
        (self.until != Timestamp::from_micros(u64::MAX)).then_some(self.since)
    }

    /// Something that never gets old.
    pub const fn for_ever(value: T) -> Self {
        Self { value, since: Timestamp::from_micros(0), until: Timestamp::from_micros(u64::MAX) }
    }
}

/// How far in the future something may be that is trusted: blocks are by so much, and beyond it our clock was put back.
const MAX_AHEAD_MS: u64 = 15_000;

impl<T: Copy> Trusted<T> {
    /// The value, unless it is too old at `now`, or from a time far ahead of it.
    ///
    /// # Errors
    /// [`Rejection::Old`] and [`Rejection::Future`].
    pub fn at(&self, now: Timestamp) -> Result<T, Rejection> {
        let millis = |from: Timestamp, to: Timestamp| to.as_micros().saturating_sub(from.as_micros()) / 1_000;
        if millis(now, self.since) > MAX_AHEAD_MS {
            return Err(Rejection::Future { ahead_ms: millis(now, self.since) });
        }
        if now < self.until {
            return Ok(self.value);
        }
        Err(Rejection::Old { age_ms: millis(self.since, now), most_ms: millis(self.since, self.until) })
    }
}
