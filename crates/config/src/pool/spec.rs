//! The keys of a `[[pool]]` that quotes and signatures follow, as a [`PoolSpec`].

use firmquote_domain::{
    Asset, BasisPoints, GoodUntilKind, InvalidValue, Pair, PoolConstant, PoolId, PoolSpec, SettlementCheck,
    SigningDomain, Usd, parse_decimal,
};

use crate::{
    ChainConfig,
    document::{
        error::KeyError,
        path::KeyPath,
        reader::{Field, Keys, Table},
    },
};

/// Default `max_time_in_seconds`: the option that a longer one gives away may be worth more than the fee.
const MAX_TIME_IN_SECONDS: u32 = 120;

/// Default `min_trade_usd`: 0.10 USD.
const MIN_TRADE: Usd = Usd::new(10_000_000);

/// The values of `settlement`.
const SETTLEMENTS: [(&str, SettlementCheck); 2] =
    [("curve", SettlementCheck::Curve), ("price", SettlementCheck::Price)];

/// Reads the keys of a table with these assets and pairs.
///
/// # Errors
/// [`KeyError`] for the first invalid key. The values are not compared with each other.
pub(super) fn read(
    table: &Table<'_>,
    chain: &ChainConfig,
    assets: Vec<Asset>,
    pairs: Vec<Pair>,
) -> Result<PoolSpec, KeyError> {
    let time = |key, default, max| table.field(key).or(default, |field| field.integer(1..=max, " seconds"));
    let kinds = [GoodUntilKind::Verified, GoodUntilKind::Plain].map(|kind| (kind.name(), kind));
    let default_time = time("default_time_in_seconds", 60, 86_400)?;
    Ok(PoolSpec {
        id: PoolId { chain_id: chain.id, address: table.field("address").contract()? },
        domain: domain(table.field("domain"))?,
        good_until: table.field("good_until").word(&kinds)?,
        chain_name: chain.name.clone(),
        native_symbol: chain.native_symbol.clone(),
        wrapped_native: chain.wrapped_native,
        k: table.field("k").decimal(PoolConstant::from_decimal)?,
        acceptance_window_seconds: time("acceptance_window_seconds", 12, 3_600)?,
        min_time_in_seconds: time("min_time_in_seconds", 1, 86_400)?,
        default_time_in_seconds: default_time,
        max_time_in_seconds: time("max_time_in_seconds", default_time.max(MAX_TIME_IN_SECONDS), 86_400)?,
        last_look_tolerance: table
            .field("last_look_tolerance_bps")
            .or(BasisPoints::default(), |field| field.decimal(BasisPoints::from_decimal))?,
        min_trade: table.field("min_trade_usd").or(MIN_TRADE, |field| field.decimal(Usd::from_decimal))?,
        settlement: table.field("settlement").or(SettlementCheck::default(), |field| field.word(&SETTLEMENTS))?,
        single_use: table.field("single_use").or(false, |field| field.boolean())?,
        min_fee_share: table.field("least_fee_share").or(half(), |field| field.decimal(share))?,
        swaps_enabled: table.field("swaps_enabled").or(true, |field| field.boolean())?,
        assets,
        pairs,
    })
}

/// Checks that an asset with the native coin's symbol is the wrapped-native token: clients use the symbol for the
/// native coin.
pub(super) fn check_native(pool: &KeyPath, chain: &ChainConfig, assets: &[Asset]) -> Result<(), KeyError> {
    let is_other = |asset: &Asset| asset.symbol == chain.native_symbol && asset.address != chain.wrapped_native;
    let Some((position, asset)) = assets.iter().enumerate().find(|(_, asset)| is_other(asset)) else { return Ok(()) };
    let allowed = format!("{}, wrapped_native of the chain, for the symbol of its native coin", chain.wrapped_native);
    Err(KeyError::not_allowed(pool.key("asset").index(position).key("address"), asset.address, allowed))
}

fn domain(field: Field<'_>) -> Result<SigningDomain, KeyError> {
    let table = field.table(&Keys::new(&["name", "version"]))?;
    Ok(SigningDomain { name: table.field("name").label(128)?, version: table.field("version").label(128)? })
}

/// Default `least_fee_share`.
fn half() -> BasisPoints {
    BasisPoints::from_hundredths(BasisPoints::SCALE / 2).unwrap_or_default()
}

/// Parses a share from 0 to below 1.
fn share(text: &str) -> Result<BasisPoints, InvalidValue> {
    const RANGE: InvalidValue = InvalidValue::OutOfRange { allowed: "0 or more and below 1" };
    match parse_decimal(text, 6)? {
        (_, true) => Err(InvalidValue::TooPrecise { allowed: "6 decimals" }),
        (share, false) => u32::try_from(share).ok().and_then(BasisPoints::from_hundredths).ok_or(RANGE),
    }
}
