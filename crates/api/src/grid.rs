//! Indicative quotes for several sizes and validities.

use serde::{Deserialize, Serialize};

use crate::{AddressText, AmountText, BasisPointsNumber, ChainIdNumber, StateIdText};

/// Indicative quotes in one state of one pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct QuoteGrid {
    /// The chain id (EIP-155).
    pub chain_id: ChainIdNumber,
    /// The pool contract that would execute the swaps.
    pub pool_address: AddressText,
    /// The state that the outputs were computed in.
    pub state_id: StateIdText,
    /// The input token.
    pub input_asset_address: AddressText,
    /// The output token.
    pub output_asset_address: AddressText,
    /// The input amounts in base units, in the order of the request.
    pub input_amounts: Vec<AmountText>,
    /// The outputs for each validity, in the order of the request.
    pub rows: Vec<QuoteGridRow>,
}

/// Indicative quotes for one validity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct QuoteGridRow {
    /// The seconds between acceptance and the transaction on chain.
    #[cfg_attr(feature = "schema", schema(minimum = 1))]
    pub time_in_seconds: u32,
    /// The fee included in the outputs.
    pub fee_in_basis_points: BasisPointsNumber,
    /// The output of each input amount in base units; null where a quote is refused as too small or too large.
    pub output_amounts: Vec<Option<AmountText>>,
}
