//! What quotes and signatures of a pool follow, as a [`PoolSpec`].

use firmquote_domain::{Asset, BasisPoints, Pair, PoolId, PoolSpec, SettlementCheck, SigningDomain, Usd};

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

/// Default `max_time_in_seconds`: the option that a longer one gives away may be worth more than the fee.
const MAX_TIME_IN_SECONDS: u32 = 120;

/// Default `min_trade_usd`: 0.10 USD.
const MIN_TRADE: Usd = Usd::new(10_000_000);

/// Returns the specification of a table with these assets and pairs. Its values are not compared with each other.
pub(super) fn new(table: PoolTable, chain: &ChainConfig, assets: Vec<Asset>, pairs: Vec<Pair>) -> PoolSpec {
    let default_time = table.default_time_in_seconds.value_or(60);
    let half = Share(BasisPoints::from_hundredths(BasisPoints::SCALE / 2).unwrap_or_default());
    PoolSpec {
        id: PoolId { chain_id: chain.id, address: table.address.0 },
        domain: SigningDomain { name: table.domain.name.0, version: table.domain.version.0 },
        good_until: table.good_until.0,
        chain_name: chain.name.clone(),
        native_symbol: chain.native_symbol.clone(),
        wrapped_native: chain.wrapped_native,
        k: table.k.0,
        max_improvement: table.max_improvement_bps.value().and_then(|BasisPointsLimit(bound)| bound),
        acceptance_window_seconds: table.acceptance_window_seconds.value_or(12),
        min_time_in_seconds: table.min_time_in_seconds.value_or(1),
        default_time_in_seconds: default_time,
        max_time_in_seconds: table.max_time_in_seconds.value_or(default_time.max(MAX_TIME_IN_SECONDS)),
        last_look_tolerance: table.last_look_tolerance_bps.value_or(BasisPoints::default()),
        min_trade: table.min_trade_usd.value_or(MIN_TRADE),
        settlement: table.settlement.value_or(SettlementCheck::default()),
        single_use: table.single_use.unwrap_or(false),
        min_fee_share: table.least_fee_share.value_or(half).0,
        swaps_enabled: table.swaps_enabled.unwrap_or(true),
        assets,
        pairs,
    }
}

/// Checks that an asset with the native coin's symbol is the wrapped-native token: clients use the symbol for the
/// native coin.
pub(super) fn check_native(pool: &KeyPath, chain: &ChainConfig, assets: &[Asset]) -> Result<(), KeyError> {
    let is_other = |asset: &Asset| asset.symbol == chain.native_symbol && asset.address != chain.wrapped_native;
    let Some((position, asset)) = assets.iter().enumerate().find(|(_, asset)| is_other(asset)) else { return Ok(()) };
    let allowed = format!("{}, wrapped_native of the chain, for the symbol of its native coin", chain.wrapped_native);
    Err(KeyError::not_allowed(pool.key("asset").index(position).key("address"), asset.address, allowed))
}
