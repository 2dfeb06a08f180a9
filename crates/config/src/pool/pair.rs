//! `[[pool.pair]]`: the tradable pairs of a pool and their fees.

use firmquote_domain::{BasisPoints, FeeCurve, Pair, Symbol, Volatility};
use firmquote_market::VolatilityParameters;

use crate::document::{
    error::KeyError,
    reader::{Field, Keys, Table, refuse_present},
};

pub(super) const KEYS: Keys = Keys::new(&[
    "assets",
    "base_fee_bps",
    "annual_volatility",
    "volatility_half_life_seconds",
    "volatility_floor",
    "volatility_ceiling",
]);

/// Reads a table: `assets`, two symbols in either order; `base_fee_bps`, 0 to below 10000 basis points, two decimals;
/// `annual_volatility` of the exchange rate, a fraction, 0 to 10, eight decimals; all required. With
/// `volatility_half_life_seconds`, 1 to 604800, the volatility is estimated, within `volatility_floor`, above 0, and
/// `volatility_ceiling`, which are then required.
///
/// # Errors
/// [`KeyError`] for the first invalid key.
pub(super) fn read(table: &Table<'_>) -> Result<(Pair, Option<VolatilityParameters>), KeyError> {
    let pair = Pair {
        assets: symbols(&table.field("assets"))?,
        fee: FeeCurve {
            base: table.field("base_fee_bps").decimal(BasisPoints::from_decimal)?,
            annual_volatility: table.field("annual_volatility").decimal(Volatility::from_decimal)?,
        },
    };
    Ok((pair, rule(table)?))
}

fn rule(table: &Table<'_>) -> Result<Option<VolatilityParameters>, KeyError> {
    const WEEK_SECONDS: u64 = 7 * 24 * 3_600;
    let half_life = table.field("volatility_half_life_seconds");
    let bounds = ["volatility_floor", "volatility_ceiling"].map(|key| table.field(key));
    if !half_life.is_present() {
        refuse_present(bounds, "only with volatility_half_life_seconds")?;
        return Ok(None);
    }
    let half_life_seconds = half_life.integer(1..=WEEK_SECONDS, " seconds")?;
    let [floor_field, ceiling] = bounds;
    if !floor_field.is_present() {
        return Err(floor_field.not_allowed("above 0 and at most volatility_ceiling"));
    }
    let ceiling = ceiling.decimal(Volatility::from_decimal)?;
    let floor = floor_field.decimal(Volatility::from_decimal)?;
    if floor > ceiling || floor == Volatility::default() {
        return Err(floor_field.not_allowed(format!("above 0 and at most volatility_ceiling ({ceiling})")));
    }
    Ok(Some(VolatilityParameters { half_life_seconds, floor, ceiling }))
}

fn symbols(field: &Field<'_>) -> Result<[Symbol; 2], KeyError> {
    let entries = field.list("two symbols")?;
    let symbols = entries.iter().map(|entry| entry.value(Symbol::new)).collect::<Result<Vec<_>, _>>()?;
    symbols.try_into().map_err(|symbols: Vec<Symbol>| {
        let listed: Vec<String> = symbols.iter().map(Symbol::to_string).collect();
        KeyError::not_allowed(field.path().clone(), listed.join("/"), "an array of two symbols")
    })
}
