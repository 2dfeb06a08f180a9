//! `[[pool.pair]]`: the tradable pairs of a pool and their fees.

use firmquote_domain::{BasisPoints, FeeCurve, Pair, Symbol, Volatility};
use firmquote_market::VolatilityParameters;
use serde::Deserialize;

use crate::document::{
    error::KeyError,
    field::Field,
    values::{
        array::{Array, Plural},
        decimal::Decimal,
        integer::{Integer, Second},
        setting::OptionalSetting as _,
    },
};

/// A `[[pool.pair]]`.
#[derive(Deserialize)]
pub(super) struct PairTable {
    assets: Array<Symbol>,
    base_fee_bps: Decimal<BasisPoints>,
    /// Of the exchange rate, as a fraction.
    annual_volatility: Decimal<Volatility>,
    /// With it, the volatility is estimated, within the following bounds.
    volatility_half_life_seconds: Option<Integer<u32, 1, WEEK_SECONDS, Second>>,
    volatility_floor: Option<Decimal<Volatility>>,
    volatility_ceiling: Option<Decimal<Volatility>>,
}

const WEEK_SECONDS: u64 = 7 * 24 * 3_600;

impl Plural for Symbol {
    const PLURAL: &'static str = "two symbols";
}

/// Returns the pair of the table at `field`, and how its volatility is estimated, if it is.
///
/// # Errors
/// [`KeyError`] for another number of assets than two, and for missing, contradicting and ineffective bounds.
pub(super) fn read(table: PairTable, field: &Field<'_>) -> Result<(Pair, Option<VolatilityParameters>), KeyError> {
    let bounds = (table.volatility_floor, table.volatility_ceiling);
    let estimate = match table.volatility_half_life_seconds.value() {
        Some(half_life_seconds) => Some(parameters(half_life_seconds, bounds, field)?),
        None => {
            let ineffective = ["volatility_floor", "volatility_ceiling"];
            field.refuse(ineffective, "only with volatility_half_life_seconds")?;
            None
        }
    };
    let assets = <[Symbol; 2]>::try_from(table.assets.0)
        .map_err(|_| field.key("assets").not_allowed("an array of two symbols"))?;
    let fee = FeeCurve { base: table.base_fee_bps.0, annual_volatility: table.annual_volatility.0 };
    Ok((Pair { assets, fee }, estimate))
}

fn parameters(
    half_life_seconds: u32,
    (floor, ceiling): (Option<Decimal<Volatility>>, Option<Decimal<Volatility>>),
    field: &Field<'_>,
) -> Result<VolatilityParameters, KeyError> {
    let floor_field = field.key("volatility_floor");
    let Some(floor) = floor.value() else {
        return Err(floor_field.not_allowed("above 0 and at most volatility_ceiling"));
    };
    let ceiling = ceiling.required(&field.key("volatility_ceiling"))?;
    if floor > ceiling || floor == Volatility::default() {
        return Err(floor_field.not_allowed(format!("above 0 and at most volatility_ceiling ({ceiling})")));
    }
    Ok(VolatilityParameters { half_life_seconds, floor, ceiling })
}
