//! The stream of levels: live books, and reconnection.
#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::time::Duration;

use firmquote_client::{Amount, ChainId, Error, Levels, LevelsChange, LevelsRequest, Symbol};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::server::{API_KEY, Reply, Server, response};

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

/// The service's clock when the messages are sent, in Unix milliseconds.
const SERVER_TIME_MS: u64 = 1_000;

/// Returns a book that is valid for `valid_ms` milliseconds.
fn book(id: char, output: &str, valid_ms: u64) -> Value {
    json!({"type": "book", "seq": 1, "levels_id": id.to_string().repeat(32), "state_id": "0".repeat(32),
        "pool_address": "0x655eDCE464CC797526600a462A8154650EEe4B77", "input_asset_symbol": "ETH",
        "input_asset_address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "input_asset_decimals": 18,
        "output_asset_symbol": output, "output_asset_address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
        "output_asset_decimals": 6, "as_of_ms": 1_000, "published_ms": 1_000, "valid_until_ms": 1_000 + valid_ms,
        "time_in_seconds": 60, "fee_in_basis_points": 8.63, "firm": false, "certain": true, "firm_budget_input": null,
        "minimum_input": "100", "maximum_input": "1000", "max_shortfall_bps": 0.25,
        "semantics": "cumulative_input_output_floor", "knots": [["100", "50"], ["200", "99"], ["1000", "300"]]})
}

/// Returns a response that streams `hello` and these messages, numbered from 1.
fn stream(messages: &[Value]) -> String {
    let hello = json!({"type": "hello", "protocol": "firmquote-levels/1", "epoch": "e",
        "server_time_ms": SERVER_TIME_MS, "chain_id": 1, "heartbeat_ms": 5_000, "min_interval_ms": 100});
    let mut text = HEAD.to_owned();
    for (number, message) in (1..).zip(std::iter::once(&hello).chain(messages)) {
        let mut message = message.clone();
        message.as_object_mut().unwrap().entry("n").or_insert(json!(number));
        text += &format!("id: e-{number}\nevent: {}\ndata: {message}\n\n", message["type"].as_str().unwrap());
    }
    text
}

fn follow(server: &Server) -> Levels {
    server.client().follow_levels(LevelsRequest::new(ChainId::new(1).unwrap()))
}

async fn changed(levels: &mut Levels) -> Result<LevelsChange, Error> {
    timeout(Duration::from_secs(20), levels.changed()).await.expect("a change")
}

/// Returns the output symbols of the live books.
fn live(levels: &Levels) -> Vec<&str> {
    levels.books().map(|book| book.output_asset_symbol.as_str()).collect()
}

fn snapshot_end() -> Value {
    json!({"type": "snapshot_end", "books": 1})
}

#[tokio::test]
async fn books_are_added_withdrawn_and_expired() {
    let withdraw = json!({"type": "withdraw", "levels_ids": ["b".repeat(32)], "reason": "paused"});
    let messages = [book('a', "USDC", 200), book('b', "DAI", 60_000), snapshot_end(), withdraw];
    let server = Server::start(vec![Reply::Bytes(stream(&messages).into_bytes())]).await;
    let mut levels = follow(&server);
    for expected in [vec!["USDC"], vec!["DAI", "USDC"], vec!["USDC"], vec![]] {
        assert!(matches!(changed(&mut levels).await.unwrap(), LevelsChange::Books));
        assert_eq!(live(&levels), expected, "USDC expires without a message");
    }
    let [request] = <[String; 1]>::try_from(server.requests()).unwrap();
    assert!(request.starts_with("GET /rfq/v2/levels/1/stream HTTP/1.1") && request.contains(API_KEY), "{request}");
}

#[tokio::test]
async fn an_aged_book_expires_at_the_servers_expiry() {
    let mut aged = book('a', "USDC", 200);
    aged["published_ms"] = json!(0);
    let server = Server::start(vec![Reply::Bytes(stream(&[aged, snapshot_end()]).into_bytes())]).await;
    let mut levels = follow(&server);
    changed(&mut levels).await.unwrap();
    assert_eq!(live(&levels), ["USDC"]);
    changed(&mut levels).await.unwrap();
    assert!(live(&levels).is_empty(), "expires after 200 ms, although it was published with 1,200");
}

#[tokio::test]
async fn waiting_for_a_change_is_cancel_safe() {
    let server = Server::start(vec![Reply::Bytes(stream(&[book('a', "USDC", 60_000)]).into_bytes())]).await;
    let mut levels = follow(&server);
    while timeout(Duration::from_millis(1), levels.changed()).await.is_err() {}
    assert_eq!((live(&levels), server.connections()), (vec!["USDC"], 1));
}

