//! The status of a quote.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::{
    AddressText, BaseUnits, Bytes32, ChainIdNumber, ExecutionName, QuoteIdText, UnixSecondsNumber, UtcTime,
    signed_swap::known_execution,
};

/// The status of a quote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct QuoteStatus {
    /// The quote.
    pub quote_id: QuoteIdText,
    /// The state of the quote and of its swap.
    pub state: QuoteState,
    /// The chain id (EIP-155).
    pub chain_id: ChainIdNumber,
    /// The pool contract.
    pub pool_address: AddressText,
    /// The Unix second in which the quote was made.
    pub created_at: UnixSecondsNumber,
    /// The first instant at which the quote can no longer be signed, by the clock of the service.
    pub must_accept_by: UtcTime,
    /// The last Unix second in which the signed swap is valid on chain.
    pub good_until: UnixSecondsNumber,
    /// The time of signing; null for an unsigned quote.
    #[cfg_attr(feature = "schema", schema(required))]
    pub signed_at: Option<UtcTime>,
    /// Whether the signed swap executes regardless of other swaps; null for an unsigned quote.
    #[serde(deserialize_with = "known_execution")]
    #[cfg_attr(feature = "schema", schema(required))]
    pub execution: Option<ExecutionName>,
    /// The execution; null unless the swap is settled.
    #[cfg_attr(feature = "schema", schema(required))]
    pub settled: Option<Settlement>,
}

/// The state of a quote and of its swap: `created`: not signed yet; `signed`: may be executed; `settled`: executed, which
/// a reorganization of the chain may undo; `lapsed`: no longer valid, never executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum QuoteState {
    /// Not signed yet.
    Created,
    /// Signed; the swap may be executed.
    Signed,
    /// The swap was executed. A reorganization of the chain may undo that.
    Settled,
    /// The swap is no longer valid and was never executed.
    Lapsed,
}

impl QuoteState {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The execution of a signed swap, as the event of the pool contract states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Settlement {
    /// The transaction.
    pub transaction_hash: Bytes32,
    /// The position of the event among those of its block.
    pub log_index: u64,
    /// The block.
    pub block_number: u64,
    /// The Unix second of the block.
    pub block_timestamp: UnixSecondsNumber,
    /// The number of blocks from this one to the newest, both included; null until the replica has read this block.
    #[cfg_attr(feature = "schema", schema(required, minimum = 1))]
    pub confirmations: Option<u64>,
    /// The amount paid to the pool, in base units.
    pub input_amount: BaseUnits,
    /// The amount paid by the pool, in base units.
    pub output_amount: BaseUnits,
}

impl QuoteStatus {
    /// Whether the state is final: lapsed, or settled at least `confirmations` blocks deep.
    pub fn is_final(&self, confirmations: u64) -> bool {
        match self.state {
            QuoteState::Created | QuoteState::Signed => false,
            QuoteState::Settled => {
                let depth = self.settled.and_then(|settled| settled.confirmations);
                depth.is_some_and(|depth| depth >= confirmations)
            }
            QuoteState::Lapsed => true,
        }
    }
}
