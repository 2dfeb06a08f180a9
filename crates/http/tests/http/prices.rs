//! Prices pushed by the operator: authorization, acceptance and errors.

use std::sync::Arc;

use firmquote_http::NewAdminToken;
use reqwest::RequestBuilder;
use serde_json::json;

use crate::support::{BrokenPublisher, RecordingPublisher, Rig, Start, TestResponse};

/// Starts a rig with a publisher that records posted prices.
async fn rig() -> (Rig, Arc<RecordingPublisher>) {
    let notes = Arc::new(RecordingPublisher::default());
    (Rig::start_with(Start { publisher: Arc::clone(&notes) as _, ..Start::default() }).await, notes)
}

fn put(rig: &Rig, body: &str) -> RequestBuilder {
    let request = rig.http.put(format!("{}/prices", rig.admin)).header("content-type", "application/json");
    request.body(body.to_owned())
}

/// Posts prices with the admin token.
async fn sent(rig: &Rig, body: &str) -> TestResponse {
    rig.send(put(rig, body).bearer_auth(rig.admin_token.reveal())).await
}

fn item(members: &str) -> String {
    format!("{{\"prices\":[{{{members}}}]}}")
}

/// Symbol, price, confidence in steps, time in microseconds.
fn posted(notes: &RecordingPublisher) -> Vec<(String, String, u64, u64)> {
    let notes = notes.0.lock().unwrap();
    let posted = notes.iter().map(|price| {
        let latest = price.observation;
        (price.symbol.to_string(), latest.price.to_string(), latest.confidence_steps, latest.observed_at.as_micros())
    });
    posted.collect()
}

#[tokio::test]
async fn prices_are_exact_as_strings_and_as_numbers() {
    let (rig, notes) = rig().await;
    let body = r#"{"prices":[
        {"symbol":"ETH","price_usd":"2080.527","confidence_usd":"0.4","observed_at":1763700000123},
        {"symbol":"USDC","price_usd":184467440737.09551615,"confidence_usd":0.00000001}
    ]}"#;
    assert_eq!(sent(&rig, body).await.success(), json!({"accepted": 2}));
    let expected = [
        ("ETH".to_owned(), "2080.527".to_owned(), 40_000_000, 1_763_700_000_123_000),
        // Noon of the rig, in whole milliseconds.
        ("USDC".to_owned(), "184467440737.09551615".to_owned(), 1, 1_697_235_848_932_000),
    ];
    assert_eq!(posted(&notes), expected);
}

