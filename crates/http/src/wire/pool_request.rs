//! What a pool request says (specification 4.1 and 4.4).

use firmquote_domain::{Address, ChainId};

use crate::{
    error::ApiError,
    input::{Field, Fields, Fieldset, Reader, address, chain_id, seconds},
};

/// Parameters of the version 1 query.
pub(crate) const POOL_V1: &[Field] = &[Field::ChainId, Field::Fieldset, Field::TimeInSeconds];

/// Parameters of the version 2 query; the chain id is in the path.
pub(crate) const POOL_V2: &[Field] = &[Field::Fieldset, Field::PoolAddress, Field::TimeInSeconds];

/// A decoded pool request of either version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolInput {
    /// The chain.
    pub(crate) chain_id: ChainId,
    /// Which set of data.
    pub(crate) fieldset: Fieldset,
    /// One pool, or all.
    pub(crate) pool_address: Option<Address>,
    /// What the fees of off-chain data are to be for; the pool's default when absent. On-chain data has no fees.
    pub(crate) time_in_seconds: Option<u32>,
}

impl PoolInput {
    /// Decodes the fields of a pool request.
    ///
    /// # Errors
    /// [`ApiError::InvalidInput`] with every mistake.
    pub(crate) fn decode(fields: &Fields<'_>) -> Result<Self, ApiError> {
        let mut reader = Reader::of(fields);
        let chain_id = reader.required(Field::ChainId, chain_id);
        let fieldset = reader.optional(Field::Fieldset, Fieldset::read).unwrap_or(Fieldset::Onchain);
        let pool_address = reader.optional(Field::PoolAddress, address);
        let time_in_seconds = reader.optional(Field::TimeInSeconds, seconds).filter(|_| fieldset.has_offchain());
        reader.finish(|| Some(Self { chain_id: chain_id?, fieldset, pool_address, time_in_seconds }))
    }
}
