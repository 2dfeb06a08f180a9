//! All public data of pools, from one instant (docs/api.md, `fieldset=all`).

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::value::RawValue;

use super::{OffchainPool, OnchainPool, offchain::OffchainRecord, onchain::OnchainRecord};

/// The requested pools.
pub type Pools = Vec<Pool>;

/// A pool with everything that determines its quotes.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Its holdings.
    pub onchain: OnchainPool,
    /// Its pricing parameters; its assets are those of [`Self::onchain`], in the same order.
    pub offchain: OffchainPool,
}

/// Pool data of version 2. That of version 1 is a single record. The `pool_type` member of both is ignored.
#[derive(Deserialize)]
pub(crate) struct PoolList<R> {
    pools: Vec<R>,
}

impl<R> PoolList<R> {
    /// Converts the records of the pools.
    pub(crate) fn into_pools<P: From<R>>(self) -> Vec<P> {
        self.pools.into_iter().map(P::from).collect()
    }
}

/// The members of both sets, side by side.
pub(crate) struct PoolRecord(Pool);

impl<'de> Deserialize<'de> for PoolRecord {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(source)?;
        let onchain: OnchainRecord = serde_json::from_str(text.get()).map_err(D::Error::custom)?;
        let offchain: OffchainRecord = serde_json::from_str(text.get()).map_err(D::Error::custom)?;
        Ok(Self(Pool { onchain: onchain.into(), offchain: offchain.into() }))
    }
}

impl From<PoolRecord> for Pool {
    fn from(PoolRecord(pool): PoolRecord) -> Self {
        pool
    }
}
