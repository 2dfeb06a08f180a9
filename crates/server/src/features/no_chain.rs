//! What takes the place of the nodes of chains in a build without them, which refuses configurations that have any.

#[path = "../chain/observers.rs"]
mod observers;

use std::{error::Error as StdError, sync::Arc};

use firmquote_config::{Config, PoolConfig, ReservesConfig};
use firmquote_domain::{ChainId, Clock};
use firmquote_market::{ChainlinkConfig, PriceSource};

pub(crate) use self::observers::Observers;
use crate::{Error, inspection::ChainInspection};

/// No nodes.
#[derive(Default)]
pub(crate) struct Chains;

/// Opens nothing.
pub(crate) fn open(_: &Config, _: &Arc<dyn Clock>) -> Result<Chains, Error> {
    Ok(Chains)
}

/// Verifies nothing.
pub(crate) async fn verify_static(_: &Config, _: &Chains, _: &[PoolConfig]) -> Result<(), Error> {
    Ok(())
}

/// Returns the static reserves of each pool at the configured prices.
pub(crate) async fn inspect(config: &Config, _: &Chains) -> Result<ChainInspection, Error> {
    let state = |pool: &PoolConfig| match &pool.reserves {
        ReservesConfig::Static(reserves, pool_tokens) => Some(pool.state_at_config_prices(reserves, *pool_tokens)),
        ReservesConfig::Chain => None,
    };
    Ok(ChainInspection { states: config.pools.iter().map(state).collect(), warnings: Vec::new() })
}

impl Chains {
    /// # Errors
    /// Always.
    pub(crate) fn chainlink_source(
        &self,
        _: ChainId,
        _: &ChainlinkConfig,
    ) -> Result<Box<dyn PriceSource>, Box<dyn StdError + Send + Sync>> {
        Err("built without the feature \"chain\"".into())
    }
}

pub(crate) mod reserves {
    //! No pool with reserves on a chain.

    use firmquote_config::{Config, PoolConfig};
    use firmquote_domain::PoolId;

    use super::{Chains, Observers};
    use crate::Error;

    /// There is none.
    pub(crate) enum ChainPool {}

    pub(crate) fn open(_: &Config, _: &Chains) -> Result<Vec<ChainPool>, Error> {
        Ok(Vec::new())
    }

    pub(crate) async fn verify_all(pools: Vec<ChainPool>) -> Result<Vec<ChainPool>, Error> {
        Ok(pools)
    }

    impl ChainPool {
        pub(crate) fn id(&self) -> PoolId {
            match *self {}
        }

        pub(crate) const fn is_verified(&self) -> bool {
            match *self {}
        }

        pub(crate) fn describes(&self, _: &PoolConfig) -> bool {
            match *self {}
        }

        pub(crate) async fn run(self, _: Observers) {
            match self {}
        }
    }
}
