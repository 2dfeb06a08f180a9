//! `firmquote backtest`: recorded requests with another configuration.

use std::fmt::Write as _;

use firmquote_analysis::{Backtest, BacktestRow, LedgerSwaps, Money, PoolWithVolatilities, PriceHistory, TokenNames};
use firmquote_config::PoolConfig;
use firmquote_desk::ServedPool;
use firmquote_server::{environment, system_environment};
use firmquote_tape::SegmentFiles;
use serde_json::json;

use super::{output, report};
use crate::cli::{BacktestArguments, BacktestFormat};

/// Prints what another configuration would have earned.
///
/// # Errors
/// When the tapes, the ledger or the configuration cannot be read.
pub(super) fn run(arguments: &BacktestArguments) -> anyhow::Result<()> {
    let pools = PoolConfig::from_file(&arguments.config, &environment::overrides()?, &system_environment())?;
    let names: TokenNames = pools.iter().map(|pool| pool.pool.spec()).collect();
    let pools: Vec<_> = pools.into_iter().map(with_volatilities).collect();
    let swaps: LedgerSwaps = report::from_files(&arguments.ledger)?;
    let prices = PriceHistory::read(&SegmentFiles::find(&arguments.tapes)?)?;
    let backtest = Backtest {
        tapes: &arguments.tapes,
        swaps: &swaps,
        prices: &prices,
        names: &names,
        pools: &pools,
        horizon: arguments.horizon_seconds,
    };
    let rows = backtest.run()?;
    output::print(match arguments.format {
        BacktestFormat::Table => table(&rows)?,
        BacktestFormat::Json => format!("{}\n", json!(rows.iter().map(object).collect::<Vec<_>>())),
    })
}

fn with_volatilities(pool: PoolConfig) -> PoolWithVolatilities {
    PoolWithVolatilities { pool: ServedPool::without_key(pool.pool, pool.policy), volatilities: pool.volatilities }
}

/// Writes a line for each pair and size, and their total.
fn table(rows: &[BacktestRow]) -> Result<String, std::fmt::Error> {
    let mut text = String::from(HEADER);
    let mut total = BacktestRow { group: ["total".to_owned(), String::new()], ..BacktestRow::default() };
    for row in rows {
        line(&mut text, row)?;
        total.fills += row.fills;
        total.unknown += row.unknown;
        total.refused += row.refused;
        total.accepted += row.accepted;
        total.recorded += row.recorded.clone();
        total.same_fills += row.same_fills.clone();
        total.accepted_fills += row.accepted_fills.clone();
    }
    line(&mut text, &total)?;
    Ok(text)
}

const HEADER: &str = "pair                 size               fills  unknown  refused  recorded_usd  (a) same_usd  (b) accepted  \
    (b) accepted_usd  (c) break_even_%  (d) expected_usd\n";

fn line(text: &mut String, row: &BacktestRow) -> std::fmt::Result {
    let expected = row.expected_result().map(|[value, low, high]| {
        let mark = if row.expected.is_some_and(|expected| expected.is_extrapolated) { " extrapolated" } else { "" };
        let (low, high) = if low <= high { (low, high) } else { (high, low) };
        format!("{value:.2} ({low:.2} to {high:.2}){mark}")
    });
    let [pair, size] = &row.group;
    writeln!(
        text,
        "{pair:<20} {size:<16} {:>7} {:>8} {:>8} {:>13} {:>13} {:>13} {:>17} {:>17}  {}",
        row.fills,
        row.unknown,
        row.refused,
        row.recorded.to_cents(),
        row.same_fills.to_cents(),
        row.accepted,
        row.accepted_fills.to_cents(),
        row.break_even_in_percent().unwrap_or_default(),
        expected.unwrap_or_default(),
    )
}

fn object(row: &BacktestRow) -> serde_json::Value {
    let money = |money: &Money| money.to_string();
    let [pair, size] = &row.group;
    json!({
        "pair": pair,
        "size": size,
        "fills": row.fills,
        "unknown": row.unknown,
        "refused": row.refused,
        "recorded_usd": money(&row.recorded),
        "same_usd": money(&row.same_fills),
        "accepted": row.accepted,
        "accepted_usd": money(&row.accepted_fills),
        "break_even_percent": row.break_even_in_percent(),
        "expected_usd": row.expected_result(),
        "hits": row.expected.map(|expected| expected.hits),
        "hits_interval": row.expected.map(|expected| expected.bounds),
        "is_extrapolated": row.expected.map(|expected| expected.is_extrapolated),
    })
}
