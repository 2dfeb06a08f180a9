//! Checks, their outcomes, and the overall result.

use firmquote_domain::{Timestamp, UnixSeconds, is_lapsed};
use serde::Serialize;

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// The value is as expected.
    Holds,
    /// Inconclusive: required data is missing, or could explain a difference.
    Undecided,
    /// The value is right at prices that are no longer the published ones.
    Moved,
    /// The value contradicts data that cannot have changed.
    Differs,
}

impl CheckStatus {
    /// The word for the status in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "ok",
            Self::Undecided => "undecided",
            Self::Moved => "moved",
            Self::Differs => "DIFFERS",
        }
    }
}

/// The result of one check.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// The name: `values`, `state`, `amounts`, `terms`, `settlement`, `signature`, `calldata` or `time`.
    pub check: &'static str,
    /// The outcome; serialized as `standing`.
    #[serde(rename = "standing")]
    pub status: CheckStatus,
    /// The human-readable finding; serialized as `says`.
    #[serde(rename = "says")]
    pub message: String,
    /// The values that are not as expected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
}

/// A value that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The member of the response, or the argument of the call; serialized as `of`.
    #[serde(rename = "of")]
    pub field: &'static str,
    /// The actual value; serialized as `is`.
    #[serde(rename = "is")]
    pub actual: String,
    /// The expected value.
    pub expected: String,
}

impl Check {
    /// Creates a check without differences.
    pub(crate) fn new(check: &'static str, status: CheckStatus, message: impl Into<String>) -> Self {
        Self { check, status, message: message.into(), differences: Vec::new() }
    }

    /// Returns an undecided `time` check if `good_until` has passed at `now`; the contract no longer accepts the swap.
    pub fn expiry(good_until: UnixSeconds, now: Timestamp) -> Option<Self> {
        let message = "good_until has passed: the contract no longer executes the swap";
        is_lapsed(good_until, now).then(|| Self::new("time", CheckStatus::Undecided, message))
    }

    /// Creates a check of values that must be equal; the message is `equal` without `differences`, else `unequal`.
    pub(crate) fn from_differences(
        check: &'static str,
        differences: Vec<Difference>,
        equal: &str,
        unequal: &str,
    ) -> Self {
        let (status, message) =
            if differences.is_empty() { (CheckStatus::Holds, equal) } else { (CheckStatus::Differs, unequal) };
        Self { check, status, message: message.to_owned(), differences }
    }

    /// Replaces the differences.
    pub(crate) fn with_differences(self, differences: Vec<Difference>) -> Self {
        Self { differences, ..self }
    }
}

/// Adds a difference if `actual` does not equal `expected`.
pub(crate) fn compare<T: PartialEq + ToString>(
    differences: &mut Vec<Difference>,
    field: &'static str,
    actual: &T,
    expected: &T,
) {
    if actual != expected {
        differences.push(Difference { field, actual: actual.to_string(), expected: expected.to_string() });
    }
}

/// The overall result of all checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerificationResult {
    /// Every check holds. Unknown parts of the request are not checked: tokens and amount are compared with the
    /// requested ones only if [`RequestedSwap`](crate::RequestedSwap) contains them. Expiry is not checked.
    Verified,
    /// No contradiction, but at least one check is undecided.
    Undecided,
    /// No contradiction, but prices have moved since.
    Moved,
    /// At least one check found a contradiction.
    Differs,
}

impl VerificationResult {
    /// Returns the worst status of `checks`; undecided if there are none.
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
    fn the_result_is_the_worst_status_and_undecided_without_checks() {
        use CheckStatus::{Differs, Holds, Moved, Undecided};
        for (statuses, result) in [
            (&[][..], VerificationResult::Undecided),
            (&[Holds, Holds], VerificationResult::Verified),
            (&[Holds, Undecided], VerificationResult::Undecided),
            (&[Moved, Undecided, Holds], VerificationResult::Moved),
            (&[Moved, Differs, Undecided], VerificationResult::Differs),
        ] {
            let checks: Vec<_> = statuses.iter().map(|status| Check::new("amounts", *status, "")).collect();
            assert_eq!(VerificationResult::from_checks(&checks), result, "{statuses:?}");
        }
    }
}
