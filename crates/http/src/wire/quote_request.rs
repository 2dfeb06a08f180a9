//! Quote requests (docs/api.md).

use firmquote_desk::{AssetKey, QuoteRequest};
use firmquote_domain::{Address, ChainId, Client, LevelsId, SourceNetwork, SwapAmount};

use super::asset_input::AssetInput;
use crate::{
    error::ApiError,
    input::{
        CHAIN_ID, Field, Fields, INPUT_AMOUNT, INPUT_ASSET_ADDRESS, INPUT_ASSET_SYMBOL, InvalidKind, LEVELS_ID,
        OUTPUT_AMOUNT, OUTPUT_ASSET_ADDRESS, OUTPUT_ASSET_SYMBOL, POOL_ADDRESS, Reader, STRICT, TIME_IN_SECONDS,
        ValueError, concat,
    },
};

/// The requested swap: one name of each asset, one amount, and the time.
const SWAP: &[&Field] = &[
    &INPUT_ASSET_SYMBOL.field,
    &OUTPUT_ASSET_SYMBOL.field,
    &INPUT_ASSET_ADDRESS.field,
    &OUTPUT_ASSET_ADDRESS.field,
    &INPUT_AMOUNT.field,
    &OUTPUT_AMOUNT.field,
    &TIME_IN_SECONDS.field,
];

/// The quote that version 2 requests.
pub(super) const QUOTE: &[&Field] = &concat::<9>(&[SWAP, &[&POOL_ADDRESS.field, &LEVELS_ID.field]]);

/// Members of the version 1 body.
pub(crate) const QUOTE_V1: &[&Field] = &concat::<9>(&[&[&CHAIN_ID.field], SWAP, &[&STRICT.field]]);

/// Parameters of the version 2 query; the chain id is in the path.
pub(crate) const QUOTE_V2: &[&Field] = &concat::<10>(&[QUOTE, &[&STRICT.field]]);

/// A decoded quote request of either version.
#[derive(Debug)]
pub(crate) struct QuoteInput<'f> {
    chain_id: ChainId,
    assets: [AssetInput<'f>; 2],
    amount: SwapAmount,
    time_in_seconds: Option<u32>,
    pool_address: Option<Address>,
    levels_id: Option<LevelsId>,
}

impl<'f> QuoteInput<'f> {
    /// Decodes the fields of a quote request.
    ///
    /// # Errors
    /// [`ApiError::InvalidInput`] with every error.
    pub(crate) fn decode(fields: &'f Fields<'_>) -> Result<Self, ApiError> {
        let mut reader = Reader::new(fields);
        let input = Self::read(&mut reader);
        reader.finish(|| input)
    }

    /// Reads the fields of a quote request; `None` if `reader` collected an error about them.
    pub(crate) fn read(reader: &mut Reader<'f, '_>) -> Option<Self> {
        let chain_id = reader.required(&CHAIN_ID);
        let assets = AssetInput::read_pair(reader);
        let amount = swap_amount(reader);
        let time_in_seconds = reader.optional(&TIME_IN_SECONDS);
        let pool_address = reader.optional(&POOL_ADDRESS);
        let levels_id = reader.optional(&LEVELS_ID);
        Some(Self { chain_id: chain_id?, assets: assets?, amount: amount?, time_in_seconds, pool_address, levels_id })
    }

    /// Returns the chain to swap on.
    pub(crate) const fn chain_id(&self) -> ChainId {
        self.chain_id
    }

    /// Returns the input and the output asset, as written.
    pub(crate) fn assets(&self) -> [AssetKey<'_>; 2] {
        self.assets.each_ref().map(AssetInput::key)
    }

    /// Returns the request of `client` to the desk, from `source_network` without credentials.
    pub(crate) fn request(&self, client: Client, source_network: Option<SourceNetwork>) -> QuoteRequest<'_> {
        let [input, output] = self.assets();
        QuoteRequest {
            client,
            source_network,
            chain_id: self.chain_id,
            input,
            output,
            amount: self.amount,
            time_in_seconds: self.time_in_seconds,
            pool_address: self.pool_address,
            levels_id: self.levels_id,
            quote_id: None,
        }
    }
}

/// Reads the amount, of which exactly one must be given.
fn swap_amount(reader: &mut Reader<'_, '_>) -> Option<SwapAmount> {
    const BOTH: ValueError =
        ValueError::new(InvalidKind::MutuallyExclusive, "input_amount and output_amount cannot both be given");
    const NEITHER: ValueError =
        ValueError::new(InvalidKind::OneRequired, "One of input_amount and output_amount is required");
    const AMOUNTS: [&Field; 2] = [&INPUT_AMOUNT.field, &OUTPUT_AMOUNT.field];
    let input = reader.optional(&INPUT_AMOUNT);
    let output = reader.optional(&OUTPUT_AMOUNT);
    match (reader.has(&INPUT_AMOUNT.field), reader.has(&OUTPUT_AMOUNT.field)) {
        (true, false) => input.map(SwapAmount::ExactInput),
        (false, true) => output.map(SwapAmount::ExactOutput),
        (true, true) => {
            reader.reject_all(AMOUNTS, BOTH);
            None
        }
        (false, false) => {
            reader.reject_all(AMOUNTS, NEITHER);
            None
        }
    }
}
