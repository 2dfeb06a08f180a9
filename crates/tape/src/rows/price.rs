//! Prices of assets.

use arrow_schema::ArrowError;
use firmquote_domain::{Price, Symbol, Timestamp};

use super::table::{Table, TableRow};
use crate::{Row, columns::Batch, columns::Columns};

/// A price of an asset in US dollars: once a second, and whenever the composite price has moved by a basis point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceRow {
    /// When it was recorded.
    pub time: Timestamp,
    /// The asset.
    pub symbol: Symbol,
    /// The source; `None` for the composite price, which quotes use.
    pub source: Option<String>,
    /// The price; `None` if there is none, or if the composite price is not trusted.
    pub price: Option<Price>,
    /// The time of the price, as its source states it; `None` for a price without time.
    pub observed_at: Option<Timestamp>,
    /// The rule that is broken, if the price is not trusted.
    pub rejection: Option<String>,
}

impl Row for PriceRow {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        let price = |row: &Self| row.price.map(|price| price.to_string());
        Ok(Columns::new(rows)
            .time("time", |row| row.time)
            .text("symbol", |row| &row.symbol)
            .optional_text("source", |row| row.source.as_ref())
            .optional_text("price", price)
            .float("price_float", price)
            .optional_time("observed_at", |row| row.observed_at)
            .optional_text("rejection", |row| row.rejection.as_ref()))
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (time, observed_at) = (batch.times("time")?, batch.times("observed_at")?);
        let (symbol, source) = (batch.texts("symbol")?, batch.texts("source")?);
        let (price, rejection) = (batch.texts("price")?, batch.texts("rejection")?);
        batch.rows(|index| {
            Ok(Self {
                time: time.required(time.get(index))?,
                symbol: symbol.required(symbol.parse(index)?)?,
                source: source.get(index).map(str::to_owned),
                price: price.parse(index)?,
                observed_at: observed_at.get(index),
                rejection: rejection.get(index).map(str::to_owned),
            })
        })
    }
}

impl TableRow for PriceRow {
    const TABLE: Table = Table::Prices;
}
