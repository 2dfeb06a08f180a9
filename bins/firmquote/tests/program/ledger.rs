//! `firmquote ledger` reads past signatures, from a file and by time, without any signing key.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::PathBuf,
    process::Command,
};

use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{CONFIG, Ended, Lines, ONE_ETH, Serving, configured, directory, firmquote, quote_request, run};

const STORE: &str = "[store]\nledger_file = \"signed.jsonl\"\n";

/// Runs `firmquote ledger` in a directory whose configuration has a ledger and no signing key.
fn ledger(directory: &TempDir, arguments: &[&str]) -> Command {
    let mut command = configured(directory, &[&["ledger"], arguments].concat(), STORE);
    command.env_remove("FIRMQUOTE_SIGNER_KEY");
    command
}

fn run_ledger(directory: &TempDir, arguments: &[&str]) -> Ended {
    let ended = run(ledger(directory, arguments));
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    ended
}

fn path(directory: &TempDir) -> PathBuf {
    directory.path().join("signed.jsonl")
}

/// Returns the line of an entry signed at this Unix second, so long that a few exceed one read.
fn entry(second: u64) -> String {
    json!({ "filler": "x".repeat(1_000), "signed_at_us": second * 1_000_000 }).to_string()
}

fn entries(seconds: impl IntoIterator<Item = u64>) -> String {
    seconds.into_iter().map(|second| entry(second) + "\n").collect()
}

