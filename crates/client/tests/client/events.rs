//! The stream of events: what it reports, and how it resumes.
#![expect(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::time::Duration;

use firmquote_client::{ChainId, Error, EventsChange, QuoteEventKind, QuoteEvents};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::server::{Reply, Server, response};

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

/// Returns a response that streams these messages.
fn stream(messages: &[Value]) -> Reply {
    let mut text = HEAD.to_owned();
    for message in messages {
        let [event, id] = ["event", "id"].map(|name| message[name].as_str().unwrap());
        text += &format!("id: {id}\nevent: {event}\ndata: {message}\n\n");
    }
    Reply::Last(text.into_bytes())
}

fn heartbeat(id: &str) -> Value {
    json!({"event": "heartbeat", "id": id})
}

fn quote_event(event: &str, id: &str) -> Value {
    let settled = json!({"transaction_hash": format!("0x{}", "ab".repeat(32)), "log_index": 12, "block_number": 7,
        "block_timestamp": 1_697_235_863, "confirmations": null, "input_amount": "100", "output_amount": "0"});
    json!({"event": event, "id": id, "quote_id": "05a51aa6-41b5-4c61-a452-f1b95d0d43e4", "chain_id": 1,
        "pool_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
        "recorded_at": "2023-10-13 22:24:08.933560+00:00",
        "settled": if event == "settled" { settled } else { Value::Null }, "later": [1]})
}

async fn next(events: &mut QuoteEvents) -> Result<EventsChange, Error> {
    timeout(Duration::from_secs(20), events.next()).await.expect("a change")
}

async fn next_quote(events: &mut QuoteEvents) -> QuoteEventKind {
    match next(events).await.unwrap() {
        EventsChange::Quote(event) => {
            assert_eq!(event.settled.is_some(), event.event == QuoteEventKind::Settled);
            event.event
        }
        change => panic!("{change:?}"),
    }
}

#[tokio::test]
async fn each_connection_continues_after_the_last_event_of_the_one_before() {
    let server = Server::start(vec![
        stream(&[heartbeat("a"), quote_event("signed", "b"), json!({"event": "of_a_later_release", "id": "c"})]),
        stream(&[quote_event("settled", "d"), heartbeat("e"), heartbeat("f")]),
        stream(&[json!({"event": "reset", "id": "g"}), heartbeat("h"), quote_event("reorged", "i")]),
    ])
    .await;
    let mut events = server.client().follow_events(ChainId::new(1).unwrap(), Some("start".to_owned()));
    assert_eq!(events.last_event_id(), Some("start"));
    assert!(matches!(next(&mut events).await, Ok(EventsChange::UpToDate)));
    assert_eq!(next_quote(&mut events).await, QuoteEventKind::Signed);
    assert!(matches!(next(&mut events).await, Ok(EventsChange::Disconnected { .. })));
    assert_eq!(next_quote(&mut events).await, QuoteEventKind::Settled);
    assert!(matches!(next(&mut events).await, Ok(EventsChange::UpToDate)));
    assert!(matches!(next(&mut events).await, Ok(EventsChange::Disconnected { .. })));
    assert!(matches!(next(&mut events).await, Ok(EventsChange::Reset)));
    assert!(matches!(next(&mut events).await, Ok(EventsChange::UpToDate)));
    assert_eq!(next_quote(&mut events).await, QuoteEventKind::Reorged);
    for (request, id) in server.requests().iter().zip(["start", "b", "f"]) {
        assert!(request.starts_with(&format!("GET /rfq/v2/events/1?last_event_id={id} HTTP/1.1")), "{request}");
    }
}

#[tokio::test]
async fn a_refusal_that_reconnecting_cannot_fix_ends_the_stream() {
    let refusal = json!({"errors": {"type": "UnauthorizedError", "code": 401, "message": "no"}}).to_string();
    let server = Server::start(vec![response(401, "", &refusal)]).await;
    let mut events = server.client().follow_events(ChainId::new(1).unwrap(), None);
    assert!(matches!(next(&mut events).await, Err(Error::Refused(_))));
}
