//! `[[pool.asset]]`: the tokens of a pool, with their price and reserve.

use firmquote_domain::{Amount, Asset, Decimals, Price, Symbol, Weight};

use crate::document::{
    error::KeyError,
    reader::{Field, Keys, Table},
};

pub(super) const KEYS: Keys =
    Keys::new(&["symbol", "address", "decimals", "weight", "reserve", "price_usd", "confirm_price_usd"]);

/// The configured state of an asset: its price and reserve.
pub(super) struct AssetValues {
    /// `price_usd`.
    pub(super) price: Price,
    /// `confirm_price_usd`.
    pub(super) confirmed_price: Option<Price>,
    /// `reserve`; `None` if it is read from the chain.
    pub(super) reserve: Option<Amount>,
}

/// Reads a table. All keys are required, except `reserve` with `reserves = "chain"` and `confirm_price_usd`: `symbol`,
/// 1 to 32 printable ASCII characters without blanks; `address` of the token, the wrapped-native one for the native
/// coin; `decimals`, 0 to 24; `weight`, 1 to 65535; `reserve` in base units, 1 to 2^256 - 1; `price_usd` of one whole
/// token, 0.00000001 to 184467440737.09551615 USD; `confirm_price_usd`, the same number repeated to confirm an edit
/// that moves it far.
///
/// # Errors
/// [`KeyError`] for the first invalid key.
pub(super) fn read(table: &Table<'_>, is_on_chain: bool) -> Result<(Asset, AssetValues), KeyError> {
    let asset = Asset {
        symbol: table.field("symbol").value(Symbol::new)?,
        address: table.field("address").contract()?,
        decimals: within(&table.field("decimals"), 0, u64::from(Decimals::MAX), Decimals::new)?,
        weight: within(&table.field("weight"), 1, u64::from(u16::MAX), Weight::new)?,
    };
    let price = table.field("price_usd").decimal(Price::from_decimal)?;
    let reserve = table.field("reserve");
    let reserve = match is_on_chain && !reserve.is_present() {
        true => None,
        false => Some(reserve.base_units(str::parse::<Amount>)?),
    };
    let confirmed_price = table.field("confirm_price_usd").optional(|field| field.decimal(Price::from_decimal))?;
    Ok((asset, AssetValues { price, confirmed_price, reserve }))
}

/// Reads an integer as a domain value, which accepts it if it is in range.
fn within<N: TryFrom<u64>, T>(field: &Field<'_>, min: u64, max: u64, new: fn(N) -> Option<T>) -> Result<T, KeyError> {
    let value = new(field.integer(min..=max, "")?);
    value.ok_or_else(|| field.not_allowed(format!("{min} to {max}")))
}
