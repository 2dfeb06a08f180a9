//! The QuoteGrid object.

use firmquote_domain::{Address, Amount, BasisPoints, ChainId, StateId};
use serde::Deserialize;

use super::read;
use crate::QuoteGridRequest;

/// Indicative quotes in one state of one pool.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct QuoteGrid {
    /// EIP-155 chain id.
    #[serde(deserialize_with = "read::chain_id")]
    pub chain_id: ChainId,
    /// The pool contract.
    #[serde(deserialize_with = "read::address")]
    pub pool_address: Address,
    /// The state that the outputs were computed in.
    #[serde(deserialize_with = "read::text")]
    pub state_id: StateId,
    /// The input token.
    #[serde(deserialize_with = "read::address")]
    pub input_asset_address: Address,
    /// The output token.
    #[serde(deserialize_with = "read::address")]
    pub output_asset_address: Address,
    /// The inputs in base units, in the order of the request.
    #[serde(deserialize_with = "read::amounts")]
    pub input_amounts: Vec<Amount>,
    /// The outputs for each validity, in the order of the request.
    pub rows: Vec<QuoteGridRow>,
}

/// Indicative quotes for one validity.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct QuoteGridRow {
    /// Seconds between accepting a quote and the transaction on chain.
    pub time_in_seconds: u32,
    /// The fee included in the outputs.
    #[serde(deserialize_with = "read::rate")]
    pub fee_in_basis_points: BasisPoints,
    /// The output of each input in base units; `None` where a quote is refused as too small or too large.
    #[serde(deserialize_with = "read::optional_amounts")]
    pub output_amounts: Vec<Option<Amount>>,
}

impl QuoteGrid {
    /// Whether this is the grid of a request: its chain, pool, inputs and times.
    pub(crate) fn answers(&self, request: &QuoteGridRequest) -> bool {
        let times = self.rows.iter().map(|row| row.time_in_seconds);
        self.chain_id == request.chain_id
            && request.pool_address.is_none_or(|pool| pool == self.pool_address)
            && self.input_amounts == request.inputs
            && (request.times.is_empty() && self.rows.len() == 1 || times.eq(request.times.iter().copied()))
            && self.rows.iter().all(|row| row.output_amounts.len() == request.inputs.len())
    }
}
