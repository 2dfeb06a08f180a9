//! Checks, their outcomes, and the verdict of all of them.

use firmquote_domain::{Timestamp, UnixSeconds, is_lapsed};
use serde::Serialize;

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// It is as it should be.
    Holds,
    /// What it depends on is not there, or could explain a difference: neither right nor wrong.
    Undecided,
    /// It is right for prices that are not the published ones any more.
    Moved,
    /// It contradicts something that cannot have moved.
    Differs,
}

impl CheckStatus {
    /// The word for it, as a column of a report has it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "ok",
            Self::Undecided => "undecided",
            Self::Moved => "moved",
            Self::Differs => "DIFFERS",
        }
    }
}

/// One thing that was checked.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// Its name: `values`, `amounts`, `terms`, `signature`, `calldata` or `time`.
    pub check: &'static str,
    /// Its outcome; `standing` where it is serialized.
    #[serde(rename = "standing")]
    pub status: CheckStatus,
    /// What was found, for a person.
    pub says: String,
    /// Where it is not what it should be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
}

/// A value that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The member of the answer, or the argument of the call.
    pub of: &'static str,
    /// What it is.
    pub is: String,
    /// What it should be.
    pub expected: String,
}

impl Check {
    /// A check that found this.
    pub(crate) fn new(check: &'static str, status: CheckStatus, says: impl Into<String>) -> Self {
        Self { check, status, says: says.into(), differences: Vec::new() }
    }

    /// A check that nobody can take what has lapsed; `None` as long as `good_until` has not passed.
    pub fn expiry(good_until: UnixSeconds, now: Timestamp) -> Option<Self> {
        let says = "good_until has passed: the contract takes it no more, whatever it says";
        is_lapsed(good_until, now).then(|| Self::new("time", CheckStatus::Undecided, says))
    }

    /// A check of values that have to be equal: it says `equal` if they are, else `unequal` and where.
    pub(crate) fn of_equals(check: &'static str, differences: Vec<Difference>, equal: &str, unequal: &str) -> Self {
        let (status, says) =
            if differences.is_empty() { (CheckStatus::Holds, equal) } else { (CheckStatus::Differs, unequal) };
        Self { check, status, says: says.to_owned(), differences }
    }

    /// The same with what differs.
    pub(crate) fn with_differences(self, differences: Vec<Difference>) -> Self {
        Self { differences, ..self }
    }
}

/// Notes in `differences` that `is` should be `expected`, if it is not.
pub(crate) fn expect<T: PartialEq + ToString>(
    differences: &mut Vec<Difference>,
    of: &'static str,
    is: &T,
    expected: &T,
) {
    if is != expected {
        differences.push(Difference { of, is: is.to_string(), expected: expected.to_string() });
    }
}

/// What all checks come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerificationResult {
    /// Everything holds that was checked. What is not known of a request is not checked: whether these are the tokens and the
    /// amount that were asked for, unless [`RequestedSwap`](crate::RequestedSwap) says them; and no instant is looked at.
    Verified,
    /// Nothing contradicts, but something was not to be decided.
    Undecided,
    /// As undecided, because prices have moved since.
    Moved,
    /// Something contradicts.
    Differs,
}

impl VerificationResult {
    /// The verdict of `checks`: the worst of them.
    pub fn from_checks(checks: &[Check]) -> Self {
        match checks.iter().map(|check| check.status).max() {
            None | Some(CheckStatus::Undecided) => Self::Undecided,
            Some(CheckStatus::Holds) => Self::Verified,
            Some(CheckStatus::Moved) => Self::Moved,
            Some(CheckStatus::Differs) => Self::Differs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_is_the_worst_standing_and_nothing_checked_is_nothing_verified() {
        use CheckStatus::{Differs, Holds, Moved, Undecided};
        for (standings, verdict) in [
            (&[][..], VerificationResult::Undecided),
            (&[Holds, Holds], VerificationResult::Verified),
            (&[Holds, Undecided], VerificationResult::Undecided),
            (&[Moved, Undecided, Holds], VerificationResult::Moved),
            (&[Moved, Differs, Undecided], VerificationResult::Differs),
        ] {
            let checks: Vec<_> = standings.iter().map(|standing| Check::new("amounts", *standing, "")).collect();
            assert_eq!(VerificationResult::from_checks(&checks), verdict, "{standings:?}");
        }
    }
}
