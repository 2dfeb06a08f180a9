//! Health and metrics for operators, and the headers of every response.

use std::{sync::Arc, time::Duration};

use reqwest::Method;
use serde_json::json;

use crate::support::{Rig, Start, TestResponse, gated_store};

async fn admin(rig: &Rig, path: &str) -> TestResponse {
    rig.send(rig.http.get(format!("{}{path}", rig.admin))).await
}

#[tokio::test]
async fn health_readiness_and_metrics_are_served_on_the_admin_listener_only() {
    let rig = Rig::start().await;
    assert_eq!(admin(&rig, "/healthz").await.success(), json!({"status": "ok"}));
    let (ready, none) = (admin(&rig, "/readyz").await.success(), json!({"state": "ready", "reasons": []}));
    let parts = ["store", "ledger", "clock", "signing", "prices", "reserves", "key", "pauses", "tape", "stopping"]
        .map(|part| (part.to_owned(), none.clone()));
    assert_eq!(ready, json!({"ready": true, "parts": serde_json::Map::from_iter(parts)}));
    let metrics = admin(&rig, "/metrics").await;
    assert_eq!(
        (metrics.status, metrics.header("content-type")),
        (200, Some("text/plain; version=0.0.4; charset=utf-8"))
    );
    for path in ["/rfq/v2/pool/1", "/rfq/quote", "/operator/none.js"] {
        assert_eq!(admin(&rig, path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn requests_quotes_signatures_and_rejections_are_counted() {
    let rig = Rig::start().await;
    let query = "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";
    rig.get(&format!("/rfq/v2/quote/1?{query}")).await.success();
    let destination = "destination_address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    rig.get(&format!("/rfq/v2/quote-sign/1?{query}&{destination}")).await.success();
    rig.get("/rfq/v2/quote/1").await.invalid();
    rig.get("/nowhere").await.error();
    let metrics = admin(&rig, "/metrics").await.text;
    for line in [
        "firmquote_http_requests_total{outcome=\"ok\",route=\"/rfq/v2/quote/{chain_id}\"} 1",
        "firmquote_http_requests_total{outcome=\"BadData\",route=\"/rfq/v2/quote/{chain_id}\"} 1",
        "firmquote_http_requests_total{outcome=\"NotFound\",route=\"unmatched\"} 1",
        "firmquote_http_request_duration_seconds_count{route=\"/rfq/v2/quote-sign/{chain_id}\"} 1",
        "firmquote_rejections_total{reason=\"invalid_input\"} 1",
        "firmquote_quotes_total 2",
        "firmquote_signatures_total 1",
        "firmquote_pool_quotes_total{chain_id=\"1\",pool=\"0x655eDCE464CC797526600a462A8154650EEe4B77\"} 2",
        "firmquote_pool_signatures_total{chain_id=\"1\",pool=\"0x655eDCE464CC797526600a462A8154650EEe4B77\"} 1",
        "firmquote_build_info{version=\"0.0.0-test\"} 1",
    ] {
        assert!(metrics.lines().any(|written| written == line), "{line}\n{metrics}");
    }
    assert!(!metrics.contains(rig.acme_key.reveal()));
}

#[tokio::test]
async fn every_response_has_a_request_id_and_nosniff_and_no_server_header() {
    let rig = Rig::start().await;
    for path in ["/rfq/v2/pool/1", "/rfq/v2/pool/x", "/nowhere", "/errors", "/errors/missing"] {
        for (given, is_echoed) in [("trace-1.2_3", true), ("<script>", false), ("", false)] {
            let request = rig.request(Method::GET, path).header("x-api-key", rig.acme_key.reveal());
            let answer = rig.send(request.header("x-request-id", given)).await;
            assert_eq!(answer.header("x-request-id") == Some(given), is_echoed, "{path} {given}");
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
            assert_eq!((answer.header("server"), answer.header("x-powered-by")), (None, None));
            let policy = answer.header("content-security-policy").unwrap();
            assert!(policy.starts_with("default-src 'none'; ") && policy.ends_with("frame-ancestors 'none'"), "{path}");
            assert_eq!(answer.header("cache-control"), path.starts_with("/rfq").then_some("no-store"), "{path}");
        }
    }
}

#[tokio::test]
async fn error_pages_load_no_resources() {
    let rig = Rig::start().await;
    let policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    for path in ["/errors", "/errors/out_of_range"] {
        let page = rig.send(rig.request(Method::GET, path)).await;
        assert_eq!((page.status, page.header("content-security-policy")), (200, Some(policy)));
        assert!(page.text.contains("out_of_range"));
        for forbidden in ["<style", "style=", "<script", "<link", "<img", "<form", "<base"] {
            assert!(!page.text.contains(forbidden), "{path}: {forbidden}");
        }
    }
    let answer = rig.get("/rfq/v2/pool/1").await;
    assert_eq!(answer.header("content-security-policy"), Some("default-src 'none'; frame-ancestors 'none'"));
}

#[tokio::test]
async fn version_2_can_have_its_own_listener() {
    let rig = Rig::start_with(Start { is_split: true, ..Start::default() }).await;
    assert_ne!(rig.base, rig.base_v2);
    rig.get("/rfq/v2/pool/1").await.success();
    assert_eq!(rig.post("/rfq/quote", &json!({})).await.status, 400);
    for (base, path) in [(&rig.base, "/rfq/v2/pool/1"), (&rig.base_v2, "/rfq/pool"), (&rig.base_v2, "/rfq/quote")] {
        assert_eq!(rig.send(rig.http.get(format!("{base}{path}"))).await.error().0, 404, "{base}{path}");
    }
    for base in [&rig.base, &rig.base_v2] {
        assert_eq!(rig.send(rig.http.get(format!("{base}/errors/missing"))).await.status, 200);
    }
}

#[tokio::test]
async fn a_draining_server_is_not_ready_but_responds() {
    let rig = Rig::start().await;
    rig.stop.begin_draining();
    let (status, kind, _, message) = admin(&rig, "/readyz").await.error();
    assert_eq!(
        (status, kind.as_str(), message.as_str()),
        (503, "ExternalServiceError", "The service is not ready: the service is stopping")
    );
    assert_eq!(admin(&rig, "/healthz").await.status, 200);
    rig.get("/rfq/v2/pool/1").await.success();
}

#[tokio::test]
async fn requests_in_flight_finish_at_shutdown() {
    let store = gated_store(10);
    let mut rig = Rig::start_with(Start { store: Arc::clone(&store) as _, ..Start::default() }).await;
    let query = "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";
    let request = rig.request(Method::GET, &format!("/rfq/v2/quote/1?{query}"));
    let request = request.header("x-api-key", rig.acme_key.reveal());
    let asking = tokio::spawn(request.send());
    store.layer.arrived.acquire().await.unwrap().forget();
    let stop = rig.stop.clone();
    let stopping = tokio::spawn(async move { stop.stop().await });
    while rig.http.get(format!("{}/errors", rig.base)).send().await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert!(!stopping.is_finished());
    store.layer.gate.add_permits(1);
    TestResponse::read(asking.await.unwrap().unwrap()).await.success();
    tokio::time::timeout(Duration::from_secs(10), stopping).await.unwrap().unwrap();
    (&mut rig.serving).await.unwrap().unwrap();
}