#[tokio::test]
async fn prices_require_the_token_and_the_admin_listener() {
    let (rig, notes) = rig().await;
    let body = item(r#""symbol":"ETH","price_usd":1"#);
    let missing = rig.send(put(&rig, &body)).await;
    assert_eq!(missing.error(), (401, "Unauthorized".into(), None, "Credentials are required".into()));
    assert_eq!(missing.header("www-authenticate"), Some("Bearer realm=\"Firmquote\""));
    let other = NewAdminToken::generate().unwrap();
    let token = rig.admin_token.reveal();
    for request in [
        put(&rig, &body).bearer_auth(other.reveal()),
        put(&rig, &body).bearer_auth(rig.admin_token.sha256_hex()),
        put(&rig, &body).bearer_auth(rig.acme_key.reveal()),
        put(&rig, &body).bearer_auth(""),
        put(&rig, &body).basic_auth("admin", Some(token)),
        put(&rig, &body).header("authorization", token),
        put(&rig, &body).bearer_auth(token).bearer_auth(token),
    ] {
        let answer = rig.send(request).await;
        assert_eq!(answer.error(), (403, "Forbidden".into(), None, "Access is forbidden".into()));
        assert!(!answer.text.contains(token));
    }
    let with_key = put(&rig, &body).header("x-api-key", rig.acme_key.reveal());
    assert_eq!(rig.send(with_key).await.status, 401, "a client's key is nothing here");
    for base in [&rig.base, &rig.base_v2] {
        let request = rig.http.put(format!("{base}/prices")).bearer_auth(token).body(body.clone());
        assert_eq!(rig.send(request).await.error().0, 404, "{base}");
    }
    let read = rig.send(rig.http.get(format!("{}/prices", rig.admin)).bearer_auth(token)).await;
    assert_eq!((read.error().0, read.header("allow")), (405, Some("PUT")));
    assert!(posted(&notes).is_empty());
}

#[tokio::test]
async fn without_a_configured_token_prices_are_rejected() {
    let rig = Rig::start_with(Start { has_admin_token: false, ..Start::default() }).await;
    let body = item(r#""symbol":"ETH","price_usd":1"#);
    let message = "Access is forbidden: no admin token is configured (server.admin_token_sha256)";
    for request in [put(&rig, &body), put(&rig, &body).bearer_auth(rig.admin_token.reveal())] {
        assert_eq!(rig.send(request).await.error(), (403, "Forbidden".into(), None, message.into()));
    }
}

#[tokio::test]
async fn one_error_rejects_the_whole_list_and_every_error_is_listed() {
    let (rig, notes) = rig().await;
    let good = r#"{"symbol":"USDC","price_usd":1}"#;
    let body = format!(
        r#"{{"prices":[{good},{{"price_usd":"NaN"}},{{"symbol":7,"price_usd":0,"observed_at":"soon"}},{good},8,
        {{"symbol":"ETH","price_usd":"0.000000015","confidence_usd":-1}}]}}"#
    );
    let answer = sent(&rig, &body).await;
    let expected = [
        "missing prices.1.symbol",
        "decimal_parsing prices.1.price_usd",
        "string_type prices.2.symbol",
        "out_of_range prices.2.price_usd",
        "int_parsing prices.2.observed_at",
        "mutually_exclusive prices.3.symbol",
        "object_type prices.4",
        "out_of_range prices.5.price_usd",
        "decimal_parsing prices.5.confidence_usd",
    ];
    assert_eq!(answer.invalid(), expected);
    let data = answer.json()["data"].clone();
    assert_eq!(data[0]["loc"], json!(["prices", 1, "symbol"]));
    assert_eq!((&data[0]["msg"], &data[0]["input"]), (&json!("Field required"), &json!({"price_usd": "NaN"})));
    let cut = "ETH: too precise, allowed: 8 decimals, losing at most 0.1 basis points";
    assert_eq!((&data[7]["msg"], &data[7]["input"]), (&json!(cut), &json!("0.000000015")));
    assert!(posted(&notes).is_empty());
    for (body, expected) in [
        ("", "json_invalid"),
        ("[]", "json_invalid"),
        (r#"{"prices":[],"prices":[]}"#, "json_invalid"),
        ("{}", "missing prices"),
        (r#"{"prices":{}}"#, "list_type prices"),
        (r#"{"prices":[]}"#, "out_of_range prices"),
    ] {
        assert_eq!(sent(&rig, body).await.invalid(), [expected], "{body}");
    }
    for price in ["0", "\"0\"", "-1", "\"-1\"", "\"NaN\"", "1e300", "\"1e300\"", "\"inf\"", "999999999999999"] {
        let answer = sent(&rig, &item(&format!("\"symbol\":\"ETH\",\"price_usd\":{price}"))).await;
        assert_eq!(answer.invalid().len(), 1, "{price}");
    }
    for kind in ["decimal_parsing", "list_type", "object_type"] {
        assert_eq!(rig.send(rig.http.get(format!("{}/errors/{kind}", rig.base))).await.status, 200, "{kind}");
    }
    for item in data.as_array().unwrap() {
        let page = rig.send(rig.http.get(item["url"].as_str().unwrap())).await;
        assert_eq!(page.status, 200, "the link of an item leads somewhere: {item}");
    }
}

#[tokio::test]
async fn assets_without_a_push_source_are_unsupported() {
    let (rig, notes) = rig().await;
    let body = r#"{"prices":[{"symbol":"ETH","price_usd":1},{"symbol":"DOGE","price_usd":1}]}"#;
    let expected = (400, "BadData".into(), None, "symbol: DOGE is not supported".into());
    assert_eq!(sent(&rig, body).await.error(), expected);
    assert!(posted(&notes).is_empty());
}

#[tokio::test]
async fn bodies_are_bounded_and_must_be_json() {
    let (rig, notes) = rig().await;
    let token = rig.admin_token.reveal();
    assert_eq!(sent(&rig, &"x".repeat(17 * 1_024)).await.error().0, 413);
    let text = rig.http.put(format!("{}/prices", rig.admin)).bearer_auth(token).body("{}");
    assert_eq!(rig.send(text).await.error().0, 415);
    assert!(posted(&notes).is_empty());
}

#[tokio::test]
async fn an_unreachable_price_publisher_is_reported() {
    let rig = Rig::start_with(Start { publisher: Arc::new(BrokenPublisher), ..Start::default() }).await;
    let answer = sent(&rig, &item(r#""symbol":"ETH","price_usd":1"#)).await;
    let expected = (503, "ExternalServiceError".into(), None, "the prices were not posted".into());
    assert_eq!((answer.error(), answer.header("retry-after")), (expected, Some("2")));
    let metrics = rig.send(rig.http.get(format!("{}/metrics", rig.admin))).await.text;
    let counted = "firmquote_http_requests_total{outcome=\"ExternalServiceError\",route=\"/prices\"} 1";
    assert!(metrics.lines().any(|line| line == counted), "{metrics}");
}
