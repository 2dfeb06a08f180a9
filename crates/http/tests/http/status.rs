//! The status of quotes.

use firmquote_domain::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{POOL, Rig};

const QUOTE: &str = "/rfq/v2/quote/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";

async fn status(rig: &Rig, id: &Value) -> Value {
    rig.get(&format!("/rfq/v2/quote-status/{}", id.as_str().unwrap())).await.success()
}

#[tokio::test]
async fn a_quote_is_tracked_from_creation_to_settlement() {
    let rig = Rig::start().await;
    let quote = rig.get(QUOTE).await.success();
    let mut expected = json!({
        "quote_id": quote["id"], "state": "created", "chain_id": 1, "pool_address": POOL,
        "created_at": quote["created_at"], "must_accept_by": quote["must_accept_by"], "good_until": quote["good_until"],
        "signed_at": null, "execution": null, "settled": null,
    });
    assert_eq!(status(&rig, &quote["id"]).await, expected);
    rig.clock.advance_micros(1_000_001);
    let terms = json!({"quote_id": quote["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
    let signed = rig.post_as_acme("/rfq/v2/sign", &terms).await.success();
    expected["state"] = json!("signed");
    expected["signed_at"] = json!("2023-10-13 22:24:09.932561+00:00");
    expected["execution"] = signed["execution"].clone();
    assert_eq!(status(&rig, &quote["id"]).await, expected);
    rig.settle(quote["id"].as_str().unwrap()).await;
    expected["state"] = json!("settled");
    expected["settled"] = json!({
        "transaction_hash": "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060", "log_index": 12,
        "block_number": 18_345_678, "block_timestamp": 1_697_235_863, "confirmations": 3,
        "input_amount": signed["input_amount"], "output_amount": signed["output_amount"],
    });
    assert_eq!(status(&rig, &quote["id"]).await, expected);
}

#[tokio::test]
async fn only_the_client_of_a_quote_sees_its_status() {
    let rig = Rig::start().await;
    let quote = rig.get(QUOTE).await.success();
    let path = format!("/rfq/v2/quote-status/{}", quote["id"].as_str().unwrap());
    let apex = rig.request(Method::GET, &path).header("x-api-key", rig.apex_key.reveal());
    assert_eq!(rig.send(apex).await.error().0, 403);
    assert_eq!(rig.send(rig.request(Method::GET, &path)).await.error().0, 401);
    assert_eq!(rig.get("/rfq/v2/quote-status/x").await.invalid(), ["uuid_parsing quote_id"]);
    let unknown = rig.get("/rfq/v2/quote-status/05a51aa6-41b5-4c61-a452-f1b95d0d43e4").await.error();
    assert_eq!((unknown.0, unknown.1.as_str()), (404, "NotFound"), "{}", unknown.3);
    rig.clock.set(Timestamp::from_seconds(1_697_235_860 + 1));
    assert_eq!(rig.get(&path).await.error().0, 404, "expired unsigned");
}

#[tokio::test]
async fn an_unexecuted_swap_lapses_a_minute_after_its_end() {
    let rig = Rig::start().await;
    let quote = rig.get(QUOTE).await.success();
    let terms = json!({"quote_id": quote["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
    rig.post_as_acme("/rfq/v2/sign", &terms).await.success();
    let good_until = u32::try_from(quote["good_until"].as_u64().unwrap()).unwrap();
    for (second, state) in [(good_until + 59, "signed"), (good_until + 60, "lapsed")] {
        rig.clock.set(Timestamp::from_seconds(second));
        rig.desk.refresh_book(&rig.desk.pools[0]).await.unwrap();
        let answer = status(&rig, &quote["id"]).await;
        assert_eq!((&answer["state"], &answer["settled"]), (&json!(state), &Value::Null));
    }
    rig.clock.set(Timestamp::from_seconds(good_until + 86_401));
    let forgotten = format!("/rfq/v2/quote-status/{}", quote["id"].as_str().unwrap());
    assert_eq!(rig.get(&forgotten).await.error().0, 404);
}

/// Pages of signed swaps, and the ids of their quotes.
async fn swaps(rig: &Rig, query: &str) -> (Value, Vec<Value>) {
    let page = rig.get(&format!("/rfq/v2/swaps{query}")).await.success();
    let ids = page["swaps"].as_array().unwrap().iter().map(|swap| swap["quote_id"].clone()).collect();
    (page, ids)
}

#[tokio::test]
async fn a_client_lists_its_signed_swaps_page_by_page() {
    let rig = Rig::start().await;
    assert_eq!(swaps(&rig, "").await.0, json!({"swaps": [], "next_cursor": null}));
    let mut ids = Vec::new();
    for _ in 0..3 {
        let quote = rig.get(QUOTE).await.success();
        let terms =
            json!({"quote_id": quote["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
        rig.post_as_acme("/rfq/v2/sign", &terms).await.success();
        rig.clock.advance_micros(1_500_000);
        ids.push(quote["id"].clone());
    }
    rig.get(QUOTE).await.success();
    rig.settle(ids[1].as_str().unwrap()).await;
    let (page, first_ids) = swaps(&rig, "?limit=2").await;
    assert_eq!(first_ids, ids[..2]);
    let status = status(&rig, &ids[1]).await;
    let swap = &page["swaps"][1];
    for shared in ["quote_id", "state", "chain_id", "pool_address", "good_until", "signed_at", "execution", "settled"] {
        assert_eq!(swap[shared], status[shared], "{shared}");
    }
    assert_eq!((&swap["state"], &swap["input_amount"]), (&json!("settled"), &json!("1000000000000000000")));
    let (page, last_ids) = swaps(&rig, &format!("?cursor={}", page["next_cursor"].as_str().unwrap())).await;
    assert_eq!(last_ids, ids[2..]);
    let end = format!("?cursor={}", page["next_cursor"].as_str().unwrap());
    assert_eq!(swaps(&rig, &end).await.0, json!({"swaps": [], "next_cursor": null}));
    // Signed at 1697235848.93, and 1.5 and 3 s later.
    for (query, expected) in [
        ("?since=1697235850", &ids[1..]),
        ("?until=1697235849", &ids[..1]),
        ("?since=1697235850&until=1697235851", &ids[1..2]),
    ] {
        assert_eq!(swaps(&rig, query).await.1, expected, "{query}");
    }
    let invalid = rig.get("/rfq/v2/swaps?since=-1&until=4294967296&cursor=00&limit=0").await.invalid();
    assert_eq!(invalid, ["int_parsing since", "out_of_range until", "hex_bytes cursor", "out_of_range limit"]);
    let apex = rig.request(Method::GET, "/rfq/v2/swaps").header("x-api-key", rig.apex_key.reveal());
    assert_eq!(rig.send(apex).await.success(), json!({"swaps": [], "next_cursor": null}), "nothing of others");
    assert_eq!(rig.send(rig.request(Method::GET, "/rfq/v2/swaps")).await.error().0, 401);
}
