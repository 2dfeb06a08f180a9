//! Requests to quote and sign.

use arrow_schema::ArrowError;
use firmquote_domain::{
    Address, Amount, BasisPoints, ChainId, LevelsId, PoolId, QuoteId, StateId, SwapAmount, Symbol, Timestamp, U256, Usd,
};
use strum::{EnumString, IntoStaticStr};

use super::table::{Table, TableRow};
use crate::{Row, columns::Batch, columns::Columns, columns::invalid};

/// A request to quote or sign, with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestRow {
    /// When it was received: the time at which it was priced.
    pub time: Timestamp,
    /// How long it took, in microseconds, without reading and writing HTTP.
    pub duration_us: u64,
    /// The hash of the configuration.
    pub configuration: String,
    /// The client; `None` without credentials.
    pub client: Option<String>,
    /// What was requested.
    pub operation: RequestOperation,
    /// The chain; `None` of a signature, as for everything else that a quote is requested with.
    pub chain_id: Option<ChainId>,
    /// The input asset; [`RequestRow::UNLISTED`] for a symbol that no pool lists.
    pub input: Option<Symbol>,
    /// The output asset, likewise.
    pub output: Option<Symbol>,
    /// The fixed amount in base units.
    pub amount: Option<SwapAmount>,
    /// Seconds between accepting and landing on chain, if the client named them.
    pub time_in_seconds: Option<u32>,
    /// The pool, if the client named one.
    pub pool_address: Option<Address>,
    /// The firm levels, if the client named some.
    pub levels_id: Option<LevelsId>,
    /// The states of all pools that were considered, by [`StateRow::id`](crate::StateRow::id).
    pub states: Vec<String>,
    /// The name of the refusal; `None` if the request was served.
    pub refusal: Option<String>,
    /// The quote; of a signature also one that was refused.
    pub quote_id: Option<QuoteId>,
    /// What was served.
    pub quote: Option<RecordedQuote>,
    /// How the firm levels were used, if the request was priced at some.
    pub levels: Option<RecordedLevelsUse>,
}

/// How a request used the firm levels that it was priced at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedLevelsUse {
    /// Until when the levels held: with their id, this names a [`LevelsRow`](crate::LevelsRow).
    pub valid_until: Timestamp,
    /// What other quotes of the client use of them, in base units of the input.
    pub used: U256,
}

/// The quote that a request was served with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedQuote {
    /// The pool.
    pub pool: PoolId,
    /// The state, as in the quote.
    pub state_id: StateId,
    /// The input in base units.
    pub input_amount: Amount,
    /// The output in base units.
    pub output_amount: Amount,
    /// The fee in basis points.
    pub fee: BasisPoints,
    /// Seconds between accepting and landing on chain.
    pub time_in_seconds: u32,
    /// The `good_until` of the contract.
    pub good_until: U256,
    /// The value of the input at the price of the quote, rounded down.
    pub value: Usd,
    /// The output of the levels for the input, in base units; `None` without firm levels.
    pub levels_output: Option<Amount>,
}

/// What was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum RequestOperation {
    /// A quote.
    Quote,
    /// A quote to replace one that conflicts with latest prices, made by the service itself.
    Requote,
    /// A quote, signed at once.
    QuoteSign,
    /// The signature of a quote.
    Sign,
}

impl RequestOperation {
    /// Returns the name in the table.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl RequestRow {
    /// Stands for a symbol that no pool lists: what clients make up is not recorded.
    pub const UNLISTED: &'static str = "other";
}

/// The names of the sides of a swap.
const SIDES: [&str; 2] = ["input", "output"];

