//! `firmquote report` reads a ledger wherever it is, and prints what docs/report.md shows.

use std::fs;

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
