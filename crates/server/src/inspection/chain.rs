//! What the nodes say of the pools: asked once, for a person who waits.

use firmquote_config::{Config, PoolConfig, ReservesConfig};
use firmquote_domain::Amount;
use firmquote_market::{
    PoolState, Reserves,
    chain::{ChainRpc, PoolReserves, read_reserves},
};

use crate::{
    Error,
    chain::{self, Chains},
};

/// What is known of each pool, in their order: written reserves are known, those on a chain if a node tells them.
pub(super) struct ChainInspection {
    /// The state of each pool at the prices of the file.
    pub(super) states: Vec<Option<PoolState>>,
    /// What the operator may not want.
    pub(super) warnings: Vec<String>,
}

/// Holds every pool with nodes against its chain, and reads the reserves that are there.
///
/// # Errors
/// For a pool that would not be quoted because it is not as it is configured, with everything that is not.
pub(super) async fn inspect(config: &Config, chains: &Chains) -> Result<ChainInspection, Error> {
    let mut found = ChainInspection { states: Vec::new(), warnings: Vec::new() };
    for (position, pool) in config.pools.iter().enumerate() {
        let (state, warnings) = inspect_pool(chains.rpc(pool.id().chain_id).map(AsRef::as_ref), pool).await?;
        found.states.push(state);
        found.warnings.extend(warnings.into_iter().map(|text| format!("pool[{position}].{text}")));
    }
    Ok(found)
}

async fn inspect_pool(rpc: Option<&ChainRpc>, pool: &PoolConfig) -> Result<(Option<PoolState>, Vec<String>), Error> {
    let verified = match rpc {
        Some(rpc) => chain::verify(rpc, pool).await,
        None => Ok(Ok(Vec::new())),
    };
    let address = |doubts: Vec<String>| doubts.into_iter().map(|doubt| format!("address: {doubt}")).collect();
    if let ReservesConfig::Static(reserves, pool_tokens) = &pool.reserves {
        let warnings = match verified? {
            Err(error) => vec![format!("address: whether the pool is as it is configured is not known: {error}")],
            Ok(doubts) => address(doubts),
        };
        return Ok((Some(pool.at_written_prices(reserves, *pool_tokens)), warnings));
    }
    let (read, mut warnings): (_, Vec<String>) = match (verified?, rpc) {
        (Ok(doubts), Some(rpc)) => (read(rpc, pool).await, address(doubts)),
        (Err(error), _) => (Err(error.to_string()), Vec::new()),
        (Ok(_), None) => (Err("the chain has no nodes".to_owned()), Vec::new()),
    };
    if let Err(error) = &read {
        warnings.push(format!("reserves: {error}; serve starts all the same and does not quote until they are read"));
    }
    Ok((read.ok(), warnings))
}

/// # Errors
/// In words, for reserves that cannot be read and for assets that the pool holds nothing of.
async fn read(rpc: &ChainRpc, pool: &PoolConfig) -> Result<PoolState, String> {
    let PoolReserves { balances, pool_tokens, .. } =
        read_reserves(rpc, pool.id()).await.map_err(|error| error.to_string())?;
    let reserves = Reserves { balances, pool_tokens };
    let assets = pool.pool.spec().assets.iter();
    let amounts: Option<Vec<Amount>> = assets.map(|asset| Amount::new(reserves.balance_of(asset.address))).collect();
    let amounts = amounts.ok_or("the pool holds none of one of its assets")?;
    Ok(pool.at_written_prices(&amounts, pool_tokens))
}
