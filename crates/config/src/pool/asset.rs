//! `[[pool.asset]]`: the tokens of a pool, with their price and reserve.

use firmquote_domain::{Address, Amount, Asset, Decimals, Price, Symbol, Weight};
use serde::Deserialize;

use crate::document::{
    error::KeyError,
    field::Field,
    values::{
        decimal::Decimal,
        integer::{AsInteger, BaseUnits},
        setting::{OptionalSetting as _, Setting},
        text::{Contract, Text},
    },
};

/// A `[[pool.asset]]`.
#[derive(Deserialize)]
pub(super) struct AssetTable {
    pub(super) symbol: Text<Symbol>,
    /// The token, the wrapped-native one for the native coin.
    pub(super) address: Setting<Address, Contract>,
    decimals: Setting<Decimals, AsInteger>,
    weight: Setting<Weight, AsInteger>,
    reserve: Option<BaseUnits<Amount>>,
    price_usd: Decimal<Price>,
    /// `price_usd` repeated, to confirm an edit that moves it far.
    confirm_price_usd: Option<Decimal<Price>>,
}

/// The configured state of an asset: its price and reserve.
pub(super) struct AssetValues {
    /// Its price.
    pub(super) price: Price,
    /// The price that confirms an edit.
    pub(super) confirmed_price: Option<Price>,
    /// Its reserve; `None` if it is read from the chain.
    pub(super) reserve: Option<Amount>,
}

/// Returns the asset of the table at `field`. Its reserve is required unless it is on chain.
///
/// # Errors
/// [`KeyError`] for a missing reserve.
pub(super) fn read(table: AssetTable, field: &Field<'_>, is_on_chain: bool) -> Result<(Asset, AssetValues), KeyError> {
    let reserve = match is_on_chain {
        true => table.reserve.value(),
        false => Some(table.reserve.required(&field.key("reserve"))?),
    };
    let asset =
        Asset { symbol: table.symbol.0, address: table.address.0, decimals: table.decimals.0, weight: table.weight.0 };
    let confirmed_price = table.confirm_price_usd.value();
    Ok((asset, AssetValues { price: table.price_usd.0, confirmed_price, reserve }))
}
