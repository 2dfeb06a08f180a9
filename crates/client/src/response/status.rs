//! The QuoteStatus object.

use firmquote_domain::{Address, B256, ChainId, Execution, QuoteId, Timestamp, U256, UnixSeconds};
use serde::Deserialize;

use super::read;

/// The status of a quote.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct QuoteStatus {
    /// The quote.
    #[serde(deserialize_with = "read::text")]
    pub quote_id: QuoteId,
    /// Its state.
    pub state: QuoteState,
    /// EIP-155 chain id.
    #[serde(deserialize_with = "read::chain_id")]
    pub chain_id: ChainId,
    /// The pool contract.
    #[serde(deserialize_with = "read::address")]
    pub pool_address: Address,
    /// When it was made.
    #[serde(deserialize_with = "read::seconds")]
    pub created_at: UnixSeconds,
    /// The first instant at which it can no longer be signed, by the service's clock.
    #[serde(deserialize_with = "read::instant")]
    pub must_accept_by: Timestamp,
    /// The last second in which the signed swap is valid on chain.
    #[serde(deserialize_with = "read::seconds")]
    pub good_until: UnixSeconds,
    /// When it was signed; `None` before that.
    #[serde(deserialize_with = "read::optional_instant")]
    pub signed_at: Option<Timestamp>,
    /// Whether the signed swap executes regardless of other swaps; `None` before it is signed.
    #[serde(deserialize_with = "read::optional_execution")]
    pub execution: Option<Execution>,
    /// The execution; `None` unless the swap is settled.
    pub settled: Option<Settlement>,
}

/// The state of a quote and of its swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Signed => "signed",
            Self::Settled => "settled",
            Self::Lapsed => "lapsed",
        }
    }
}

/// The execution of a swap, according to the event of the pool contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Settlement {
    /// The transaction.
    #[serde(deserialize_with = "read::text")]
    pub transaction_hash: B256,
    /// The position of the event among those of its block.
    pub log_index: u64,
    /// The block.
    pub block_number: u64,
    /// The timestamp of the block.
    #[serde(deserialize_with = "read::seconds")]
    pub block_timestamp: UnixSeconds,
    /// The number of blocks from this one to the newest known to the service, inclusive; `None` while it knows none.
    pub confirmations: Option<u64>,
    /// Base units that were paid in.
    #[serde(deserialize_with = "read::base_units")]
    pub input_amount: U256,
    /// Base units that were paid out.
    #[serde(deserialize_with = "read::base_units")]
    pub output_amount: U256,
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
