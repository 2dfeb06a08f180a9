//! Hedges are reported once each, survive a restart, and stand beside the swaps in a report.

use reqwest::Client;
use serde_json::{Value, json};

use crate::{
    program::{CONFIG, Serving, configured, directory, run},
    replicas::operator,
};

fn hedge() -> Value {
    json!({
        "hedge_id": "binance-1",
        "venue": "binance",
        "sold_asset_symbol": "ETH",
        "sold_quantity": 1.5,
        "bought_asset_symbol": "USDC",
        "bought_quantity": "3120.79",
        "price": "2080.5266",
        "fee_usd": "0.31",
        "executed_at": 1_763_700_000_123_u64,
    })
}

fn with(member: &str, value: impl Into<Value>) -> Value {
    let mut hedge = hedge();
    hedge.as_object_mut().unwrap().insert(member.to_owned(), value.into());
    hedge
}

#[tokio::test]
async fn a_hedge_is_recorded_once_and_netted_by_the_report() {
    let directory = directory();
    let [(token, hedger), (viewer_token, viewer)] =
        [("bot", "hedger"), ("ann", "viewer")].map(|(name, role)| operator(name, role));
    let store = "[store]\nledger_file = \"ledger.jsonl\"\n";
    let config = format!("{}{hedger}{viewer}", CONFIG.replace("[store]\n", store));
    let client = Client::builder().no_proxy().build().unwrap();
    let put = async |serving: &Serving, token: &str, hedge: &Value| {
        let request = client.put(format!("http://{}/hedges", serving.admin)).bearer_auth(token).json(hedge);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json::<Value>().await.unwrap())
    };
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    assert_eq!(put(&serving, &token, &hedge()).await, (200, json!({"hedge_id": "binance-1", "is_new": true})));
    let known = (200, json!({"hedge_id": "binance-1", "is_new": false}));
    // A number or a string.
    assert_eq!(put(&serving, &token, &with("sold_quantity", "1.50")).await, known);
    for (changed, reason) in [
        (with("sold_quantity", "1.51"), (409, "hedge_id_reused")),
        (with("sold_quantity", 0), (400, "invalid_input")),
        (with("bought_quantity", "1e3"), (400, "invalid_input")),
        (with("venue", "a b"), (400, "invalid_input")),
        (with("executed_at", Value::Null), (400, "invalid_input")),
        (with("executed_at", 1_763_700_000_u64), (400, "invalid_input")),
        (with("bought_asset_symbol", "ETH"), (400, "invalid_input")),
        (json!([]), (400, "invalid_input")),
    ] {
        let (status, answer) = put(&serving, &token, &changed).await;
        assert_eq!((status, answer["reason"].as_str().unwrap()), reason, "{changed} {answer}");
    }
    assert_eq!(put(&serving, &viewer_token, &hedge()).await.1["reason"], "missing_role");
    serving.signal("TERM");
    assert!(serving.ended().status.success());
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    assert_eq!(put(&serving, &token, &hedge()).await, known);
    assert_eq!(put(&serving, &token, &with("hedge_id", "binance-2")).await.0, 200);
    drop(serving);

    let arguments = |format| ["report", "--ledger", "ledger.jsonl", "--format", format];
    let report = run(configured(&directory, &arguments("json"), &config));
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    let expected = json!({
        "hedges": 2,
        "fee_usd": "0.62",
        "net_usd": null,
        "assets": [
            {"asset": "ETH", "swapped": "0", "hedged": "-3", "net": "-3"},
            {"asset": "USDC", "swapped": "0", "hedged": "6241.58", "net": "6241.58"},
        ],
    });
    assert_eq!(report["hedges"], expected);
    let archived = run(configured(&directory, &["ledger", "archive", "kept"], &config));
    assert_eq!((archived.status.code(), archived.stderr.as_str()), (Some(0), ""));
    // An archive without a signature is no ledger; its days are.
    std::fs::write(directory.path().join("kept/2025-11-21.jsonl"), "").unwrap();
    let report = run(configured(&directory, &["report", "--ledger", "kept", "--format", "json"], &config));
    assert_eq!(serde_json::from_str::<Value>(&report.stdout).unwrap()["hedges"], expected);
    let table = run(configured(&directory, &arguments("table"), &config)).stdout;
    let lines = "\n2 hedges, in whole units\nETH: swapped 0, hedged -3, net -3\nUSDC: swapped 0, hedged 6241.58, net 6241.58\n\
                 USD: fees 0.62, net unknown, without a price of ETH, USDC on a tape\n";
    assert!(table.ends_with(lines), "{table}");
}
