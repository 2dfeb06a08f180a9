//! Quote requests (docs/api.md).

use firmquote_desk::{AssetKey, QuoteRequest};
use firmquote_domain::{Address, ChainId, Client, LevelsId, SourceNetwork, SwapAmount};

use super::asset_input::AssetInput;
use crate::{
    error::ApiError,
    input::{Field, Fields, InvalidKind, Reader, ValueError, address, amount, chain_id, levels_id, seconds},
};

/// Members of the version 1 body.
pub(crate) const QUOTE_V1: &[Field] = &[
    Field::ChainId,
    Field::InputAssetSymbol,
    Field::OutputAssetSymbol,
    Field::InputAssetAddress,
    Field::OutputAssetAddress,
    Field::InputAmount,
    Field::OutputAmount,
    Field::TimeInSeconds,
    Field::Strict,
];

/// Parameters of the version 2 query; the chain id is in the path.
pub(crate) const QUOTE_V2: &[Field] = &[
    Field::InputAssetSymbol,
    Field::OutputAssetSymbol,
    Field::InputAssetAddress,
    Field::OutputAssetAddress,
    Field::InputAmount,
    Field::OutputAmount,
    Field::TimeInSeconds,
    Field::PoolAddress,
    Field::LevelsId,
    Field::Strict,
];

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
        let chain_id = reader.required(Field::ChainId, chain_id);
        let assets = AssetInput::read_pair(reader);
        let amount = fixed(reader);
        let time_in_seconds = reader.optional(Field::TimeInSeconds, seconds);
        let pool_address = reader.optional(Field::PoolAddress, address);
        let levels_id = reader.optional(Field::LevelsId, levels_id);
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
fn fixed(reader: &mut Reader<'_, '_>) -> Option<SwapAmount> {
    const BOTH: ValueError =
        ValueError::new(InvalidKind::MutuallyExclusive, "input_amount and output_amount cannot both be given");
    const NEITHER: ValueError =
        ValueError::new(InvalidKind::OneRequired, "One of input_amount and output_amount is required");
    const AMOUNTS: [Field; 2] = [Field::InputAmount, Field::OutputAmount];
    let input = reader.optional(Field::InputAmount, amount);
    let output = reader.optional(Field::OutputAmount, amount);
    match (reader.has(Field::InputAmount), reader.has(Field::OutputAmount)) {
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
