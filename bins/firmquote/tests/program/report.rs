//! `firmquote report` reads a ledger wherever it is, and prints what docs/report.md shows.

use std::{fs, sync::Arc};

use firmquote_domain::{Address, B256, ChainId, Decimals, PoolId, Price, Symbol, Timestamp, U256};
use firmquote_tape::{BlockRow, PriceRow, RecordedBalance, RecordedSwap, Rows, TapeDirectory, TapeWriter};
use firmquote_test_servers::redis::{Options, Server};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{Ended, configured, directory, firmquote, run};

const LEDGER: &str = include_str!("ledger.jsonl");
const PAGE: &str = include_str!("../../../../docs/report.md");

/// A configuration that names the tokens of the ledger, whose signing keys are not there.
pub(crate) const NAMES: &str = "[[chain]]\nid = 1\nname = \"Ethereum\"\nnative_symbol = \"ETH\"\n\
    wrapped_native = \"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2\"\n\
    [[pool]]\nchain_id = 1\naddress = \"0x655eDCE464CC797526600a462A8154650EEe4B77\"\nsigner = \"hot\"\n\
    domain = { name = \"P\", version = \"1\" }\ngood_until = \"plain\"\nk = 0\n\
    [[pool.asset]]\nsymbol = \"ETH\"\naddress = \"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2\"\ndecimals = 18\nweight = 1\n\
    price_usd = 2000\n";

fn with_ledger(ledger: &str) -> TempDir {
    let directory = directory();
    fs::write(directory.path().join("signed.jsonl"), ledger).unwrap();
    directory
}

fn report(directory: &TempDir, config: &str, arguments: &[&str]) -> Ended {
    run(configured(directory, &[&["report"], arguments].concat(), config))
}

fn json_of(directory: &TempDir, config: &str, arguments: &[&str]) -> Value {
    let ended = report(directory, config, &[arguments, &["--format", "json"]].concat());
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    serde_json::from_str(&ended.stdout).unwrap()
}

#[test]
fn the_documented_report_is_printed() {
    let ended = report(&with_ledger(LEDGER), NAMES, &["--ledger", "signed.jsonl", "--by", "client"]);
    let (_, example) = PAGE.split_once("--by client\nclient").unwrap();
    let example = format!("client{}", example.split("```").next().unwrap());
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), (example.as_str(), ""));
}

