//! Responses for the operator's automation: health, readiness, prices and pauses.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{AddressText, ChainIdNumber};

/// The process is alive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Health {
    /// Always `ok`.
    pub status: Cow<'static, str>,
}

/// The service is ready for requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Readiness {
    /// Whether requests should be routed here.
    pub ready: bool,
    /// The state of every part.
    pub parts: ReadinessParts,
}

/// The state of every part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReadinessParts {
    /// Whether the store accepts quotes. Unready: nothing is quoted or signed.
    pub store: ReadinessPart,
    /// Whether the ledger accepts entries. Unready: nothing is signed.
    pub ledger: ReadinessPart,
    /// Unready: the clock differs from that of the store, or was set forward; nothing is signed.
    pub clock: ReadinessPart,
    /// Degraded: a pool does not sign until swaps that may be outstanding have expired. Never unready.
    pub signing: ReadinessPart,
    /// Unready: no pool has two assets that can be quoted. Degraded: some assets cannot.
    pub prices: ReadinessPart,
    /// The same as `prices`, for reserves.
    pub reserves: ReadinessPart,
    /// Degraded: a signing key is not available, and nothing is signed with it. Never unready.
    pub key: ReadinessPart,
    /// Unready: it is unknown which pools are paused, and nothing is quoted or signed.
    pub pauses: ReadinessPart,
    /// Degraded: what happens is not recorded. Never unready.
    pub tape: ReadinessPart,
    /// Unready: the service is shutting down.
    pub stopping: ReadinessPart,
}

/// The state of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReadinessPart {
    /// `ready`, `degraded` or `unready`; `degraded` parts do not make the service unready.
    pub state: Cow<'static, str>,
    /// The problems, human-readable; empty for a part that is ready.
    pub reasons: Vec<String>,
}

/// The accepted prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AcceptedPrices {
    /// The number of accepted prices.
    #[cfg_attr(feature = "schema", schema(minimum = 1))]
    pub accepted: usize,
}

/// Whether a credential is revoked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CredentialState {
    /// The credential.
    pub credential_id: String,
    /// Whether every replica refuses it.
    pub is_revoked: bool,
    /// Whether that survives a restart.
    pub kept: bool,
}

/// A recorded hedge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RecordedHedge {
    /// Its id.
    pub hedge_id: String,
    /// Whether it was recorded now; otherwise the same hedge had been recorded before.
    pub is_new: bool,
}

/// The pools that were paused or resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Pauses {
    /// The pools.
    #[cfg_attr(feature = "schema", schema(min_items = 1))]
    pub pools: Vec<PoolPause>,
    /// Whether the change reaches other replicas.
    pub shared: bool,
    /// Whether the change survives a restart.
    pub kept: bool,
}

/// One pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PoolPause {
    /// The chain id (EIP-155).
    pub chain_id: ChainIdNumber,
    /// The pool contract.
    pub pool_address: AddressText,
    /// Whether the pool is paused now.
    pub paused: bool,
}
