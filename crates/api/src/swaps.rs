//! The signed swaps of a client.

use serde::{Deserialize, Serialize};

use crate::{
    AddressText, BaseUnits, ChainIdNumber, ExecutionName, QuoteIdText, QuoteState, Settlement, UnixSecondsNumber,
    UtcTime,
};

/// A page of signed swaps, in the order of their signatures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Swaps {
    /// The swaps. There may be fewer than requested although there are more.
    pub swaps: Vec<Swap>,
    /// The `cursor` of the next page, also for later swaps; null once there are no swaps after the cursor of the request.
    #[cfg_attr(feature = "schema", schema(required))]
    pub next_cursor: Option<String>,
}

/// A signed swap, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Swap {
    /// The quote.
    pub quote_id: QuoteIdText,
    /// The state of the swap.
    pub state: QuoteState,
    /// The chain id (EIP-155).
    pub chain_id: ChainIdNumber,
    /// The pool contract.
    pub pool_address: AddressText,
    /// The token paid to the pool.
    pub input_asset_address: AddressText,
    /// The token paid by the pool.
    pub output_asset_address: AddressText,
    /// The signed input amount, in base units.
    pub input_amount: BaseUnits,
    /// The signed output amount, in base units.
    pub output_amount: BaseUnits,
    /// The account that receives the output.
    pub destination_address: AddressText,
    /// The time of signing.
    pub signed_at: UtcTime,
    /// The last Unix second in which the signed swap is valid on chain.
    pub good_until: UnixSecondsNumber,
    /// Whether the signed swap executes regardless of other swaps.
    pub execution: ExecutionName,
    /// The execution; null unless the swap is settled.
    #[cfg_attr(feature = "schema", schema(required))]
    pub settled: Option<Settlement>,
}