#[test]
fn every_digit_is_in_json_and_csv() {
    let directory = with_ledger(&LEDGER.replace(r#""client":"acme""#, r#""client":"=acme,1""#));
    let arguments = ["--ledger", "signed.jsonl", "--by", "client,pair"];
    let report_json = json_of(&directory, NAMES, &arguments);
    let row = &report_json["rows"][1];
    assert_eq!(row["client"], "=acme,1");
    assert_eq!(row["pair"], "ETH/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "a token that the configuration lacks");
    assert_eq!(
        (&row["edge_usd"], &row["fee_usd"], &row["curve_usd"]),
        (&json!("1.461053"), &json!("1.0402635"), &json!("0.4207895"))
    );
    assert_eq!((&row["edge_bps"], &row["fill_percent"], &row["settled"]), (&json!("7.02"), &json!("33.33"), &json!(1)));
    assert_eq!(report_json["rows"][0]["edge_bps"], Value::Null);
    let csv = report(&directory, NAMES, &[&arguments[..], &["--format", "csv"]].concat()).stdout;
    let lines: Vec<_> = csv.split("\r\n").collect();
    assert!(lines[0].starts_with("client,pair,signed,signed_usd,settled,"), "{csv}");
    assert!(lines[2].starts_with("\"'=acme,1\",ETH/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48,3,6241.581,1,"), "{csv}");
}

#[test]
fn a_file_an_archive_and_redis_give_the_same_report() {
    let directory = with_ledger(LEDGER);
    let file = "[store]\nledger_file = \"signed.jsonl\"\n";
    let expected = json_of(&directory, file, &["--by", "hour"]);
    assert_eq!(expected["total"]["signed"], 4);
    let archived = run(configured(&directory, &["ledger", "archive", "kept"], file));
    assert_eq!(archived.status.code(), Some(0), "{}", archived.stderr);
    assert_eq!(json_of(&directory, file, &["--ledger", "kept", "--by", "hour"]), expected);
    let server = Server::start(Options::default());
    for line in LEDGER.lines() {
        server.command(&["XADD", "firmquote:signed", "*", "entry", line]);
    }
    let redis = format!("[store]\nkind = \"redis\"\nurl = \"{}\"\n", server.url());
    assert_eq!(json_of(&directory, &redis, &["--by", "hour"]), expected);
}

#[test]
fn a_period_and_lines_that_are_missing_are_stated() {
    let directory = with_ledger(&format!("{LEDGER}torn\n"));
    let arguments = ["--ledger", "signed.jsonl", "--from", "2026-11-21T00:02:00Z", "--to", "2026-11-21T00:03:00Z"];
    let ended = report(&directory, "", &[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(ended.stderr, "note: 1 lines are not entries of this version: their swaps are missing\n");
    let total = serde_json::from_str::<Value>(&ended.stdout).unwrap()["total"].clone();
    assert_eq!((&total["signed"], &total["executed"], &total["edge_usd"]), (&json!(0), &json!(1), &json!("1.461053")));
}

#[test]
fn what_the_ledger_lacks_is_stated() {
    let directory = with_ledger(&LEDGER.replace(r#""event":"signed""#, r#""event":"signed_later""#));
    let arguments = ["--ledger", "signed.jsonl", "--from", "2026-11-20"];
    let stated = report(&directory, "", &arguments).stderr;
    let expected = "note: 4 lines are not entries of this version: their swaps are missing\n\
        note: 1 executions have no signature on this ledger, and are missing\n\
        note: the ledger begins at 2026-11-21T00:02:11Z, after --from\n";
    assert_eq!(stated, expected);
}

#[test]
fn mistakes_are_one_clear_line() {
    let directory = with_ledger(LEDGER);
    fs::create_dir(directory.path().join("empty")).unwrap();
    for (arguments, expected) in [
        (&["--ledger", "missing"][..], "error: --ledger missing: No such file or directory (os error 2)\n"),
        (&["--ledger", "empty"], "error: --ledger empty: no .jsonl file, as `firmquote ledger archive` writes them\n"),
        (&["--ledger", "signed.jsonl", "--from", "2", "--to", "2"], "error: --from has to be before --to\n"),
    ] {
        let ended = report(&directory, "", arguments);
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""));
        assert!(ended.stderr.starts_with(expected), "{}", ended.stderr);
    }
    let ended = run(firmquote(&["report", "--ledger", "x", "--by", "month"]));
    assert!(ended.stderr.contains("client, pool, pair, day, hour or size"), "{}", ended.stderr);
}

#[test]
fn the_documented_balances_are_those_of_the_blocks() {
    let directory = with_ledger(LEDGER);
    let at = |second| Timestamp::from_seconds(1_795_219_200 + second);
    let balances = |eth: &str, usdc: &str| {
        let balance = |symbol, decimals, byte, balance: &str| RecordedBalance {
            token: Address::repeat_byte(byte),
            asset: Some((Symbol::new(symbol).unwrap(), Decimals::new(decimals).unwrap())),
            balance: balance.parse().unwrap(),
        };
        vec![balance("ETH", 18, 1, eth), balance("USDC", 6, 2, usdc)]
    };
    let block = |number: u8, follows: Option<u8>, balances, swaps| BlockRow {
        time: at(u32::from(number) * 12),
        pool: PoolId {
            chain_id: ChainId::new(1).unwrap(),
            address: "0x655eDCE464CC797526600a462A8154650EEe4B77".parse().unwrap(),
        },
        number: number.into(),
        hash: B256::repeat_byte(number),
        block_time: at(u32::from(number) * 12),
        follows: follows.map(B256::repeat_byte),
        pool_tokens: U256::ONE,
        balances,
        swaps,
    };
    let swap = RecordedSwap {
        is_undone: false,
        block: 2,
        transaction: B256::ZERO,
        log_index: 0,
        input_token: Address::repeat_byte(2),
        input_amount: U256::from(5_205_487_511_u64),
        output_token: Address::repeat_byte(1),
        output_amount: U256::from(2_500_000_000_000_000_000_u64),
    };
    let blocks = vec![
        block(1, None, balances("476877882758190421102", "417751254142"), Vec::new()),
        block(2, Some(1), balances("474377882758190421102", "422956741653"), vec![swap]),
        block(3, Some(2), balances("474377882758190421102", "422963741653"), Vec::new()),
    ];
    let price = |second, symbol, price: &str| PriceRow {
        time: at(second),
        symbol: Symbol::new(symbol).unwrap(),
        source: None,
        price: Some(price.parse::<Price>().unwrap()),
        observed_at: None,
        rejection: None,
    };
    let prices = vec![
        price(12, "ETH", "2080.527"),
        price(12, "USDC", "1"),
        price(36, "ETH", "2082.527"),
        price(36, "USDC", "1"),
    ];
    let tape = TapeDirectory::open(&directory.path().join("tape")).unwrap();
    let mut writer = TapeWriter::new(Arc::new(tape)).unwrap();
    writer.write(&Rows { prices, blocks, ..Rows::default() }, at(0)).unwrap();
    writer.close().unwrap();
    let ended = report(&directory, NAMES, &["tape", "--ledger", "signed.jsonl"]);
    let (_, example) = PAGE.split_once("```text\npool ").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let (_, printed) = ended.stdout.split_once("\npool ").unwrap();
    assert_eq!(printed, example);
    let pool = json_of(&directory, NAMES, &["tape", "--ledger", "signed.jsonl"])["pools"][0].clone();
    assert_eq!(pool["tokens"][1]["flows"]["unexplained"], "7000000");
    assert_eq!(pool["usd"]["trading"], "-0.829989");
    // From the last block before a period.
    let period = ["tape", "--ledger", "signed.jsonl", "--from", "2026-11-21T00:00:30Z", "--format", "json"];
    let later: Value = serde_json::from_str(&report(&directory, NAMES, &period).stdout).unwrap();
    let pool = &later["pools"][0];
    assert_eq!((&pool["blocks"], &pool["tokens"][1]["start"]), (&json!(2), &json!("422956741653")));
    assert_eq!(pool["tokens"][1]["flows"]["swaps_in"], "0");
    assert_eq!(pool["tokens"][1]["flows"]["unexplained"], "7000000");
    for period in [["--to", "2026-11-20"], ["--from", "2026-11-22"]] {
        let arguments = [&["tape", "--ledger", "signed.jsonl", "--format", "json"], &period[..]].concat();
        let report: Value = serde_json::from_str(&report(&directory, NAMES, &arguments).stdout).unwrap();
        assert_eq!(report["pools"], json!([]), "{period:?}");
    }
}
