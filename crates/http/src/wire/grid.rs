//! Hypothetical quotes for several sizes and validities.

use firmquote_api as api;
use firmquote_desk::{QuoteGrid, QuoteGridRequest, QuoteGridRow};
use firmquote_domain::{Address, Amount, ChainId, Client};

use super::asset_input::AssetInput;
use crate::{
    error::ApiError,
    input::{
        AMOUNTS, CHAIN_ID, Field, Fields, INPUT_ASSET_ADDRESS, INPUT_ASSET_SYMBOL, OUTPUT_ASSET_ADDRESS,
        OUTPUT_ASSET_SYMBOL, POOL_ADDRESS, Reader, STRICT, TIMES,
    },
};

/// Parameters of the query; the chain id is in the path.
pub(crate) const GRID: &[&Field] = &[
    &INPUT_ASSET_SYMBOL.field,
    &OUTPUT_ASSET_SYMBOL.field,
    &INPUT_ASSET_ADDRESS.field,
    &OUTPUT_ASSET_ADDRESS.field,
    &AMOUNTS.field,
    &TIMES.field,
    &POOL_ADDRESS.field,
    &STRICT.field,
];

/// A decoded request.
#[derive(Debug)]
pub(crate) struct GridInput<'f> {
    chain_id: ChainId,
    assets: [AssetInput<'f>; 2],
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
        let chain_id = reader.required(&CHAIN_ID);
        let assets = AssetInput::read_pair(&mut reader);
        let inputs = reader.required(&AMOUNTS);
        let times = reader.optional(&TIMES);
        let pool_address = reader.optional(&POOL_ADDRESS);
        reader.finish(|| {
            Some(Self {
                chain_id: chain_id?,
                assets: assets?,
                inputs: inputs?,
                times: times.unwrap_or_default(),
                pool_address,
            })
        })
    }

    /// Returns the request of `client` to the desk.
    pub(crate) fn request(&self, client: Client) -> QuoteGridRequest<'_> {
        let [input, output] = self.assets.each_ref().map(AssetInput::key);
        QuoteGridRequest {
            client,
            chain_id: self.chain_id,
            input,
            output,
            inputs: &self.inputs,
            times: &self.times,
            pool_address: self.pool_address,
        }
    }
}

/// Returns the response for `grid`, the answer to `input`: amounts in the order of the request.
pub(crate) fn grid_response(grid: &QuoteGrid<'_>, input: &GridInput<'_>) -> api::QuoteGrid {
    api::QuoteGrid {
        chain_id: grid.pool.chain_id.into(),
        pool_address: grid.pool.address.into(),
        state_id: grid.state_id.into(),
        input_asset_address: grid.input.address.into(),
        output_asset_address: grid.output.address.into(),
        input_amounts: input.inputs.iter().map(|amount| (*amount).into()).collect(),
        rows: grid.rows.iter().map(row).collect(),
    }
}

fn row(row: &QuoteGridRow) -> api::QuoteGridRow {
    api::QuoteGridRow {
        time_in_seconds: row.time_in_seconds,
        fee_in_basis_points: row.fee.into(),
        output_amounts: row.outputs.iter().map(|output| output.map(Into::into)).collect(),
    }
}
