//! How far a part that requests depend on is available.

use strum::{IntoStaticStr, VariantArray};

/// How far a part is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum PartState {
    /// Fully available.
    Ready,
    /// Available to some requests; others are refused.
    Degraded,
    /// Not available to any request.
    Unready,
}

impl PartState {
    /// The name in responses, in metrics and in the log.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The state of a part, with reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// How far the part is available.
    pub state: PartState,
    /// The problems, as text; empty for a part that is ready.
    pub reasons: Vec<String>,
}

impl Condition {
    /// A part with nothing missing.
    pub const fn ready() -> Self {
        Self { state: PartState::Ready, reasons: Vec::new() }
    }

    /// A part in `state` because of `reasons`; ready if there are none. Duplicate reasons are dropped.
    pub fn from_reasons(state: PartState, reasons: impl IntoIterator<Item = String>) -> Self {
        let mut unique: Vec<String> = Vec::new();
        for reason in reasons {
            if !unique.contains(&reason) {
                unique.push(reason);
            }
        }
        Self { state: if unique.is_empty() { PartState::Ready } else { state }, reasons: unique }
    }
}