#[tokio::test]
async fn outstanding_swaps_affect_prices_again_after_a_restart() {
    let directory = directory();
    let config = CONFIG.replace("max_quotes = 1000", "ledger_file = \"signed.jsonl\"");
    let client = Client::builder().no_proxy().build().unwrap();
    let request = quote_request(ONE_ETH);
    let post = async |serving: &Serving, path: &str, body: &Value| -> Value {
        let answer = client.post(format!("http://{}{path}", serving.public)).json(body).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.json().await.unwrap()
    };
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    let first = post(&serving, "/rfq/quote", &request).await;
    let terms = json!({"quote_id": first["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
    post(&serving, "/rfq/sign", &terms).await;
    let beside = post(&serving, "/rfq/quote", &request).await["output_amount"].clone();
    assert_ne!(beside, first["output_amount"]);
    drop(serving);
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    assert_eq!(post(&serving, "/rfq/quote", &request).await["output_amount"], beside);
    drop(serving);
    fs::remove_file(path(&directory)).unwrap();
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    assert_eq!(
        post(&serving, "/rfq/quote", &request).await["output_amount"],
        first["output_amount"],
        "nothing is known"
    );
}

#[tokio::test]
async fn a_signature_is_known_after_a_restart() {
    let directory = directory();
    let config = CONFIG.replace("max_quotes = 1000", "ledger_file = \"signed.jsonl\"");
    let client = Client::builder().no_proxy().build().unwrap();
    let send = async |request: reqwest::RequestBuilder| -> (u16, Value) {
        let answer = request.header("x-api-key", "test").send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    };
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    let quote = client.post(format!("http://{}/rfq/quote", serving.public)).json(&quote_request(ONE_ETH));
    let (_, quote) = send(quote).await;
    let terms = json!({"quote_id": quote["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
    let sign = async |serving: &Serving, terms: &Value| {
        send(client.post(format!("http://{}/rfq/sign", serving.public)).json(terms)).await
    };
    let status = async |serving: &Serving| {
        let id = quote["id"].as_str().unwrap();
        send(client.get(format!("http://{}/rfq/v2/quote-status/{id}", serving.public))).await
    };
    let signed = sign(&serving, &terms).await;
    let known = status(&serving).await;
    assert_eq!((signed.0, known.0, &known.1["state"]), (200, 200, &json!("signed")));
    drop(serving);
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    assert_eq!(status(&serving).await, known);
    assert_eq!(sign(&serving, &terms).await, signed, "the same signature, for whoever did not receive it");
    let mut others = terms.clone();
    others["destination_address"] = json!("0x00000000000000000000000000000000000000aa");
    assert_eq!(sign(&serving, &others).await.0, 400, "and no other");
}

#[tokio::test]
async fn every_signature_is_appended_and_can_be_shown() {
    let directory = directory();
    let config = CONFIG.replace("max_quotes = 1000", "ledger_file = \"signed.jsonl\"");
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    let client = Client::builder().no_proxy().build().unwrap();
    let post = async |path: &str, body: Value| -> Value {
        let answer = client.post(format!("http://{}{path}", serving.public)).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.json().await.unwrap()
    };
    let request = quote_request(ONE_ETH);
    let quote = post("/rfq/quote", request).await;
    assert_eq!(run_ledger(&directory, &["tail"]).stdout, "", "a quote is no signature");
    let request =
        json!({ "quote_id": quote["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" });
    let signed = post("/rfq/sign", request).await;
    let ended = run_ledger(&directory, &["tail"]);
    let entry: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&entry["quote_id"], &entry["signature"]), (&quote["id"], &signed["signature"]));
    assert_eq!((&entry["good_until"], &entry["client"]), (&signed["good_until"], &Value::Null));
    assert_eq!((ended.stdout.lines().count(), ended.stderr.as_str()), (1, ""));
}

#[test]
fn tail_shows_the_last_entries_in_order() {
    let directory = directory();
    fs::write(path(&directory), entries(0..500)).unwrap();
    for (count, expected) in [("0", 500..500), ("1", 499..500), ("3", 497..500), ("200", 300..500), ("1000", 0..500)] {
        let ended = run_ledger(&directory, &["tail", "--lines", count]);
        assert!(ended.stdout == entries(expected) && ended.stderr.is_empty(), "{count}");
    }
    assert_eq!(run_ledger(&directory, &["tail"]).stdout, entries(490..500));
}

#[test]
fn export_shows_the_entries_of_a_period() {
    let directory = directory();
    // 2026-11-21 and the day after.
    let (first, second) = (1_795_219_200, 1_795_305_600);
    let seconds = [first - 1, first, first + 3_600, second - 1, second];
    fs::write(path(&directory), entries(seconds)).unwrap();
    for (arguments, expected) in [
        (&[][..], &seconds[..]),
        (&["--from", "2026-11-21", "--to", "2026-11-22"], &seconds[1..4]),
        (&["--from", "2026-11-21T01:00:00Z"], &seconds[2..]),
        (&["--to", "2026-11-21T02:00:00+01:00"], &seconds[..2]),
        (&["--from", "1795219200", "--to", "1795219201"], &seconds[1..2]),
        (&["--from", "2026-11-21T01:00:00.000001Z", "--to", "2026-11-21T23:59:59Z"], &[]),
    ] {
        let ended = run_ledger(&directory, &[&["export"], arguments].concat());
        assert!(ended.stdout == entries(expected.iter().copied()) && ended.stderr.is_empty(), "{arguments:?}");
    }
    let ended = run(ledger(&directory, &["export", "--from", "2026-11-22", "--to", "2026-11-22"]));
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(1), "error: --from has to be before --to\n"));
}

#[test]
fn torn_lines_are_skipped_and_counted() {
    let directory = directory();
    let torn = &entry(2)[..100];
    fs::write(path(&directory), format!("{}{torn}\n\n{}{torn}", entries([1]), entries([3]))).unwrap();
    for arguments in [&["export"][..], &["tail"]] {
        let ended = run_ledger(&directory, arguments);
        assert_eq!(ended.stdout, entries([1, 3]), "{arguments:?}");
        assert_eq!(ended.stderr, "note: skipped 2 invalid lines, possibly left by a crash\n");
    }
    // A complete entry that lacks only its line break.
    fs::write(path(&directory), entry(4)).unwrap();
    assert_eq!(run_ledger(&directory, &["tail"]).stdout, entries([4]));
}

#[test]
fn tail_follows_new_entries() {
    let directory = directory();
    let torn = &entry(3)[..100];
    fs::write(path(&directory), format!("{}{torn}", entries([1, 2]))).unwrap();
    let mut following = Lines::start(ledger(&directory, &["tail", "--lines", "1", "--follow"]));
    assert_eq!(following.next(), entry(2));
    let mut file = OpenOptions::new().append(true).open(path(&directory)).unwrap();
    // The rest of the partial line, and more.
    write!(file, "{}\n{}", &entry(3)[100..], entries([4])).unwrap();
    assert_eq!([following.next(), following.next()], [entry(3), entry(4)]);
    // A line that is truncated again, as when the disk is full.
    let length = file.metadata().unwrap().len();
    write!(file, "{torn}").unwrap();
    file.set_len(length).unwrap();
    write!(file, "{}", entries([5])).unwrap();
    assert_eq!(following.next(), entry(5));
}

#[test]
fn tail_resumes_from_a_cursor() {
    let directory = directory();
    let file = directory.path().join("signed.jsonl");
    fs::write(&file, entries(0..20)).unwrap();
    let tail = || run_ledger(&directory, &["tail", "--cursor", "position"]).stdout;
    assert_eq!(tail(), entries(10..20), "the first time, the last ten");
    assert_eq!(tail(), "");
    fs::write(&file, entries(0..45)).unwrap();
    assert_eq!(tail(), entries(20..45));
    fs::rename(&file, directory.path().join("rotated.jsonl")).unwrap();
    fs::write(&file, entries(45..46)).unwrap();
    assert_eq!((tail(), tail()), (entries(45..46), String::new()), "a rotated file from its start");
    fs::write(directory.path().join("position"), "1795222800000-0").unwrap();
    let foreign = run(ledger(&directory, &["tail", "--cursor", "position"]));
    let message =
        "error: --cursor position: expected a position in a ledger file, such as 4026531:1103:9f86d081884c7d65\n";
    assert_eq!((foreign.status.code(), foreign.stderr.as_str()), (Some(1), message));
}

#[test]
fn a_missing_ledger_is_one_clear_error() {
    let directory = directory();
    let reachable = "error: the store call failed: no connection to Redis: Connection refused (os error 111)\n";
    let missing = "error: store.ledger_file: cannot read signed.jsonl: No such file or directory (os error 2)\n";
    for (config, expected) in [
        ("", "error: firmquote.toml: no ledger is configured, set store.ledger_file\n"),
        (STORE, missing),
        ("[store]\nkind = \"redis\"\nurl = \"redis://:secret@127.0.0.1:1\"\n", reachable),
        (
            "[stores]\n",
            "error: firmquote.toml:1: stores is not a key (did you mean store?), allowed: server, store, limits, auth, log, ",
        ),
        ("[store]\nledger = \"x\"\n", "error: firmquote.toml:2: store.ledger is not a key, allowed: kind, "),
    ] {
        for arguments in [["ledger", "tail"], ["ledger", "export"]] {
            let ended = run(configured(&directory, &arguments, config));
            assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""));
            assert!(ended.stderr.starts_with(expected), "{}", ended.stderr);
        }
    }
    let ended = run(firmquote(&["ledger", "tail", "--config", "no/such/file.toml"]));
    assert_eq!(ended.stderr, "error: no/such/file.toml: cannot be read: No such file or directory (os error 2)\n");
}

#[test]
fn a_closed_pipe_ends_even_tail_follow() {
    let directory = directory();
    fs::write(path(&directory), entries(0..200)).unwrap();
    for arguments in [&["export"][..], &["tail", "--lines", "200"], &["tail", "--follow"]] {
        let mut command = ledger(&directory, arguments);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        command.stdout(writer);
        let ended = run(command);
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    }
}