#[tokio::test]
async fn a_renewed_book_stays_live() {
    let renew = json!({"type": "renew", "levels_ids": ["a".repeat(32)], "as_of_ms": 2_000, "published_ms": 2_000,
        "valid_until_ms": 62_000});
    let messages = [book('a', "USDC", 60_000), snapshot_end(), json!({"type": "new in a later release"}), renew];
    let server = Server::start(vec![Reply::Bytes(stream(&messages).into_bytes())]).await;
    let mut levels = follow(&server);
    changed(&mut levels).await.unwrap();
    changed(&mut levels).await.unwrap();
    let book = levels.books().next().unwrap();
    assert_eq!((book.as_of_ms, book.valid_until_ms), (2_000, 62_000));
    let output = |units: &str| book.output_for(units.parse::<Amount>().unwrap()).map(|output| output.to_string());
    assert_eq!(
        ["99", "100", "101", "199", "200", "999", "1000", "1001"].map(output),
        [
            None,
            Some("50".to_owned()),
            Some("50".to_owned()),
            Some("98".to_owned()),
            Some("99".to_owned()),
            Some("299".to_owned()),
            Some("300".to_owned()),
            None
        ]
    );
}

#[tokio::test]
async fn a_gap_a_goodbye_or_the_end_of_the_stream_reconnects() {
    let mut gap = book('b', "DAI", 60_000);
    gap["n"] = json!(4);
    let goodbye = json!({"type": "goodbye", "reason": "reloaded", "reconnect_after_ms": 10});
    let script = [vec![book('a', "USDC", 60_000), gap], vec![snapshot_end(), goodbye], vec![book('a', "USDC", 60_000)]];
    let script = script.map(|messages| Reply::Last(stream(&messages).into_bytes()));
    let server = Server::start(script.to_vec()).await;
    let mut levels = follow(&server);
    let mut causes = Vec::new();
    while causes.len() < 3 {
        if let LevelsChange::Disconnected { cause, retry_after } = changed(&mut levels).await.unwrap() {
            assert!(live(&levels).is_empty() && retry_after <= Duration::from_millis(500), "{retry_after:?}");
            causes.push(cause.map(|cause| cause.to_string()));
        }
    }
    let interrupted = |cause: &str| Some(format!("the connection ended before the response was complete: {cause}"));
    assert_eq!(causes, [interrupted("a message is missing"), None, interrupted("the stream ended")]);
    assert!(server.connections() >= 3);
}

#[tokio::test]
async fn permanent_errors_end_the_stream() {
    let refused = r#"{"errorMessage":"pair: ETH-XYZ is not supported","errorType":"BadData"}"#;
    let server = Server::responding(400, "", refused).await;
    let mut request = LevelsRequest::new(ChainId::new(1).unwrap());
    request.pairs = vec![["ETH", "XYZ"].map(|symbol| Symbol::new(symbol).unwrap())];
    let error = server.client().follow_levels(request).changed().await.unwrap_err();
    assert_eq!(error.refusal().unwrap().message, "pair: ETH-XYZ is not supported");
    assert!(server.requests()[0].starts_with("GET /rfq/v2/levels/1/stream?pairs=ETH-XYZ HTTP/1.1"));

    let mut rising = book('a', "USDC", 60_000);
    rising["knots"] = json!([["100", "50"], ["200", "99"], ["300", "149"]]);
    let server = Server::start(vec![Reply::Bytes(stream(&[rising]).into_bytes())]).await;
    let error = changed(&mut follow(&server)).await.unwrap_err();
    assert!(error.to_string().contains("prices within a book must not rise"), "{error}");
}

#[tokio::test]
async fn a_busy_service_is_retried_after_the_requested_delay() {
    let busy = response(429, "retry-after: 1\r\n", r#"{"errorMessage":"Too many","errorType":"RateLimited"}"#);
    let server = Server::start(vec![busy, Reply::Bytes(stream(&[book('a', "USDC", 60_000)]).into_bytes())]).await;
    let mut levels = follow(&server);
    match changed(&mut levels).await.unwrap() {
        LevelsChange::Disconnected { cause: Some(Error::Refused(refusal)), retry_after } => {
            assert_eq!((refusal.status, retry_after), (429, Duration::from_secs(1)));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(changed(&mut levels).await.unwrap(), LevelsChange::Books));
    assert_eq!(live(&levels), ["USDC"]);
}

#[tokio::test]
async fn the_requested_delay_is_at_most_a_minute() {
    for seconds in ["60", "61", "18446744073709551615"] {
        let busy = response(503, &format!("retry-after: {seconds}\r\n"), "{}");
        let server = Server::start(vec![busy]).await;
        let mut levels = follow(&server);
        let change = changed(&mut levels).await.unwrap();
        let LevelsChange::Disconnected { retry_after, .. } = change else { panic!("{change:?}") };
        assert_eq!(retry_after, Duration::from_secs(60), "{seconds}");
        assert!(timeout(Duration::from_millis(50), levels.changed()).await.is_err(), "{seconds}");
        assert_eq!(server.requests().len(), 1, "{seconds}");
    }
}

#[tokio::test]
async fn the_reason_of_withdrawn_levels_is_one_line() {
    let withdrawn = json!({"pool_address": "0x655eDCE464CC797526600a462A8154650EEe4B77", "input_asset_symbol": "ETH",
        "output_asset_symbol": "USDC", "reason": "\u{1b}[2Jstale\nprices\u{9b}"});
    let snapshot = json!({"epoch": "e", "chain_id": 1, "books": [], "withdrawn": [withdrawn]});
    let server = Server::responding(200, "", &snapshot.to_string()).await;
    let levels = server.client().levels(&LevelsRequest::new(ChainId::new(1).unwrap())).await.unwrap();
    assert_eq!(levels.withdrawn[0].reason, "[2Jstaleprices");
}
