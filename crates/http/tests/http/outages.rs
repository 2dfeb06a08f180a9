//! Responses while a dependency is unavailable, and what they do not reveal.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::support::{BrokenSigner, Rig, Start, TestResponse, broken_store, panicking_store};

const ALICE: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

fn quote_body() -> Value {
    json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC",
        "input_amount": "1000000000000000000"})
}

fn sign_body() -> Value {
    json!({"quote_id": "05a51aa6-41b5-4c61-a452-f1b95d0d43e4", "destination_address": ALICE})
}

fn assert_unavailable(answer: &TestResponse) {
    let (status, kind, code, message) = answer.error();
    assert_eq!((status, kind.as_str(), code), (503, "ExternalServiceError", None), "{message}");
    assert!(!answer.text.contains("hunter2"), "{message}");
    assert_eq!(answer.header("retry-after"), Some("2"));
}

#[tokio::test]
async fn an_unreachable_store_is_reported() {
    let rig = Rig::start_with(Start { store: broken_store(), ..Start::default() }).await;
    assert_unavailable(&rig.post("/rfq/quote", &quote_body()).await);
    assert_unavailable(&rig.post("/rfq/sign", &sign_body()).await);
    assert_unavailable(&rig.send(rig.http.get(format!("{}/readyz", rig.admin))).await);
    rig.get("/rfq/v2/pool/1").await.success();
    assert_eq!(rig.send(rig.http.get(format!("{}/healthz", rig.admin))).await.status, 200);
}

#[tokio::test]
async fn an_unreachable_key_service_is_reported() {
    let rig = Rig::start_with(Start { signer: Arc::new(BrokenSigner), ..Start::default() }).await;
    let quote = rig.post("/rfq/quote", &quote_body()).await.success();
    let answer = rig.post("/rfq/sign", &json!({"quote_id": quote["id"], "destination_address": ALICE})).await;
    assert_unavailable(&answer);
}

#[tokio::test]
async fn unknown_prices_are_an_outage() {
    let rig = Rig::start_with(Start { is_blind: true, ..Start::default() }).await;
    assert_unavailable(&rig.post("/rfq/quote", &quote_body()).await);
    assert_unavailable(&rig.get("/rfq/v2/pool/1").await);
    assert_unavailable(&rig.send(rig.http.get(format!("{}/readyz", rig.admin))).await);
}

#[tokio::test]
async fn a_panic_affects_only_its_own_request() {
    let rig = Rig::start_with(Start { store: panicking_store(), ..Start::default() }).await;
    for (path, body) in [("/rfq/quote", quote_body()), ("/rfq/sign", sign_body())] {
        let answer = rig.post(path, &body).await;
        assert_eq!(answer.error(), (500, "InternalError".into(), None, "Internal error".into()));
        assert!(answer.header("x-request-id").is_some());
        rig.get("/rfq/v2/pool/1").await.success();
    }
    let metrics = rig.send(rig.http.get(format!("{}/metrics", rig.admin))).await.text;
    assert!(metrics.contains("firmquote_rejections_total{reason=\"internal\"} 2"), "{metrics}");
}
