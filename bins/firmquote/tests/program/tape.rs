//! The tape of a running service: prices of an exchange that the test plays, a crash, and reports with mark-outs.

use std::{fs, net::TcpListener, path::Path};

use firmquote_domain::{Price, Symbol, Timestamp};
use firmquote_tape::{PriceRow, Rows, TapeDirectory, TapeWriter, read};
use reqwest::Client;
use serde_json::{Value, json};

use crate::{
    prices::{Exchange, config, until},
    program::{Serving, configured, directory, firmquote, run},
};

const TAPE: &str = "[tape]\ndirectory = \"tape\"\ninstance = \"a\"\n";

fn eth(rows: &[PriceRow], source: Option<&str>) -> Vec<Option<String>> {
    let own = rows.iter().filter(|row| row.symbol.as_str() == "ETH" && row.source.as_deref() == source);
    let mut prices: Vec<_> = own.map(|row| row.price.map(|price| price.to_string())).collect();
    prices.dedup();
    prices
}

#[tokio::test]
async fn prices_are_recorded_with_those_of_each_source_and_survive_a_crash() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let directory = directory();
    let config = format!("{TAPE}{}", config(&listener));
    let tape = directory.path().join("tape");
    let client = Client::builder().no_proxy().build().unwrap();
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    let mut exchange = Exchange::accept(&listener);
    for (bid, ask, middle) in [("1999.9", "2000.1", 2000.0), ("2000.9", "2001.1", 2001.0)] {
        exchange.tick(bid, ask);
        until(&client, &serving, |_, body| body["input_value_in_usd"] == middle).await;
        written(&client, &serving, &tape).await;
    }
    let second = run(configured(&directory, &["serve"], &config));
    assert!(second.stderr.contains("tape.directory: tape/a: another process writes there"), "{}", second.stderr);
    serving.signal("KILL");
    drop(serving);
    assert!(read::<PriceRow>(&tape).unwrap().is_empty(), "nothing is closed");
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    written(&client, &serving, &tape).await;
    let rows = read::<PriceRow>(&tape).unwrap();
    let [first, last] = [Some("2000".to_owned()), Some("2001".to_owned())];
    assert_eq!(eth(&rows, None), [None, first.clone(), last.clone()]);
    assert_eq!(eth(&rows, Some("binance 127.0.0.1")), [None, first, last]);
    let silent = rows.iter().find(|row| row.symbol.as_str() == "ETH" && row.price.is_none()).unwrap();
    assert_eq!(silent.rejection.as_deref(), Some("silent"));
    // The other asset has the price of the file.
    assert!(rows.iter().any(|row| row.symbol.as_str() == "USDC" && row.observed_at.is_none() && row.price.is_some()));
    serving.signal("TERM");
    assert!(serving.ended().status.success());
    let verified = run({
        let mut command = firmquote(&["tape", "verify", "tape"]);
        command.current_dir(directory.path());
        command
    });
    assert_eq!(verified.stderr, "");
    let files: u32 =
        verified.stdout.trim_start_matches("tape: ").trim_end_matches(" files are as written\n").parse().unwrap();
    assert!(files >= 2, "a file of each table, or fewer without requests: {files}");
    let segment = fs::read_dir(tape.join("a")).unwrap().find_map(|entry| {
        let path = entry.unwrap().path();
        path.extension().is_some_and(|extension| extension == "arrow").then_some(path)
    });
    fs::write(segment.unwrap(), "x").unwrap();
    let mut command = firmquote(&["tape", "verify", "tape"]);
    command.current_dir(directory.path());
    assert!(run(command).stderr.ends_with(".arrow: its contents are not those that were written\n"));
}

/// Waits until more rows are written: two batches, one of which is newer than the call.
async fn written(client: &Client, serving: &Serving, tape: &Path) {
    let before = rows(client, serving).await;
    while rows(client, serving).await < before + 6 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(fs::read_dir(tape.join("a")).unwrap().count() > 0);
}

async fn rows(client: &Client, serving: &Serving) -> u64 {
    let page = client.get(format!("http://{}/metrics", serving.admin)).send().await.unwrap().text().await.unwrap();
    let line = page.lines().find_map(|line| line.strip_prefix("firmquote_tape_rows_total{table=\"prices\"} "));
    assert!(page.contains("\nfirmquote_tape_lost_rows_total{table=\"prices\"} 0\n"), "{page}");
    line.unwrap().parse().unwrap()
}

#[test]
fn a_report_with_a_tape_has_mark_outs() {
    let directory = directory();
    fs::write(directory.path().join("signed.jsonl"), include_str!("ledger.jsonl")).unwrap();
    // The swap of 1 ETH for 2079.065947 USDC was executed 130 s after this time.
    let start = 1_795_219_200_u64;
    let row = |second: u64, symbol: &str, price: &str| PriceRow {
        time: Timestamp::from_micros((start + second) * 1_000_000),
        symbol: Symbol::new(symbol).unwrap(),
        source: None,
        price: Some(price.parse::<Price>().unwrap()),
        observed_at: Some(Timestamp::from_micros((start + second) * 1_000_000)),
        rejection: None,
    };
    let eth = |second| match second {
        0..=130 => "2081",
        131..=150 => "2078.5",
        _ => "2090",
    };
    let rows: Vec<_> =
        (0..1_000).flat_map(|second| [row(second, "ETH", eth(second)), row(second, "USDC", "1")]).collect();
    let tape = TapeDirectory::open(&directory.path().join("tape")).unwrap();
    let mut writer = TapeWriter::new(std::sync::Arc::new(tape)).unwrap();
    let rows = Rows { prices: rows, ..Rows::default() };
    writer.write(&rows, Timestamp::from_micros(start * 1_000_000)).unwrap();
    writer.close().unwrap();
    let names = crate::report::NAMES.to_owned()
        + "[[pool.asset]]\nsymbol = \"USDC\"\naddress = \"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48\"\ndecimals = 6\n\
           weight = 1\nprice_usd = 1\n";
    let arguments = ["report", "tape", "--ledger", "signed.jsonl", "--format", "json"];
    let ended = run(configured(&directory, &arguments, &names));
    assert_eq!(ended.stderr, "");
    let total = serde_json::from_str::<Value>(&ended.stdout).unwrap()["total"].clone();
    let mark_out = |horizon: &str| {
        let member = |name: &str| total[format!("markout_{horizon}s_{name}")].clone();
        (member("usd"), member("drift_usd"), member("bps"), member("missing"))
    };
    assert_eq!(mark_out("0"), (json!("1.934053"), json!("0.473"), json!("9.29"), json!(0)));
    assert_eq!(mark_out("10"), (json!("-0.565947"), json!("-2.027"), json!("-2.73"), json!(0)));
    assert_eq!(mark_out("60"), (json!("10.934053"), json!("9.473"), json!("52.55"), json!(0)));
    assert_eq!(mark_out("3600"), mark_out("300"), "the last price is that of less than an hour before");
    assert_eq!(total["markout_60s_bps_low"], Value::Null, "one block has no interval");
    let table = run(configured(&directory, &arguments[..4], &names)).stdout;
    assert!(table.contains("markout_10s_usd") && !table.contains("markout_0s_usd"), "{table}");
}
