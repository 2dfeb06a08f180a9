//! Exit codes and errors of the client commands, for people and for scripts, without secrets.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    process::Stdio,
    thread,
};

use serde_json::Value;

use crate::{
    client::{API_KEY, DESTINATION, Service},
    program::{Ended, firmquote, run, set_mode},
};

const ID: &str = "05a51aa6-41b5-4c61-a452-f1b95d0d43e4";

/// Runs a command against a server that sends `answer` to every request, or nothing if it is empty.
fn run_against(answer: &'static str, arguments: &[&str]) -> Ended {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut request = [0; 4096];
            let read = stream.read(&mut request);
            let written = stream.write_all(answer.as_bytes());
            if answer.is_empty() {
                // Keeps the connection open until the client closes it.
                drop(stream.read(&mut request));
            }
            drop((read, written));
        }
    });
    let mut command = firmquote(arguments);
    command.args(["--url", &url]).env("FIRMQUOTE_API_KEY", API_KEY);
    run(command)
}

#[test]
fn a_rejection_exits_with_one() {
    let service = Service::start();
    for (arguments, text) in [
        (&["quote", "ETH", "DOGE", "--in", "1"][..], "DOGE is not listed in these pools, allowed: ETH, USDC"),
        (
            &["quote", "ETH", "USDC", "--in", "1", "--chain", "5"],
            "chain_id: 5 is not supported (HTTP 400), allowed: 1\n",
        ),
        (&["quote", "ETH", "ETH", "--in", "1"], "ETH/ETH is not supported (HTTP 400)"),
        (&["quote", "ETH", "USDC", "--out", "417751.254142"], " USDC (HTTP 400)"),
        (&["quote", "ETH", "USDC", "--out", "417751254142", "--base-units"], "(HTTP 400)"),
        (&["quote", "ETH", "USDC", "--in", "0.000000000000000001"], " ETH (HTTP 400)"),
        (&["sign", ID, "--destination", DESTINATION], "(HTTP 400)"),
        (&["pool", "--pool-address", DESTINATION], "pool_address"),
    ] {
        let ended = service.ended(arguments);
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""), "{arguments:?} {}", ended.stderr);
        assert!(ended.stderr.starts_with("error: ") && ended.stderr.contains(text), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1);
    }
}

#[test]
fn invalid_usage_exits_with_two_and_states_what_is_allowed() {
    let service = Service::start();
    for (arguments, text) in [
        (&["quote", "ETH", "USDC"][..], "--in"),
        (&["quote", "ETH", "USDC", "--in", "1", "--out", "1"], "--out"),
        (&["quote", "ETH", "USDC", "--in", "1", "--sign"], "--destination"),
        (&["quote", "ETH", "USDC", "--in", "1", "--destination", DESTINATION], "--sign"),
        (&["quote", "ETH", "USDC", "--in", "1", "--native-input"], "--destination"),
        (&["quote", "ETH", "USDC", "--in", "1", "--chain", "0"], "allowed: 1"),
        (&["quote", "ETH", "USDC", "--in", "1", "--timeout", "0"], "1..=600"),
        (&["quote", "ETH", "USDC", "--in", "1", "--url", "quotes.example"], "http://"),
        (&["quote", "ETH", "USDC", "--in", "1", "--pool", "nowhere"], "cannot read nowhere"),
        (&["quote", "0xC02", "USDC", "--in", "1"], "0x and 40 hex digits"),
        (&["sign", "1", "--destination", DESTINATION], "UUID"),
        (&["sign", ID], "--destination"),
        (&["sign", "--destination", DESTINATION], "--quote"),
        (&["sign", ID, "--quote", "quote.json", "--destination", DESTINATION], "--quote"),
        (&["sign", "--quote", "nowhere", "--destination", DESTINATION], "cannot read nowhere"),
        (&["sign", ID, "--destination", DESTINATION, "--native-input", "--native-output"], "--native-output"),
        (&["sign", ID, "--destination", DESTINATION, "--aux-data", "0x12"], "expected 0x and 64 hex digits"),
        (&["quote", "ETH", "USDC", "--in", "-1"], "expected a plain decimal number"),
        (&["quote", "ETH", "USDC", "--in", "1", "--time-in-seconds", "x"], "allowed: 1 to 86400"),
        (&["quote", "ETH", "USDC", "--in", "1", "--ca-file", "ca.pem"], "--ca-file requires an https:// URL"),
        (&["quote", "ETH", "USDC", "--in", "1", "--url", "http://127.0.0.1:184800"], "port of 1 to 65535"),
        (&["quote", "ETH", "USDC", "--in", "1", "--api-key", "k"], "--api-key"),
    ] {
        let ended = service.ended(arguments);
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(2), ""), "{arguments:?} {}", ended.stderr);
        assert!(ended.stderr.contains(text), "{arguments:?} {}", ended.stderr);
    }
    for (amount, text) in [
        ("1.0000001", "--in 1.0000001 USDC: it has 7 decimals, allowed: 6 at most"),
        ("1.0000000", "it has 7 decimals, allowed: 6 at most"),
        ("0", "it is zero, allowed: one base unit or more"),
        ("1e3", "expected a plain decimal number"),
        ("1,5", "expected a plain decimal number"),
    ] {
        let ended = service.ended(&["quote", "USDC", "ETH", "--in", amount]);
        assert_eq!(ended.status.code(), Some(2), "{amount}");
        assert!(ended.stderr.contains(text), "{}", ended.stderr);
    }
    let ended = run(service.anonymous(&["quote", "ETH", "USDC", "--in", "1"]));
    assert_eq!(ended.status.code(), Some(2));
    assert!(ended.stderr.contains("--api-key-file"), "{}", ended.stderr);
    let ended = run(firmquote(&["pool"]));
    assert_eq!(ended.status.code(), Some(2));
    assert!(ended.stderr.contains("--url, or set FIRMQUOTE_URL"), "{}", ended.stderr);
}

