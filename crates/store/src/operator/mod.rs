//! The operator's stream: who changed what about the service, and what its breakers did, as an audit trail.

mod entry;
mod hedge;

use std::net::IpAddr;

use firmquote_domain::{Hedge, PoolId, Timestamp};

use crate::Trip;
#[cfg(feature = "redis")]
pub(crate) use hedge::HedgeRecord;
pub use hedge::hedge_of_line;
pub use hedge::read_hedges;

/// An entry of the operator's stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorEntry {
    /// What was done.
    pub event: OperatorEvent,
    /// Who did it; `None` for the service itself.
    pub actor: Option<Actor>,
    /// When it was done.
    pub recorded_at: Timestamp,
}

/// An operator who did something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actor {
    /// The name; `None` on a listener that needs no token.
    pub name: Option<String>,
    /// The address of the connection, if it has one.
    pub address: Option<IpAddr>,
    /// The reason that was given.
    pub reason: Option<String>,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperatorEvent {
    /// A pool was paused.
    Paused(PoolId),
    /// A pool was resumed: the trips of its breakers ended.
    Resumed(PoolId),
    /// A breaker tripped.
    Tripped(Trip),
    /// A raised fee ended, since a window passed without cause.
    Ended(Trip),
    /// A trade on another venue was reported.
    Hedged(Hedge),
    /// A changed configuration took effect on a replica.
    Config {
        /// The replica, if its host has a name.
        replica: Option<String>,
        /// The keys that changed.
        changes: Vec<ChangedKey>,
    },
    /// A changed file of credentials took effect on a replica.
    Credentials {
        /// The replica, if its host has a name.
        replica: Option<String>,
        /// The ids of credentials that were added, removed or changed, with their clients before and after.
        changes: Vec<ChangedKey>,
    },
}

/// What became of a reported hedge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HedgeOutcome {
    /// It was appended.
    Stored,
    /// The same hedge was appended before.
    Duplicate,
    /// Another hedge of the same id was appended before; nothing was changed.
    Conflict,
}

/// A key with its values before and after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedKey {
    /// The key.
    pub key: String,
    /// Its old value; `None` if it had none, and for a secret.
    pub old: Option<String>,
    /// Its new value; `None` if it has none, and for a secret.
    pub new: Option<String>,
}
