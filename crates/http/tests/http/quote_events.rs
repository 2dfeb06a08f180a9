//! A client's stream of events about its own quotes.

use firmquote_http::NewApiKey;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::{PATIENCE, POOL, Publisher, Rig};

const QUOTE: &str = "/rfq/v2/quote/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";
const DESTINATION: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// An open stream, parsed as by `EventSource`.
struct QuoteEvents {
    response: reqwest::Response,
    text: String,
}

impl QuoteEvents {
    async fn open(rig: &Rig, key: &NewApiKey, last_event_id: Option<&str>) -> Self {
        let mut request = rig.request(Method::GET, "/rfq/v2/events/1").header("x-api-key", key.reveal());
        if let Some(id) = last_event_id {
            request = request.header("last-event-id", id);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, text: String::new() }
    }

    /// Returns the next event; its members repeat the fields of the event stream.
    async fn next(&mut self) -> Value {
        let end = loop {
            match self.text.find("\n\n") {
                Some(end) => break end,
                None => {
                    let chunk = timeout(PATIENCE, self.response.chunk()).await.expect("an event").unwrap();
                    self.text.push_str(std::str::from_utf8(&chunk.expect("no end")).unwrap());
                }
            }
        };
        let event: String = self.text.drain(..end + 2).collect();
        let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap();
        let members: Value = serde_json::from_str(field("data")).unwrap();
        assert_eq!((&members["event"], &members["id"]), (&json!(field("event")), &json!(field("id"))));
        members
    }

    /// Returns the next event other than a heartbeat, which must be of this kind, without its cursor, and the cursor.
    async fn expect(&mut self, kind: &str) -> (Value, String) {
        loop {
            let mut event = self.next().await;
            if event["event"] != "heartbeat" {
                assert_eq!(event["event"], kind, "{event}");
                let id = event.as_object_mut().unwrap().remove("id").unwrap();
                return (event, id.as_str().unwrap().to_owned());
            }
        }
    }

    /// Waits for the next heartbeat, before which nothing else may come, and returns its cursor.
    async fn heartbeat(&mut self) -> String {
        let event = self.next().await;
        assert_eq!(event["event"], "heartbeat", "{event}");
        event["id"].as_str().unwrap().to_owned()
    }
}

/// Signs a quote of the client with this key and returns its id.
async fn sign(rig: &Rig, key: &NewApiKey) -> Value {
    let quote = rig.send(rig.request(Method::GET, QUOTE).header("x-api-key", key.reveal())).await.success();
    let terms = json!({"quote_id": quote["id"], "destination_address": DESTINATION});
    let request = rig.request(Method::POST, "/rfq/v2/sign").header("x-api-key", key.reveal()).json(&terms);
    rig.send(request).await.success();
    rig.clock.advance_micros(1_000);
    quote["id"].clone()
}

#[tokio::test]
async fn a_client_receives_the_events_of_its_own_quotes_and_resumes_after_any_of_them() {
    let rig = Rig::start().await;
    let _publisher = Publisher::start(&rig);
    let mut events = QuoteEvents::open(&rig, &rig.acme_key, None).await;
    let start = events.heartbeat().await;
    sign(&rig, &rig.apex_key).await;
    let id = sign(&rig, &rig.acme_key).await;
    let (signed, after_signed) = events.expect("signed").await;
    assert_eq!(
        signed,
        json!({
            "event": "signed", "quote_id": id, "chain_id": 1, "pool_address": POOL,
            "recorded_at": "2023-10-13 22:24:08.933560+00:00", "settled": null,
        })
    );
    sign(&rig, &rig.apex_key).await;
    rig.settle(id.as_str().unwrap()).await;
    let (settled, _) = events.expect("settled").await;
    let status = rig.get(&format!("/rfq/v2/quote-status/{}", id.as_str().unwrap())).await.success();
    let mut settlement = status["settled"].clone();
    settlement["confirmations"] = Value::Null;
    assert_eq!((&settled["quote_id"], &settled["settled"]), (&id, &settlement));
    drop(events);

    // Resumed from before the first event, and from the middle.
    let mut again = QuoteEvents::open(&rig, &rig.acme_key, Some(&start)).await;
    assert_eq!(again.expect("signed").await.0, signed);
    assert_eq!(again.expect("settled").await.0, settled);
    again.heartbeat().await;
    let mut rest = QuoteEvents::open(&rig, &rig.acme_key, Some(&after_signed)).await;
    assert_eq!(rest.expect("settled").await.0, settled);
    rest.heartbeat().await;
}

#[tokio::test]
async fn a_stream_begins_anew_after_a_cursor_that_is_not_its_own_or_too_old() {
    let rig = Rig::start().await;
    let _publisher = Publisher::start(&rig);
    let of_acme = QuoteEvents::open(&rig, &rig.acme_key, None).await.heartbeat().await;
    let of_apex = QuoteEvents::open(&rig, &rig.apex_key, None).await.heartbeat().await;
    sign(&rig, &rig.acme_key).await;
    for unknown in [of_apex.as_str(), "x", "5f1c3a9be2d04c6f8a7b6c5d4e3f2a1b.0-0.0-0"] {
        let mut events = QuoteEvents::open(&rig, &rig.acme_key, Some(unknown)).await;
        events.expect("reset").await;
        events.heartbeat().await;
    }
    let mut events = QuoteEvents::open(&rig, &rig.acme_key, Some(&of_acme)).await;
    events.expect("signed").await;
    rig.clock.advance_micros(600_000_000);
    let mut events = QuoteEvents::open(&rig, &rig.acme_key, Some(&of_acme)).await;
    let (_, after_reset) = events.expect("reset").await;
    let mut events = QuoteEvents::open(&rig, &rig.acme_key, Some(&after_reset)).await;
    events.heartbeat().await;
}

#[tokio::test]
async fn a_stream_of_the_operator_begins_anew_after_an_id_that_is_none() {
    let rig = Rig::start().await;
    let _publisher = Publisher::start(&rig);
    let url = format!("{}/events?kinds=signed", rig.admin);
    let request = reqwest::Client::new().get(url).bearer_auth(rig.admin_token.reveal());
    let response = request.header("last-event-id", "zz").send().await.unwrap();
    assert_eq!(QuoteEvents { response, text: String::new() }.next().await["event"], "reset");
}

#[tokio::test]
async fn streams_require_an_api_key_and_a_served_chain_and_are_limited_for_each_client() {
    let rig = Rig::start().await;
    let path = "/rfq/v2/events/1";
    assert_eq!(rig.send(rig.request(Method::GET, path)).await.error().0, 401);
    assert_eq!(rig.get("/rfq/v2/events/5").await.error().0, 400);
    assert_eq!(rig.get("/rfq/v2/events/x").await.invalid(), ["int_parsing chain_id"]);
    let mut streams = Vec::new();
    for _ in 0..32 {
        streams.push(QuoteEvents::open(&rig, &rig.acme_key, None).await);
    }
    let refused = rig.get(path).await.error();
    assert_eq!((refused.0, refused.3.as_str()), (429, "Too many streams, please try again in 5 s"));
    QuoteEvents::open(&rig, &rig.apex_key, None).await.heartbeat().await;
}
