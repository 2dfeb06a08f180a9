//! `firmquote simulate`, and what the other commands make of the tape and the ledger that it writes.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{CONFIG, Ended, Serving, configured, directory, firmquote, run};

/// An admin token and its hash.
pub(crate) const ADMIN_TOKEN: &str = "earnings";
pub(crate) const ADMIN_TOKEN_SHA256: &str = "fe7634184576f6d19bfc3740af4f700952cfcef2093c231b7cc41fd89967195d";

const FEW_TRADES: [&str; 6] = ["--uninformed", "300", "--informed", "300", "--rebalancing", "100"];

fn simulated(directory: &TempDir, arguments: &[&str]) -> Ended {
    let arguments = [&["simulate"], &FEW_TRADES[..], arguments].concat();
    run(configured(directory, &arguments, CONFIG))
}

#[test]
fn a_simulated_day_is_replayed_reported_and_tested_with_another_fee() {
    let directory = directory();
    let day = simulated(&directory, &["--output", "day"]);
    assert_eq!((day.status.code(), day.stderr.as_str()), (Some(0), ""));
    let lines: Vec<_> = day.stdout.lines().collect();
    assert!(lines[0].starts_with("2026-01-01  ") && lines[0].contains(" requested, "), "{}", day.stdout);
    let digest = lines.last().unwrap().strip_prefix("digest ").unwrap();
    assert_eq!(digest.len(), 64);
    let again = |arguments: &[&str]| simulated(&directory, arguments).stdout;
    assert_eq!(again(&[]), day.stdout, "with the same seed");
    assert!(!again(&["--seed", "2"]).contains(digest));
    // Nothing of what was written is overwritten.
    let second = simulated(&directory, &["--output", "day"]);
    assert_eq!(second.stderr, "error: day/ledger.jsonl: File exists (os error 17)\n");

    let command = |arguments: &[&str]| {
        let mut command = firmquote(arguments);
        command.current_dir(directory.path());
        let ended = run(command);
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        ended.stdout
    };
    assert!(command(&["tape", "verify", "day/tape"]).ends_with(" files are as written\n"));
    let replayed = command(&["tape", "replay", "day/tape"]);
    let first = replayed.lines().next().unwrap();
    let [equal, _, recomputed, _] = first.split(' ').collect::<Vec<_>>()[..] else { panic!("{first}") };
    assert_eq!(equal, recomputed);
    let report = command(&[
        "report",
        "day/tape",
        "--ledger",
        "day/ledger.jsonl",
        "--format",
        "json",
        "--config",
        "firmquote.toml",
    ]);
    let total = serde_json::from_str::<Value>(&report).unwrap()["total"].clone();
    let earned = total["markout_60s_usd"].as_str().unwrap();

    let tested = |config: &str| -> Vec<Value> {
        let arguments = ["backtest", "day/tape", "--ledger", "day/ledger.jsonl", "--config", "other.toml"];
        std::fs::write(directory.path().join("other.toml"), config).unwrap();
        assert!(command(&arguments).lines().last().unwrap().starts_with("total "));
        serde_json::from_str(&command(&[&arguments[..], &["--format", "json"]].concat())).unwrap()
    };
    let same = tested(CONFIG);
    for row in &same {
        assert_eq!((&row["same_usd"], &row["accepted_usd"]), (&row["recorded_usd"], &row["recorded_usd"]), "{row}");
    }
    let [only] = &same[..] else {
        let recorded: f64 = same.iter().map(|row| row["recorded_usd"].as_str().unwrap().parse::<f64>().unwrap()).sum();
        assert!((recorded - earned.parse::<f64>().unwrap()).abs() < 1e-6, "{recorded} or {earned}");
        return;
    };
    assert_eq!(only["recorded_usd"], earned);
}

