//! What quotes and signatures of a pool follow, as a [`PoolSpec`].

use firmquote_domain::{Asset, Pair, PoolId, PoolSpec, SigningDomain};

use super::table::PoolTable;
use crate::{
    ChainConfig,
    document::{
        error::KeyError,
        path::KeyPath,
        values::{
            decimal::{BasisPointsLimit, Share},
            setting::OptionalSetting as _,
        },
    },
};

/// Returns the specification of a table with these assets and pairs. Its values are not compared with each other.
pub(super) fn new(table: PoolTable, chain: &ChainConfig, assets: Vec<Asset>, pairs: Vec<Pair>) -> PoolSpec {
    let id = PoolId { chain_id: chain.id, address: table.address.0 };
    let domain = SigningDomain { name: table.domain.name.0, version: table.domain.version.0 };
    let defaults = PoolSpec::new(id, chain.chain.clone(), domain, table.good_until.0, table.k.0, assets, pairs);
    let default_time = table.default_time_in_seconds.value_or(defaults.default_time_in_seconds);
    PoolSpec {
        max_improvement: table.max_improvement_bps.value().and_then(|BasisPointsLimit(bound)| bound),
        acceptance_window_seconds: table.acceptance_window_seconds.value_or(defaults.acceptance_window_seconds),
        min_time_in_seconds: table.min_time_in_seconds.value_or(defaults.min_time_in_seconds),
        default_time_in_seconds: default_time,
        max_time_in_seconds: table.max_time_in_seconds.value_or(default_time.max(defaults.max_time_in_seconds)),
        last_look_tolerance: table.last_look_tolerance_bps.value_or(defaults.last_look_tolerance),
        min_trade: table.min_trade_usd.value_or(defaults.min_trade),
        settlement: table.settlement.value_or(defaults.settlement),
        single_use: table.single_use.unwrap_or(defaults.single_use),
        min_fee_share: table.least_fee_share.value_or(Share(defaults.min_fee_share)).0,
        swaps_enabled: table.swaps_enabled.unwrap_or(defaults.swaps_enabled),
        ..defaults
    }
}

/// Checks that an asset with the native coin's symbol is the wrapped-native token: clients use the symbol for the
/// native coin.
pub(super) fn check_native(pool: &KeyPath, chain: &ChainConfig, assets: &[Asset]) -> Result<(), KeyError> {
    let is_other =
        |asset: &Asset| asset.symbol == chain.chain.native_symbol && asset.address != chain.chain.wrapped_native;
    let Some((position, asset)) = assets.iter().enumerate().find(|(_, asset)| is_other(asset)) else { return Ok(()) };
    let allowed =
        format!("{}, wrapped_native of the chain, for the symbol of its native coin", chain.chain.wrapped_native);
    Err(KeyError::not_allowed(pool.key("asset").index(position).key("address"), asset.address, allowed))
}