#[test]
fn an_unavailable_service_exits_with_three() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = firmquote(&["pool", "--url", &format!("http://{closed}")]);
    command.env("FIRMQUOTE_API_KEY", API_KEY);
    let unreachable = run(command);
    let late = run_against("", &["pool", "--timeout", "1"]);
    let limited = run_against("HTTP/1.1 429 x\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n", &["pool"]);
    let away = run_against("HTTP/1.1 503 x\r\ncontent-length: 0\r\n\r\n", &["sign", ID, "--destination", DESTINATION]);
    let broken = run_against("HTTP/1.1 500 x\r\ncontent-length: 0\r\n\r\n", &["pool"]);
    for (ended, text) in [
        (unreachable, "cannot be reached"),
        (late, "no response within 1000 ms"),
        (limited, "(HTTP 429); retry after 7 s"),
        (away, "(HTTP 503)"),
        (broken, "(HTTP 500)"),
    ] {
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(3), ""), "{}", ended.stderr);
        assert!(ended.stderr.contains(text), "{text}: {}", ended.stderr);
    }
}

#[test]
fn errors_are_json_for_scripts() {
    let service = Service::start();
    let error = |arguments: &[&str]| -> Value {
        let ended = service.ended(&[arguments, &["--json"]].concat());
        assert_eq!(ended.stdout, "");
        let error: Value = serde_json::from_str(&ended.stderr).unwrap();
        assert_eq!(error["error"]["exit_code"], ended.status.code().unwrap());
        error["error"].clone()
    };
    let refused = error(&["sign", ID, "--destination", DESTINATION]);
    assert_eq!((&refused["http_status"], &refused["error_code"]), (&Value::from(400), &Value::from(409)));
    assert!(refused["request_id"].is_string() && refused["retry_after_seconds"].is_null());
    assert_eq!(error(&["quote", "ETH", "USDC", "--in", "1.5x"])["exit_code"], 2);
    assert_eq!(error(&["pool", "--url", "http://127.0.0.1:1"])["exit_code"], 3);
}

#[test]
fn an_api_key_is_read_once_from_a_pipe() {
    let service = Service::start();
    let id = service.json(&["quote", "ETH", "USDC", "--in", "1"])["quote"]["id"].as_str().unwrap().to_owned();
    for arguments in
        [&["pool"][..], &["quote", "ETH", "USDC", "--in", "1"], &["sign", &id, "--destination", DESTINATION]]
    {
        let mut command = service.anonymous(&[arguments, &["--api-key-file", "/dev/stdin"]].concat());
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(API_KEY.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(stdout.contains("ETH"), "{stdout}");
    }
}

#[test]
fn an_api_key_is_read_from_a_private_file_and_never_shown() {
    const WRONG: &str = "wrong-key-of-the-test";
    let service = Service::start();
    let right = service.file("key", &format!("{API_KEY}\n"));
    let ended = run(service.anonymous(&["pool", "--api-key-file", "key"]));
    // Other users may read it.
    assert_eq!(ended.status.code(), Some(2));
    assert!(ended.stderr.contains("mode 600 or 400"), "{}", ended.stderr);
    set_mode(&right, 0o600);
    assert_eq!(run(service.anonymous(&["pool", "--api-key-file", "key"])).status.code(), Some(0));
    set_mode(&service.file("wrong", WRONG), 0o600);
    for arguments in [
        &["pool", "--api-key-file", "wrong"][..],
        &["pool", "--api-key-file", "wrong", "--json"],
        &["quote", "ETH", "USDC", "--in", "1", "--api-key-file", "wrong"],
    ] {
        let ended = service.ended(arguments);
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""), "{}", ended.stderr);
        assert!(ended.stderr.contains("(HTTP 403)") && !ended.stderr.contains(WRONG), "{}", ended.stderr);
    }
    set_mode(&service.file("empty", "\n"), 0o600);
    assert_eq!(service.ended(&["pool", "--api-key-file", "empty"]).status.code(), Some(2));
    let echo = run_against("HTTP/1.1 400 wrong-key-of-the-test\r\ncontent-length: 4\r\n\r\ntest", &["pool"]);
    assert!(!echo.stderr.contains("wrong-key"), "{}", echo.stderr);
}
