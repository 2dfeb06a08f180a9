//! `/readyz` by part; metrics and log agree with it.

use std::sync::{Arc, atomic::Ordering};

use firmquote_market::{Rejection, Snapshot};
use serde_json::{Value, json};

use crate::support::{BrokenSigner, Rig, Start, TestResponse, broken_store, demo_pool, demo_state, gated_store};

async fn admin(rig: &Rig, path: &str) -> TestResponse {
    rig.send(rig.http.get(format!("{}{path}", rig.admin))).await
}

/// Returns the state of a part in `/readyz`, after checking that the metrics agree.
async fn part(rig: &Rig, status: u16, name: &str) -> Value {
    let answer = admin(rig, "/readyz").await;
    assert_eq!(answer.status, status, "{answer:?}");
    let body = answer.json();
    assert_eq!(body["ready"], status == 200);
    let metrics = admin(rig, "/metrics").await.text;
    let is_shown = |line: &str| metrics.lines().any(|written| written == line);
    assert!(is_shown(&format!("firmquote_ready {}", u8::from(status == 200))), "{metrics}");
    for (part, condition) in body["parts"].as_object().unwrap() {
        for state in ["ready", "degraded", "unready"] {
            let is_so = u8::from(condition["state"] == state);
            let line = format!("firmquote_part_state{{part=\"{part}\",state=\"{state}\"}} {is_so}");
            assert!(is_shown(&line), "{line}\n{metrics}");
        }
    }
    body["parts"][name].clone()
}

#[tokio::test]
async fn an_unreachable_store_makes_the_service_unready_and_stops_quotes() {
    let rig = Rig::start_with(Start { store: broken_store(), ..Start::default() }).await;
    let store = part(&rig, 503, "store").await;
    assert_eq!(store, json!({"state": "unready", "reasons": ["the store call failed"]}));
    let answer = admin(&rig, "/readyz").await;
    let expected = "The service is not ready: the store call failed";
    assert_eq!(answer.error(), (503, "ExternalServiceError".into(), None, expected.into()));
    assert_eq!((answer.header("retry-after"), answer.header("cache-control")), (Some("2"), Some("no-store")));
    let head = rig.send(rig.http.head(format!("{}/readyz", rig.admin))).await;
    assert_eq!((head.status, head.text.as_str()), (503, ""));
}

#[tokio::test]
async fn an_unreachable_key_service_degrades_the_service_which_still_quotes() {
    let rig = Rig::start_with(Start { signer: Arc::new(BrokenSigner), ..Start::default() }).await;
    let key = part(&rig, 200, "key").await;
    let reason = "0x0707070707070707070707070707070707070707: the signer is unavailable";
    assert_eq!(key, json!({"state": "degraded", "reasons": [reason]}));
}

#[tokio::test]
async fn untrusted_data_degrades_while_something_is_quotable_and_recovers() {
    let rig = Rig::start().await;
    let set = |count: usize| {
        let mut state = demo_state("2080.527");
        state.assets.iter_mut().take(count).for_each(|asset| asset.price = Err(Rejection::Silent));
        rig.market.replace(Snapshot::default().with(demo_pool().id, state));
    };
    set(1);
    let prices = part(&rig, 200, "prices").await;
    assert_eq!(prices["state"], "degraded");
    assert!(prices["reasons"][0].as_str().unwrap().ends_with(": no update was received yet"), "{prices}");
    set(demo_pool().assets.len() - 1);
    assert_eq!(part(&rig, 503, "prices").await["state"], "unready");
    assert_eq!(part(&rig, 503, "reserves").await["state"], "ready");
    set(0);
    assert_eq!(part(&rig, 200, "prices").await, json!({"state": "ready", "reasons": []}));
}

#[tokio::test]
async fn a_stopping_service_reports_only_that() {
    let rig = Rig::start().await;
    rig.stop.begin_draining();
    let stopping = part(&rig, 503, "stopping").await;
    assert_eq!(stopping, json!({"state": "unready", "reasons": ["the service is stopping"]}));
    assert_eq!(part(&rig, 503, "store").await["state"], "ready");
}

#[tokio::test]
async fn the_store_is_checked_once_per_second_however_often_readiness_is_requested() {
    let store = gated_store(1);
    let rig = Rig::start_with(Start { store: Arc::clone(&store) as _, ..Start::default() }).await;
    for count in 1..4 {
        for path in ["/readyz", "/metrics", "/readyz", "/metrics"] {
            assert_eq!(admin(&rig, path).await.status, 200);
        }
        assert_eq!(store.layer.pings.load(Ordering::SeqCst), count);
        rig.clock.advance_micros(1_000_000);
    }
}
