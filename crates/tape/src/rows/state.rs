//! States of pools on which requests were priced.

use arrow_schema::ArrowError;
use firmquote_domain::{
    Amount, BasisPoints, FeeAdjustment, PoolId, Price, StateId, Symbol, Timestamp, TokenFlows, U256, Usd, Volatility,
};

use super::table::{Table, TableRow};
use crate::{Row, columns::Batch, columns::Columns};

/// A state of a pool on which requests of the same segment were priced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRow {
    /// When the first request of the segment was priced on it.
    pub time: Timestamp,
    /// Identifies the row: a hash of everything else but the time, in hexadecimal digits.
    pub id: String,
    /// The pool.
    pub pool: PoolId,
    /// The state as in quotes, which does not tell until when prices and reserves are trusted.
    pub state_id: StateId,
    /// The block of the reserves; `None` for reserves that are not read from a chain.
    pub block: Option<u64>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
    /// The pool value to which limits refer.
    pub pool_value: Usd,
    /// The assets, in the pool's order.
    pub assets: Vec<RecordedAsset>,
    /// The pairs, in the pool's order.
    pub pairs: Vec<RecordedPair>,
    /// What breakers add to the fees.
    pub fee_increase: BasisPoints,
    /// How the fees are adjusted for the client.
    pub fee_adjustment: FeeAdjustment,
}

/// An asset in a [`StateRow`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedAsset {
    /// The asset.
    pub symbol: Symbol,
    /// The reserve in base units; `None` if it was not trusted.
    pub reserve: Option<Amount>,
    /// The time of the reserve; `None` for one without time.
    pub reserve_time: Option<Timestamp>,
    /// Until when the reserve is trusted; `None` for one that never expires.
    pub reserve_until: Option<Timestamp>,
    /// The price; `None` if it was not trusted.
    pub price: Option<Price>,
    /// The time of the price; `None` for one without time.
    pub price_time: Option<Timestamp>,
    /// Until when the price is trusted; `None` for one that never expires.
    pub price_until: Option<Timestamp>,
    /// The rule that the price, otherwise the reserve, breaks.
    pub rejection: Option<String>,
    /// The flows that may move the reserve against a swap, in base units.
    pub flows: TokenFlows,
}

/// A pair in a [`StateRow`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPair {
    /// Its assets.
    pub symbols: [Symbol; 2],
    /// The annual volatility that fees are computed with; `None` for the configured one.
    pub volatility: Option<Volatility>,
    /// The estimate of it.
    pub estimate: Option<Volatility>,
}

impl Row for RecordedAsset {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        let price = |row: &Self| row.price.map(|price| price.to_string());
        Ok(Columns::new(rows)
            .text("symbol", |row| &row.symbol)
            .optional_text("reserve", |row| row.reserve)
            .optional_time("reserve_time", |row| row.reserve_time)
            .optional_time("reserve_until", |row| row.reserve_until)
            .optional_text("price", price)
            .float("price_float", price)
            .optional_time("price_time", |row| row.price_time)
            .optional_time("price_until", |row| row.price_until)
            .optional_text("rejection", |row| row.rejection.as_ref())
            .text("inflow", |row| row.flows.inflow)
            .text("outflow", |row| row.flows.outflow))
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (symbol, rejection) = (batch.texts("symbol")?, batch.texts("rejection")?);
        let (reserve, price) = (batch.texts("reserve")?, batch.texts("price")?);
        let (reserve_time, reserve_until) = (batch.times("reserve_time")?, batch.times("reserve_until")?);
        let (price_time, price_until) = (batch.times("price_time")?, batch.times("price_until")?);
        let (inflow, outflow) = (batch.texts("inflow")?, batch.texts("outflow")?);
        batch.rows(|index| {
            Ok(Self {
                symbol: symbol.required(symbol.parse(index)?)?,
                reserve: reserve.parse(index)?,
                reserve_time: reserve_time.get(index),
                reserve_until: reserve_until.get(index),
                price: price.parse(index)?,
                price_time: price_time.get(index),
                price_until: price_until.get(index),
                rejection: rejection.get(index).map(str::to_owned),
                flows: TokenFlows {
                    inflow: inflow.required(inflow.parse(index)?)?,
                    outflow: outflow.required(outflow.parse(index)?)?,
                },
            })
        })
    }
}

impl Row for RecordedPair {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        Ok(Columns::new(rows)
            .text("first", |row| &row.symbols[0])
            .text("second", |row| &row.symbols[1])
            .optional_text("volatility", |row| row.volatility)
            .optional_text("estimate", |row| row.estimate))
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (first, second) = (batch.texts("first")?, batch.texts("second")?);
        let (volatility, estimate) = (batch.texts("volatility")?, batch.texts("estimate")?);
        batch.rows(|index| {
            Ok(Self {
                symbols: [first.required(first.parse(index)?)?, second.required(second.parse(index)?)?],
                volatility: volatility.parse(index)?,
                estimate: estimate.parse(index)?,
            })
        })
    }
}

impl Row for StateRow {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        Ok(Columns::new(rows)
            .time("time", |row| row.time)
            .text("id", |row| &row.id)
            .text("pool", |row| row.pool)
            .text("state_id", |row| row.state_id)
            .optional_number("block", |row| row.block)
            .text("pool_tokens", |row| row.pool_tokens)
            .text("pool_value", |row| row.pool_value)
            .list("assets", |row| row.assets.clone())?
            .list("pairs", |row| row.pairs.clone())?
            .text("fee_increase", |row| row.fee_increase)
            .text("fee_adjustment", |row| row.fee_adjustment))
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (time, id, block) = (batch.times("time")?, batch.texts("id")?, batch.numbers("block")?);
        let (pool, state_id) = (batch.texts("pool")?, batch.texts("state_id")?);
        let (pool_tokens, pool_value) = (batch.texts("pool_tokens")?, batch.texts("pool_value")?);
        let (fee_increase, fee_adjustment) = (batch.texts("fee_increase")?, batch.texts("fee_adjustment")?);
        let (mut assets, mut pairs) = (batch.row_lists("assets")?.into_iter(), batch.row_lists("pairs")?.into_iter());
        let mut rows = batch.rows(|index| {
            Ok(Self {
                time: time.required(time.get(index))?,
                id: id.required(id.get(index))?.to_owned(),
                pool: pool.required(pool.parse(index)?)?,
                state_id: state_id.required(state_id.parse(index)?)?,
                block: block.get(index),
                pool_tokens: pool_tokens.required(pool_tokens.parse(index)?)?,
                pool_value: pool_value.required(pool_value.parse(index)?)?,
                assets: Vec::new(),
                pairs: Vec::new(),
                fee_increase: fee_increase.parse(index)?.unwrap_or_default(),
                fee_adjustment: fee_adjustment.parse(index)?.unwrap_or_default(),
            })
        })?;
        for row in &mut rows {
            row.assets = assets.next().unwrap_or_default();
            row.pairs = pairs.next().unwrap_or_default();
        }
        Ok(rows)
    }
}

impl TableRow for StateRow {
    const TABLE: Table = Table::States;
}
