//! Every documented error of the server has a reaction in the client, and a row in the documentation.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic anywhere")]

use std::{collections::BTreeMap, time::Duration};

use firmquote_client::{Client, ClientSettings, Reaction};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::client::setup::{give, request, service};

/// The documented reaction to an error.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Next {
    Retry,
    /// Retry only if the response names a delay.
    RetryWithDelay,
    Requote,
    GiveUp,
}

/// The rows of `docs/errors.md` by their first words, each with its errors as named in `/openapi.json`.
const ROWS: [(&str, Next, &[&str]); 21] = [
    ("a field is missing", Next::GiveUp, &["invalid_input"]),
    ("chain, symbol, pair or pool not supported", Next::GiveUp, &["unsupported"]),
    ("unknown or expired quote", Next::Requote, &["unknown_quote"]),
    ("`Quote conflicts with latest prices.", Next::Requote, &["conflict"]),
    ("the quote is signed for other terms", Next::Requote, &["other_terms"]),
    ("too large, too small", Next::GiveUp, &["too_large", "too_small", "swaps_disabled"]),
    ("`the pool has too little", Next::GiveUp, &["exhausted"]),
    ("`the pool is paused`", Next::GiveUp, &["paused"]),
    ("the trade is worth more", Next::GiveUp, &["trade_limit"]),
    ("the trade is worth more", Next::RetryWithDelay, &["pool_limit", "client_limit", "outstanding_limit"]),
    ("the [levels](levels.md#firm-levels) that", Next::Requote, &["levels"]),
    ("the pool does not sign for this", Next::GiveUp, &["destination_denied", "sender_denied"]),
    ("credentials required", Next::GiveUp, &["no_credentials"]),
    ("credentials wrong, revoked", Next::GiveUp, &["bad_credentials", "basic_ended", "another_client"]),
    ("the status of a quote", Next::GiveUp, &["no_status"]),
    ("no such path, no such method", Next::GiveUp, &["no_route", "method"]),
    ("body not received in time", Next::Retry, &["body_too_slow"]),
    ("body not received in time", Next::GiveUp, &["body_too_large", "media_type", "upgrade_required"]),
    ("more requests, streams", Next::Retry, &["anonymous_rate", "failed_login_rate", "credential_rate", "quotes_held"]),
    ("a bug in the service", Next::GiveUp, &["internal"]),
    ("store or key not available", Next::Retry, &["market", "store", "key", "clock", "logins_busy", "shutting_down"]),
];

/// Returns the errors of all operations: their names, with status and body of each.
async fn errors() -> BTreeMap<String, (u16, Value)> {
    let document = service().public().get("/openapi.json").await.unwrap().ok();
    let mut errors = BTreeMap::new();
    let paths = document["paths"].as_object().unwrap().iter().filter(|(path, _)| path.starts_with("/rfq"));
    for responses in paths.flat_map(|(_, item)| ["get", "post"].map(|method| &item[method]["responses"])) {
        for (status, response) in responses
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(status, _)| !matches!(status.as_str(), "101" | "200" | "304"))
        {
            for name in response["content"]["application/json"]["examples"].as_object().unwrap().keys() {
                let body = document["components"]["examples"][name]["value"].clone();
                errors.insert(name.clone(), (status.parse().unwrap(), body));
            }
        }
    }
    errors
}

/// Returns the client's reaction to a response.
async fn reaction(status: u16, retry_after: Option<u64>, body: &Value) -> Reaction {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = Client::new(ClientSettings::new(format!("http://{}", listener.local_addr().unwrap()))).unwrap();
    let pause = retry_after.map(|seconds| format!("retry-after: {seconds}\r\n")).unwrap_or_default();
    let body = body.to_string();
    let answer = format!("HTTP/1.1 {status} X\r\n{pause}content-length: {}\r\n\r\n{body}", body.len());
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut received = Vec::new();
        while !received.ends_with(b"}") {
            assert_ne!(stream.read_buf(&mut received).await.unwrap(), 0);
        }
        stream.write_all(answer.as_bytes()).await.unwrap();
    });
    let error = client.quote(&request("USDC", "DAI", give("1"))).await.unwrap_err();
    server.await.unwrap();
    assert_eq!(error.refusal().unwrap().message, serde_json::from_str::<Value>(&body).unwrap()["errorMessage"]);
    error.reaction()
}

#[tokio::test]
async fn every_server_error_has_a_reaction() {
    let mut errors = errors().await;
    for (_, next, names) in ROWS {
        for name in names {
            let (status, body) = errors.remove(*name).unwrap_or_else(|| panic!("the server has no error {name}"));
            let delayed = Reaction::Retry { after: Some(Duration::from_secs(7)) };
            let (expected, untold) = match next {
                Next::Retry => (delayed, Reaction::Retry { after: None }),
                Next::RetryWithDelay => (delayed, Reaction::GiveUp),
                Next::Requote => (Reaction::Requote, Reaction::Requote),
                Next::GiveUp => (Reaction::GiveUp, Reaction::GiveUp),
            };
            if matches!(next, Next::Retry | Next::RetryWithDelay) {
                assert_eq!(reaction(status, Some(7), &body).await, expected, "{name}");
            }
            assert_eq!(reaction(status, None, &body).await, untold, "{name}");
        }
    }
    assert!(errors.is_empty(), "without a reaction: {errors:?}");
}

#[test]
fn every_documented_error_has_a_reaction() {
    let page = include_str!("../../../../../docs/errors.md");
    let table = page.lines().skip_while(|line| !line.starts_with("| what happened")).skip(2);
    let mut rows: Vec<&str> = table.map_while(|line| line.strip_prefix("| ")).collect();
    for (start, ..) in ROWS {
        assert!(rows.iter().any(|row| row.starts_with(start)), "no row {start}");
    }
    rows.retain(|row| !ROWS.iter().any(|(start, ..)| row.starts_with(start)));
    assert!(rows.is_empty(), "without a reaction: {rows:?}");
}
