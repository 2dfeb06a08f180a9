//! The port that reports what swaps earned, for the operator's page.

use std::sync::Arc;

use firmquote_api::UtcTime;
use firmquote_domain::Timestamp;
use futures_util::future::BoxFuture;
use serde::Serialize;

/// Reports what swaps earned.
pub trait EarningsReporter: Send + Sync {
    /// Reports the day that begins at `day`, or the last 24 hours.
    fn report(&self, day: Option<Timestamp>) -> BoxFuture<'_, Arc<EarningsReport>>;
}

/// What swaps earned in a period, by client and pair, as the page reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EarningsReport {
    /// The beginning of the period.
    pub from: UtcTime,
    /// Its end.
    pub to: UtcTime,
    /// What is missing, and why, each in a sentence.
    pub notes: Vec<String>,
    /// The groups.
    pub rows: Vec<EarningsRow>,
    /// All of them together.
    pub total: Earnings,
    /// The clients whose swaps lose value within a minute by more than chance.
    pub informed: Vec<String>,
    /// Where the value of each pool that is read from a chain went.
    pub pools: Vec<PoolEarnings>,
}

/// What the swaps of a client in a pair earned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EarningsRow {
    /// The client; `None` without credentials.
    pub client: Option<String>,
    /// The pair.
    pub pair: String,
    /// The figures.
    #[serde(flatten)]
    pub earnings: Earnings,
}

/// Where the value of a pool went. Amounts are in US dollars, exact, as decimal strings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PoolEarnings {
    /// The chain and the contract.
    pub pool: String,
    /// The time of its first block with prices.
    pub from: UtcTime,
    /// The time of its last block.
    pub to: UtcTime,
    /// The number of blocks.
    pub blocks: u64,
    /// Its value at the beginning.
    pub start_usd: String,
    /// What the prices of what it held then did since.
    pub price_moves_usd: String,
    /// Its result against holding that: swaps in less swaps out, at the last prices.
    pub trading_usd: String,
    /// Deposits less withdrawals.
    pub deposits_usd: String,
    /// What nothing explains.
    pub unexplained_usd: String,
    /// What changed while no block was read.
    pub unobserved_usd: String,
    /// Its value at the end.
    pub end_usd: String,
    /// The result against holding over time, by Unix second.
    pub trading: Vec<(u32, String)>,
}

/// What the swaps of a group earned. Amounts of money are in US dollars, exact, as decimal strings; ratios are rounded down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Earnings {
    /// Requests for quotes.
    pub requested: u64,
    /// The share of quotes that were signed, in percent.
    pub hit_percent: Option<String>,
    /// Signed quotes.
    pub signed: u64,
    /// Executed swaps.
    pub executed: u64,
    /// The value of their inputs.
    pub executed_usd: String,
    /// Their inputs less their outputs at the prices of their quotes.
    pub edge_usd: String,
    /// Their inputs less their outputs 60 s after their blocks.
    pub markout_usd: String,
    /// The same in basis points of the value of their inputs.
    pub markout_bps: Option<String>,
    /// Its 95 % interval; `None` for too few swaps.
    pub markout_interval_bps: Option<[String; 2]>,
    /// The value of the options that the signatures are, an estimate.
    pub options_given_usd: String,
    /// Executed swaps whose prices 60 s later are not known: in no mark-out.
    pub markout_missing: u64,
}
