//! What another configuration would have earned on a recorded day.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests need the rest")]
mod support;

use std::{fs, path::PathBuf, slice};

use firmquote_analysis::{
    Backtest, BacktestRow, Grouping, Money, PoolWithVolatilities, Report, ReportRow, SimulationResult,
};
use firmquote_domain::Timestamp;
use support::{pool, storm};

/// Runs the back test of a pool with this base fee of ETH/USDC, for swaps valued in their blocks.
fn tested(tape: &PathBuf, result: &SimulationResult, base_fee: &str) -> Vec<BacktestRow> {
    let pool = pool(base_fee);
    let pools = [PoolWithVolatilities { pool: pool.pool, volatilities: pool.volatilities }];
    let (tapes, horizon) = (slice::from_ref(tape), 0);
    Backtest { tapes, swaps: &result.swaps, prices: &result.prices, names: &result.names, pools: &pools, horizon }
        .run()
        .unwrap()
}

fn sum(rows: &[BacktestRow], of: impl Fn(&BacktestRow) -> &Money) -> Money {
    rows.iter().fold(Money::default(), |sum, row| sum + of(row).clone())
}

fn count(rows: &[BacktestRow], of: impl Fn(&BacktestRow) -> u64) -> u64 {
    rows.iter().map(of).sum()
}

#[tokio::test]
async fn a_back_test_moves_what_the_client_did_not_fix() {
    let folder = tempfile::tempdir().unwrap();
    let result = storm(3_000, 7, Some(folder.path().to_owned())).run().await.unwrap();
    let tape = folder.path().join("tape");
    let executed: u64 = result.days.iter().map(|day| day.executed).sum();

    // The recorded configuration: what was earned, in every column.
    let same = tested(&tape, &result, "5");
    for row in &same {
        assert_eq!((row.unknown, row.refused, row.accepted), (0, 0, row.fills), "{row:?}");
        assert_eq!((&row.same_fills, &row.accepted_fills), (&row.recorded, &row.recorded), "{row:?}");
        assert!(row.break_even_in_percent().is_none_or(|percent| percent == "0.00"), "{row:?}");
    }
    assert_eq!(count(&same, |row| row.fills), executed);
    let recorded = sum(&same, |row| &row.recorded);

    // One basis point more of ETH/USDC: nobody there accepts it, and it earns one basis point of the volume.
    let dearer = tested(&tape, &result, "6");
    assert_eq!((count(&dearer, |row| row.fills), sum(&dearer, |row| &row.recorded)), (executed, recorded.clone()));
    let period = (Timestamp::from_micros(0), Timestamp::from_micros(u64::MAX));
    let report = Report::new(&result.swaps, &result.prices, &result.names, &[Grouping::Pair], period);
    let is_eth = |row: &&ReportRow| row.group.iter().any(|name| name.contains("ETH"));
    let volume: Money = report.rows.iter().filter(is_eth).map(|row| row.figures.executed_value.clone()).sum();
    for row in &dearer {
        let is_eth = row.group.iter().any(|name| name.contains("ETH"));
        assert_eq!(row.accepted, if is_eth { 0 } else { row.fills }, "{row:?}");
        assert!(!is_eth || row.same_fills > row.recorded, "{row:?}");
    }
    let gain = &sum(&dearer, |row| &row.same_fills) - &recorded;
    let hundredths = gain.hundredths_of_basis_points_of(&volume).unwrap();
    assert!((99..=101).contains(&i32::try_from(hundredths).unwrap()), "{gain} of {volume}");

    // One less: everybody accepts it.
    let cheaper = tested(&tape, &result, "4");
    assert_eq!(count(&cheaper, |row| row.accepted), executed);
    assert_eq!(sum(&cheaper, |row| &row.accepted_fills), sum(&cheaper, |row| &row.same_fills));
    assert!(sum(&cheaper, |row| &row.same_fills) < recorded);
    // Without its requests, a swap is in no sum.
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let nothing = tested(&empty, &result, "5");
    assert_eq!((count(&nothing, |row| row.unknown), count(&nothing, |row| row.fills)), (executed, 0));
}
