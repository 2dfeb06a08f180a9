//! The items of the checklist for integrators.

use serde::Serialize;
use strum::{EnumIter, IntoEnumIterator as _, IntoStaticStr};

/// An item of the checklist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum ChecklistItem {
    Swap,
    Status,
    VerifySignature,
    Conflict,
    Expiry,
    SameTerms,
    Reconnect,
    RetryAfter,
    StreamGap,
    WithdrawnLevels,
}

/// The state of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ItemState {
    /// The situation has not occurred, or its outcome is unknown.
    #[default]
    Open,
    /// Handled correctly, and never incorrectly.
    Passed,
    /// Handled incorrectly at least once.
    Failed,
}

/// An item with its state, as in responses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ItemReport {
    pub(crate) point: &'static str,
    pub(crate) state: ItemState,
    /// The requirement for passing the item.
    pub(crate) requires: &'static str,
    /// The request that causes the situation.
    pub(crate) try_with: &'static str,
    /// The first failure.
    pub(crate) failure: Option<String>,
}

/// The states of all items.
#[derive(Debug, Default)]
pub(crate) struct Checklist(std::collections::BTreeMap<ChecklistItem, (ItemState, Option<String>)>);

impl ChecklistItem {
    /// The name in responses.
    pub(crate) fn name(self) -> &'static str {
        self.into()
    }

    /// Returns what passes the item, and the request that causes its situation.
    const fn spec(self) -> [&'static str; 2] {
        match self {
            Self::Swap => ["get a quote, have it signed, and send its calldata in a transaction", "no fault"],
            Self::Status => ["follow the status of a swap that was sent until it is settled", "no fault"],
            Self::VerifySignature => [
                "never send a transaction whose signature is not by the pool's signer",
                "forged with sign or quote-sign",
            ],
            Self::Conflict => [
                "after a conflict, sign the fresh quote or request another; do not repeat the request",
                "conflict with sign",
            ],
            Self::Expiry => {
                ["never have a quote signed after its must_accept_by; request another", "expired with quote or sign"]
            }
            Self::SameTerms => {
                ["repeat a signature request whose response was lost, with the same terms", "lost-answer with sign"]
            }
            Self::Reconnect => ["repeat a request whose connection was cut", "cut with any request but the first"],
            Self::RetryAfter => [
                "send no request of the same kind before Retry-After has passed",
                "rate-limited or unavailable with any request",
            ],
            Self::StreamGap => {
                ["close a stream in which a message is missing, and open another", "gap with the stream of levels"]
            }
            Self::WithdrawnLevels => [
                "never name levels in a quote after they were withdrawn because of a pause",
                "withdraw with the stream of levels",
            ],
        }
    }
}

impl Checklist {
    /// Marks an item as passed, unless it failed before.
    pub(crate) fn pass(&mut self, point: ChecklistItem) {
        let (state, _) = self.0.entry(point).or_default();
        if *state == ItemState::Open {
            *state = ItemState::Passed;
        }
    }

    /// Marks an item as failed; the first failure is reported.
    pub(crate) fn fail(&mut self, point: ChecklistItem, failure: impl Into<String>) {
        let (state, reported) = self.0.entry(point).or_default();
        *state = ItemState::Failed;
        reported.get_or_insert_with(|| failure.into());
    }

    /// Returns every item.
    pub(crate) fn report(&self) -> Vec<ItemReport> {
        let report = |point: ChecklistItem| {
            let (state, failure) = self.0.get(&point).cloned().unwrap_or_default();
            let [requires, try_with] = point.spec();
            ItemReport { point: point.name(), state, requires, try_with, failure }
        };
        ChecklistItem::iter().map(report).collect()
    }
}
