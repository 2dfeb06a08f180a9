//! Blocks of pools that are read from a chain.

use arrow_schema::ArrowError;
use firmquote_domain::{Address, B256, Decimals, PoolId, Symbol, Timestamp, U256};

use super::table::{Table, TableRow};
use crate::{Row, columns::Batch, columns::Columns, columns::invalid};

/// A block at which the balances of a pool were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockRow {
    /// When it was read.
    pub time: Timestamp,
    /// The pool.
    pub pool: PoolId,
    /// The number of the block.
    pub number: u64,
    /// Its hash.
    pub hash: B256,
    /// Its timestamp.
    pub block_time: Timestamp,
    /// The hash of the block that was read before, whose balances `swaps` lead from, also across a reorganization; `None`
    /// if that is not known: after a start, and after a reorganization that is too deep.
    pub follows: Option<B256>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
    /// The balance of each token.
    pub balances: Vec<RecordedBalance>,
    /// The swaps since the block that was read before, ours and others'.
    pub swaps: Vec<RecordedSwap>,
}

/// The balance of a token in a [`BlockRow`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedBalance {
    /// The token.
    pub token: Address,
    /// Its symbol and its decimals; `None` for a token that the service does not quote.
    pub asset: Option<(Symbol, Decimals)>,
    /// The balance in base units.
    pub balance: U256,
}

/// A swap in a [`BlockRow`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedSwap {
    /// Whether a reorganization undid it, which had been recorded before.
    pub is_undone: bool,
    /// The number of its block.
    pub block: u64,
    /// The hash of its transaction.
    pub transaction: B256,
    /// The position of its event in the block.
    pub log_index: u64,
    /// The token paid in.
    pub input_token: Address,
    /// The input in base units.
    pub input_amount: U256,
    /// The token paid out.
    pub output_token: Address,
    /// The output in base units.
    pub output_amount: U256,
}

/// The values of the column `change`.
const EXECUTED: &str = "executed";
const UNDONE: &str = "undone";

impl Row for RecordedBalance {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        Ok(Columns::new(rows)
            .text("token", |row| row.token)
            .optional_text("symbol", |row| row.asset.as_ref().map(|(symbol, _)| symbol.clone()))
            .optional_number("decimals", |row| row.asset.as_ref().map(|(_, decimals)| decimals.get().into()))
            .text("balance", |row| row.balance))
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (token, symbol, balance) = (batch.texts("token")?, batch.texts("symbol")?, batch.texts("balance")?);
        let decimals = batch.numbers("decimals")?;
        batch.rows(|index| {
            let known = decimals.get(index).and_then(|decimals| Decimals::new(u8::try_from(decimals).ok()?));
            Ok(Self {
                token: token.required(token.parse(index)?)?,
                asset: symbol.parse(index)?.zip(known),
                balance: balance.required(balance.parse(index)?)?,
            })
        })
    }
}

impl Row for RecordedSwap {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        Ok(Columns::new(rows)
            .text("change", |row| if row.is_undone { UNDONE } else { EXECUTED })
            .number("block", |row| row.block)
            .text("transaction", |row| row.transaction)
            .number("log_index", |row| row.log_index)
            .text("input_token", |row| row.input_token)
            .text("input_amount", |row| row.input_amount)
            .text("output_token", |row| row.output_token)
            .text("output_amount", |row| row.output_amount))
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (change, transaction) = (batch.texts("change")?, batch.texts("transaction")?);
        let (block, log_index) = (batch.numbers("block")?, batch.numbers("log_index")?);
        let (input_token, input_amount) = (batch.texts("input_token")?, batch.texts("input_amount")?);
        let (output_token, output_amount) = (batch.texts("output_token")?, batch.texts("output_amount")?);
        batch.rows(|index| {
            let is_undone = match change.get(index) {
                Some(EXECUTED) => false,
                Some(UNDONE) => true,
                _ => return Err(invalid("change")),
            };
            Ok(Self {
                is_undone,
                block: block.required(block.get(index))?,
                transaction: transaction.required(transaction.parse(index)?)?,
                log_index: log_index.required(log_index.get(index))?,
                input_token: input_token.required(input_token.parse(index)?)?,
                input_amount: input_amount.required(input_amount.parse(index)?)?,
                output_token: output_token.required(output_token.parse(index)?)?,
                output_amount: output_amount.required(output_amount.parse(index)?)?,
            })
        })
    }
}

impl Row for BlockRow {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        Columns::new(rows)
            .time("time", |row| row.time)
            .text("pool", |row| row.pool)
            .number("number", |row| row.number)
            .text("hash", |row| row.hash)
            .time("block_time", |row| row.block_time)
            .optional_text("follows", |row| row.follows)
            .text("pool_tokens", |row| row.pool_tokens)
            .list("balances", |row| row.balances.clone())?
            .list("swaps", |row| row.swaps.clone())
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (time, block_time, number) = (batch.times("time")?, batch.times("block_time")?, batch.numbers("number")?);
        let (pool, hash, follows) = (batch.texts("pool")?, batch.texts("hash")?, batch.texts("follows")?);
        let pool_tokens = batch.texts("pool_tokens")?;
        let (mut balances, mut swaps) =
            (batch.row_lists("balances")?.into_iter(), batch.row_lists("swaps")?.into_iter());
        let mut rows = batch.rows(|index| {
            Ok(Self {
                time: time.required(time.get(index))?,
                pool: pool.required(pool.parse(index)?)?,
                number: number.required(number.get(index))?,
                hash: hash.required(hash.parse(index)?)?,
                block_time: block_time.required(block_time.get(index))?,
                follows: follows.parse(index)?,
                pool_tokens: pool_tokens.required(pool_tokens.parse(index)?)?,
                balances: Vec::new(),
                swaps: Vec::new(),
            })
        })?;
        for row in &mut rows {
            row.balances = balances.next().unwrap_or_default();
            row.swaps = swaps.next().unwrap_or_default();
        }
        Ok(rows)
    }
}

impl TableRow for BlockRow {
    const TABLE: Table = Table::Blocks;
}
