//! The state of the pools according to the nodes, queried once for an interactive check.

use firmquote_config::{Config, PoolConfig, ReservesConfig};
use firmquote_domain::Amount;
use firmquote_market::{
    PoolState, Reserves,
    chain::{ChainRpc, PoolReserves, read_reserves},
};

use super::{Chains, verification::verify};
use crate::{Error, inspection::ChainInspection};

/// Verifies every pool whose chain has nodes, and reads the on-chain reserves.
///
/// # Errors
/// For a pool that would not be quoted because it does not match its configuration, with all mismatches.
pub(crate) async fn inspect(config: &Config, chains: &Chains) -> Result<ChainInspection, Error> {
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
        Some(rpc) => verify(rpc, pool).await,
        None => Ok(Ok(Vec::new())),
    };
    let address =
        |unverified: Vec<String>| unverified.into_iter().map(|unverified| format!("address: {unverified}")).collect();
    if let ReservesConfig::Static(reserves, pool_tokens) = &pool.reserves {
        let warnings = match verified? {
            Err(error) => vec![format!("address: cannot verify that the pool matches its configuration: {error}")],
            Ok(unverified) => address(unverified),
        };
        return Ok((Some(pool.state_at_config_prices(reserves, *pool_tokens)), warnings));
    }
    let (read, mut warnings): (_, Vec<String>) = match (verified?, rpc) {
        (Ok(unverified), Some(rpc)) => (read(rpc, pool).await, address(unverified)),
        (Err(error), _) => (Err(error.to_string()), Vec::new()),
        (Ok(_), None) => (Err("the chain has no nodes".to_owned()), Vec::new()),
    };
    if let Err(error) = &read {
        warnings.push(format!("reserves: {error}; serve starts anyway and does not quote until they are read"));
    }
    Ok((read.ok(), warnings))
}

/// # Errors
/// A message for reserves that cannot be read, or for a pool that holds none of one of its assets.
async fn read(rpc: &ChainRpc, pool: &PoolConfig) -> Result<PoolState, String> {
    let PoolReserves { balances, pool_tokens, block_number, .. } =
        read_reserves(rpc, pool.id()).await.map_err(|error| error.to_string())?;
    let reserves = Reserves { balances, block: Some(block_number), pool_tokens, ..Reserves::default() };
    let assets = pool.pool.spec().assets.iter();
    let amounts: Option<Vec<Amount>> = assets.map(|asset| Amount::new(reserves.balance_of(asset.address))).collect();
    let amounts = amounts.ok_or("the pool holds none of one of its assets")?;
    Ok(pool.state_at_config_prices(&amounts, pool_tokens))
}
