//! The steps that breakers have taken.

use std::{fmt, str::FromStr};

use firmquote_domain::{Address, InvalidValue, PoolId, Timestamp};

/// What a breaker watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Breaker {
    /// The value of the pool per pool token, against holding.
    Loss,
    /// What left the pool without a swap or a withdrawal.
    Unexplained,
    /// The net outflow of a token.
    Outflow,
    /// What executed swaps are worth to the pool ten seconds later.
    MarkOut,
}

impl Breaker {
    /// All breakers.
    pub const ALL: [Self; 4] = [Self::Loss, Self::Unexplained, Self::Outflow, Self::MarkOut];

    /// Returns the name in configurations, metrics and entries.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Unexplained => "unexplained",
            Self::Outflow => "outflow",
            Self::MarkOut => "mark_out",
        }
    }
}

/// What a breaker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BreakerStep {
    /// Raises the fee, until a window has passed without cause.
    Widen,
    /// Stops quotes and signatures, until an operator resumes the pool.
    Pause,
}

impl BreakerStep {
    /// Returns the name in metrics and entries.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Widen => "widen",
            Self::Pause => "pause",
        }
    }
}

impl FromStr for Breaker {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let named = Self::ALL.into_iter().find(|breaker| breaker.name() == text);
        named.ok_or(InvalidValue::Malformed { expected: "loss, unexplained, outflow or mark_out" })
    }
}

impl FromStr for BreakerStep {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let named = [Self::Widen, Self::Pause].into_iter().find(|step| step.name() == text);
        named.ok_or(InvalidValue::Malformed { expected: "widen or pause" })
    }
}

/// Identifies the trips of which one is in effect at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TripKey {
    /// The pool.
    pub pool: PoolId,
    /// What tripped.
    pub breaker: Breaker,
    /// The token whose outflow it is; `None` for all others, which concern the whole pool.
    pub token: Option<Address>,
}

impl fmt::Display for TripKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.pool, self.breaker.name())?;
        self.token.map_or(Ok(()), |token| write!(f, " {token}"))
    }
}

/// A step that a breaker has taken and that is in effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trip {
    /// What tripped.
    pub key: TripKey,
    /// What it does.
    pub step: BreakerStep,
    /// The measured figures and the threshold, in words.
    pub figures: String,
    /// When it tripped.
    pub at: Timestamp,
}

impl Trip {
    /// Whether the trip pauses the whole pool.
    pub fn pauses_pool(&self) -> bool {
        self.step == BreakerStep::Pause && self.key.token.is_none()
    }

    /// Whether the trip goes beyond `current`, the one that is in effect for the same key.
    pub fn exceeds(&self, current: Option<&Self>) -> bool {
        current.is_none_or(|current| self.step > current.step)
    }
}
