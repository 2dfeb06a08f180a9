//! `[[pool.pair]]`: which assets of a pool trade against each other, and what that costs.

use firmquote_domain::{BasisPoints, FeeCurve, Pair, Symbol, Volatility};

use super::{
    error::Mistake,
    reader::{Field, Keys, Table},
};

pub(super) const KEYS: Keys = Keys::new(&["assets", "base_fee_bps", "annual_volatility"]);

/// Reads a table, in which all keys are required: `assets`, two symbols in either order; `base_fee_bps`, 0 to below
/// 10000 basis points, two decimals; `annual_volatility` of the exchange rate, a fraction, 0 to 10, eight decimals.
///
/// # Errors
/// [`Mistake`] for the first key that is wrong.
pub(super) fn read(table: &Table<'_>) -> Result<Pair, Mistake> {
    Ok(Pair {
        assets: symbols(&table.field("assets"))?,
        fee: FeeCurve {
            base: table.field("base_fee_bps").decimal(BasisPoints::from_decimal)?,
            annual_volatility: table.field("annual_volatility").decimal(Volatility::from_decimal)?,
        },
    })
}

fn symbols(field: &Field<'_>) -> Result<[Symbol; 2], Mistake> {
    let entries = field.list("two symbols")?;
    let symbols = entries.iter().map(|entry| entry.value(Symbol::new)).collect::<Result<Vec<_>, _>>()?;
    symbols.try_into().map_err(|_| field.not_allowed("an array of two symbols"))
}