#[tokio::test]
async fn the_page_shows_what_the_report_has() {
    let directory = directory();
    assert_eq!(simulated(&directory, &["--output", "day"]).stderr, "");
    let by = ["report", "day/tape", "--ledger", "day/ledger.jsonl", "--by", "client,pair", "--format", "json"];
    let report: Value = serde_json::from_str(&run(configured(&directory, &by, CONFIG)).stdout).unwrap();
    let records = "[tape]\ndirectory = \"day/tape\"\ninstance = \"a\"\n\n[store]\nledger_file = \"day/ledger.jsonl\"\n";
    let token = format!("admin_token_sha256 = \"{ADMIN_TOKEN_SHA256}\"\nservice_name");
    let config = CONFIG.replacen("[store]\n", records, 1).replacen("service_name", &token, 1);
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    let get = async |query: &str, token: &str| {
        let url = format!("http://{}/earnings{query}", serving.admin);
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let response = client.get(url).bearer_auth(token).send().await.unwrap();
        (response.status().as_u16(), response.json::<Value>().await.unwrap())
    };
    let (status, page) = get("?day=2026-01-01", ADMIN_TOKEN).await;
    assert_eq!(
        (status, &page["from"], &page["to"]),
        (200, &json!("2026-01-01 00:00:00.000000+00:00"), &json!("2026-01-02 00:00:00.000000+00:00"))
    );
    let [note] = &page["notes"].as_array().unwrap()[..] else { panic!("{page}") };
    assert!(note.as_str().unwrap().starts_with("The ledger begins at 2026-01-01T00:"), "{note}");
    let shown = page["rows"].as_array().unwrap().iter().chain([&page["total"]]);
    let reported = report["rows"].as_array().unwrap().iter().chain([&report["total"]]);
    let names = ["markout_bps", "markout_usd", "markout_missing"];
    let mut rows = 0;
    for (shown, reported) in shown.zip(reported) {
        for name in [
            "client",
            "pair",
            "requested",
            "hit_percent",
            "signed",
            "executed",
            "executed_usd",
            "edge_usd",
            "options_given_usd",
        ] {
            assert_eq!(shown[name], reported[name], "{name} of {shown}");
        }
        for name in names {
            assert_eq!(shown[name], reported[name.replace("markout", "markout_60s")], "{name} of {shown}");
        }
        rows += 1;
    }
    assert_eq!(rows, report["rows"].as_array().unwrap().len() + 1);
    assert!(page["total"]["markout_interval_bps"][0].is_string(), "{page}");
    let (shown, reported) = (&page["pools"][0], &report["pools"][0]);
    for (name, of_report) in [("start_usd", "start"), ("trading_usd", "trading"), ("end_usd", "end")] {
        assert_eq!(shown[name], reported["usd"][of_report], "{name}");
    }
    assert_eq!((&shown["unexplained_usd"], &reported["blocks"]), (&json!("0"), &json!(7_200)));
    let path = shown["trading"].as_array().unwrap();
    assert!(path.len() > 150, "{}", path.len());
    assert_eq!(path.last().unwrap()[1], shown["trading_usd"], "the last point is the result");
    // The last 24 hours have nothing, and what is wrong is named.
    assert_eq!(get("", ADMIN_TOKEN).await.1["rows"], json!([]));
    let (status, problem) = get("?day=yesterday", ADMIN_TOKEN).await;
    assert_eq!(status, 400);
    assert!(
        problem["data"][0]["msg"].as_str().unwrap().contains("a date from 1970 on, such as 2026-11-20"),
        "{problem}"
    );
    assert_eq!(get("?day=1969-12-31", ADMIN_TOKEN).await.0, 400);
    assert_eq!(get("", "another token").await.0, 403);
}

#[test]
fn invalid_input_is_named_with_what_is_permitted() {
    let directory = directory();
    for (arguments, message) in [
        (&["--days", "0"][..], "invalid value '0' for '--days <DAYS>': 0 is not in 1..=366"),
        (&["--prices", "none.csv"], "error: none.csv: "),
        (&["--max-trade-usd", "much"], "invalid value 'much' for '--max-trade-usd"),
    ] {
        let ended = simulated(&directory, arguments);
        assert!(ended.stderr.contains(message) && !ended.status.success(), "{arguments:?}: {}", ended.stderr);
    }
    for (csv, message) in [("1767225600,ETH\n", "line 1"), ("1767225600,ETH,abc\n", "line 1")] {
        std::fs::write(directory.path().join("prices.csv"), csv).unwrap();
        let ended = simulated(&directory, &["--prices", "prices.csv"]);
        assert!(ended.stderr.starts_with("error: prices.csv: ") && ended.stderr.contains(message), "{}", ended.stderr);
    }
}
