//! Hypothetical quotes for several sizes and validities.

use std::borrow::Cow;

use firmquote_desk::{QuoteGrid, QuoteGridRequest, QuoteGridRow};
use firmquote_domain::{Address, Amount, BasisPoints, ChainId, Client, StateId};
use serde::Serialize;

use super::{
    addresses::{Addresses, DisplayedAddress},
    number::{Exact, Text},
};
use crate::{
    error::ApiError,
    input::{Field, Fields, Reader, address, amounts, chain_id, symbol, times},
};

/// Parameters of the query; the chain id is in the path.
pub(crate) const GRID: &[Field] =
    &[Field::InputAssetSymbol, Field::OutputAssetSymbol, Field::Amounts, Field::Times, Field::PoolAddress];

/// A decoded request.
#[derive(Debug)]
pub(crate) struct GridInput<'f> {
    chain_id: ChainId,
    input_symbol: Cow<'f, str>,
    output_symbol: Cow<'f, str>,
    inputs: Vec<Amount>,
    times: Vec<u32>,
    pool_address: Option<Address>,
}

impl<'f> GridInput<'f> {
    /// Decodes the fields of a request.
    ///
    /// # Errors
    /// [`ApiError::InvalidInput`] with every error.
    pub(crate) fn decode(fields: &'f Fields<'_>) -> Result<Self, ApiError> {
        let mut reader = Reader::new(fields);
        let chain_id = reader.required(Field::ChainId, chain_id);
        let input_symbol = reader.required(Field::InputAssetSymbol, symbol);
        let output_symbol = reader.required(Field::OutputAssetSymbol, symbol);
        let inputs = reader.required(Field::Amounts, amounts);
        let times = reader.optional(Field::Times, times);
        let pool_address = reader.optional(Field::PoolAddress, address);
        reader.finish(|| {
            Some(Self {
                chain_id: chain_id?,
                input_symbol: input_symbol?,
                output_symbol: output_symbol?,
                inputs: inputs?,
                times: times.unwrap_or_default(),
                pool_address,
            })
        })
    }

    /// Returns the request of `client` to the desk.
    pub(crate) fn request(&self, client: Client) -> QuoteGridRequest<'_> {
        QuoteGridRequest {
            client,
            chain_id: self.chain_id,
            input_symbol: &self.input_symbol,
            output_symbol: &self.output_symbol,
            inputs: &self.inputs,
            times: &self.times,
            pool_address: self.pool_address,
        }
    }
}

/// The response: amounts in the order of the request.
#[derive(Debug, Serialize)]
pub(crate) struct GridResponse<'a> {
    chain_id: u64,
    pool_address: DisplayedAddress<'a>,
    state_id: Text<StateId>,
    input_asset_address: DisplayedAddress<'a>,
    output_asset_address: DisplayedAddress<'a>,
    input_amounts: Vec<Text<Amount>>,
    rows: Vec<RowRecord>,
}

#[derive(Debug, Serialize)]
struct RowRecord {
    time_in_seconds: u32,
    fee_in_basis_points: Exact<BasisPoints>,
    output_amounts: Vec<Option<Text<Amount>>>,
}

impl<'a> GridResponse<'a> {
    /// Builds the response for `grid`, the answer to `input`.
    pub(crate) fn new(grid: &QuoteGrid<'_>, input: &GridInput<'_>, addresses: &'a Addresses) -> Self {
        Self {
            chain_id: grid.pool.chain_id.get(),
            pool_address: addresses.text(grid.pool.address),
            state_id: Text(grid.state_id),
            input_asset_address: addresses.text(grid.input.address),
            output_asset_address: addresses.text(grid.output.address),
            input_amounts: input.inputs.iter().copied().map(Text).collect(),
            rows: grid.rows.iter().map(RowRecord::new).collect(),
        }
    }
}

impl RowRecord {
    fn new(row: &QuoteGridRow) -> Self {
        Self {
            time_in_seconds: row.time_in_seconds,
            fee_in_basis_points: Exact(row.fee),
            output_amounts: row.outputs.iter().map(|output| output.map(Text)).collect(),
        }
    }
}