impl Row for RequestRow {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        let side = |amount: SwapAmount| match amount {
            SwapAmount::ExactInput(amount) => (SIDES[0], amount),
            SwapAmount::ExactOutput(amount) => (SIDES[1], amount),
        };
        let quote = |row: &Self| row.quote.clone();
        Ok(Columns::new(rows)
            .time("time", |row| row.time)
            .number("duration_us", |row| row.duration_us)
            .text("configuration", |row| &row.configuration)
            .optional_text("client", |row| row.client.as_ref())
            .text("operation", |row| row.operation.name())
            .optional_number("chain_id", |row| row.chain_id.map(ChainId::get))
            .optional_text("input", |row| row.input.as_ref())
            .optional_text("output", |row| row.output.as_ref())
            .optional_text("side", |row| row.amount.map(|amount| side(amount).0))
            .optional_text("amount", |row| row.amount.map(|amount| side(amount).1))
            .optional_number("time_in_seconds", |row| row.time_in_seconds.map(u64::from))
            .optional_text("pool_address", |row| row.pool_address)
            .optional_text("levels_id", |row| row.levels_id)
            .texts("states", |row| &row.states)
            .optional_text("refusal", |row| row.refusal.as_ref())
            .optional_text("quote_id", |row| row.quote_id)
            .optional_text("pool", |row| quote(row).map(|quote| quote.pool))
            .optional_text("state_id", |row| quote(row).map(|quote| quote.state_id))
            .optional_text("input_amount", |row| quote(row).map(|quote| quote.input_amount))
            .optional_text("output_amount", |row| quote(row).map(|quote| quote.output_amount))
            .optional_text("fee_bps", |row| quote(row).map(|quote| quote.fee))
            .optional_number("quoted_time_in_seconds", |row| quote(row).map(|quote| quote.time_in_seconds.into()))
            .optional_text("good_until", |row| quote(row).map(|quote| quote.good_until))
            .optional_text("value", |row| quote(row).map(|quote| quote.value))
            .float("value_float", |row| Some(quote(row)?.value.to_string()))
            .optional_time("levels_valid_until", |row| Some(row.levels?.valid_until))
            .optional_text("levels_used", |row| Some(row.levels?.used))
            .optional_text("levels_output", |row| quote(row)?.levels_output))
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (time, duration_us, states) =
            (batch.times("time")?, batch.numbers("duration_us")?, batch.text_lists("states")?);
        let (configuration, client) = (batch.texts("configuration")?, batch.texts("client")?);
        let (operation, chain_id) = (batch.texts("operation")?, batch.numbers("chain_id")?);
        let (input, output) = (batch.texts("input")?, batch.texts("output")?);
        let (side, amount) = (batch.texts("side")?, batch.texts("amount")?);
        let (time_in_seconds, pool_address) = (batch.numbers("time_in_seconds")?, batch.texts("pool_address")?);
        let (levels_id, refusal, quote_id) =
            (batch.texts("levels_id")?, batch.texts("refusal")?, batch.texts("quote_id")?);
        let (valid_until, used) = (batch.times("levels_valid_until")?, batch.texts("levels_used")?);
        let quotes = RecordedQuote::read(batch)?;
        let mut rows = batch.rows(|index| {
            let amount = match (side.get(index), amount.parse(index)?) {
                (Some("input"), Some(amount)) => Some(SwapAmount::ExactInput(amount)),
                (Some("output"), Some(amount)) => Some(SwapAmount::ExactOutput(amount)),
                (None, None) => None,
                _ => return Err(invalid("side")),
            };
            Ok(Self {
                time: time.required(time.get(index))?,
                duration_us: duration_us.required(duration_us.get(index))?,
                configuration: configuration.required(configuration.get(index))?.to_owned(),
                client: client.get(index).map(str::to_owned),
                operation: operation.required(operation.parse(index)?)?,
                chain_id: chain_id.get(index).and_then(ChainId::new),
                input: input.parse(index)?,
                output: output.parse(index)?,
                amount,
                time_in_seconds: seconds(time_in_seconds.get(index), "time_in_seconds")?,
                pool_address: pool_address.parse(index)?,
                levels_id: levels_id.parse(index)?,
                states: Vec::new(),
                refusal: refusal.get(index).map(str::to_owned),
                quote_id: quote_id.parse(index)?,
                quote: None,
                levels: valid_until
                    .get(index)
                    .zip(used.parse(index)?)
                    .map(|(valid_until, used)| RecordedLevelsUse { valid_until, used }),
            })
        })?;
        for ((row, states), quote) in rows.iter_mut().zip(states).zip(quotes) {
            (row.states, row.quote) = (states, quote);
        }
        Ok(rows)
    }
}

impl RecordedQuote {
    fn read(batch: &Batch<'_>) -> Result<Vec<Option<Self>>, ArrowError> {
        let (pool, state_id, fee) = (batch.texts("pool")?, batch.texts("state_id")?, batch.texts("fee_bps")?);
        let (input_amount, output_amount) = (batch.texts("input_amount")?, batch.texts("output_amount")?);
        let (time, good_until) = (batch.numbers("quoted_time_in_seconds")?, batch.texts("good_until")?);
        let (value, levels_output) = (batch.texts("value")?, batch.texts("levels_output")?);
        batch.rows(|index| {
            let Some(pool) = pool.parse(index)? else { return Ok(None) };
            Ok(Some(Self {
                pool,
                state_id: state_id.required(state_id.parse(index)?)?,
                input_amount: input_amount.required(input_amount.parse(index)?)?,
                output_amount: output_amount.required(output_amount.parse(index)?)?,
                fee: fee.required(fee.parse(index)?)?,
                time_in_seconds: time.required(seconds(time.get(index), "quoted_time_in_seconds")?)?,
                good_until: good_until.required(good_until.parse(index)?)?,
                value: value.required(value.parse(index)?)?,
                levels_output: levels_output.parse(index)?,
            }))
        })
    }
}

fn seconds(number: Option<u64>, name: &str) -> Result<Option<u32>, ArrowError> {
    number.map(|number| u32::try_from(number).map_err(|_| invalid(name))).transpose()
}

impl TableRow for RequestRow {
    const TABLE: Table = Table::Requests;
}
