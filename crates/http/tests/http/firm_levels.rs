//! Responses to quotes that name firm levels.

use firmquote_desk::{FirmLevelsPolicy, Limit, SigningPolicy};
use firmquote_domain::BasisPoints;
use serde_json::{Value, json};

use crate::support::{Rig, Start};

const INPUT: &str = "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=100000000000000000";
const DESTINATION: &str = "destination_address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// Starts a service whose levels are firm for three seconds.
async fn firm_rig() -> Rig {
    let firm = FirmLevelsPolicy {
        firm_ms: 3_000,
        margin: BasisPoints::from_hundredths(50).unwrap(),
        budget: "300".parse().unwrap(),
    };
    let tenth = Limit::Share(BasisPoints::from_hundredths(100_000).unwrap());
    let policy = SigningPolicy { max_trade: tenth, firm_levels: Some(firm), ..SigningPolicy::default() };
    let rig = Rig::start_with(Start { policy, ..Start::default() }).await;
    rig.desk.firm_levels.set_client_count(1);
    rig
}

async fn firm_book(rig: &Rig) -> Value {
    let mut snapshot = rig.get("/rfq/v2/levels/1?pairs=ETH-USDC").await.success();
    snapshot["books"][0].take()
}

#[tokio::test]
async fn quotes_honour_the_firm_book_they_name() {
    let rig = firm_rig().await;
    let book = firm_book(&rig).await;
    let budget: u128 = book["firm_budget_input"].as_str().unwrap().parse().unwrap();
    assert_eq!(book["firm"], true);
    assert!((100_000_000_000_000_000..=200_000_000_000_000_000).contains(&budget), "{budget}");
    let [published, until] = ["published_ms", "valid_until_ms"].map(|member| book[member].as_u64().unwrap());
    assert_eq!(until - published, 3_000);
    let id = book["levels_id"].as_str().unwrap();
    rig.set_eth_price("1976.5");
    let ordinary = rig.get(&format!("/rfq/v2/quote/1?{INPUT}")).await.success();
    assert!(ordinary.get("levels_id").is_none() && ordinary.get("levels_output").is_none());
    let firm = rig.get(&format!("/rfq/v2/quote/1?{INPUT}&levels_id={id}")).await.success();
    let amount = |quote: &Value, member: &str| quote[member].as_str().unwrap().parse::<u128>().unwrap();
    assert!(amount(&firm, "output_amount") > amount(&ordinary, "output_amount"));
    assert_eq!(firm["levels_output"], firm["output_amount"]);
    assert_eq!(firm["levels_id"], book["levels_id"]);
    assert_eq!(amount(&firm, "firm_budget_left_input"), budget - 100_000_000_000_000_000);
    let terms = json!({"quote_id": firm["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
    let signed = rig.post_as_acme("/rfq/v2/sign", &terms).await.success();
    assert_eq!(signed["output_amount"], firm["output_amount"]);
    // The remainder is available at once, also to another client.
    let smaller = INPUT.replace("100000000000000000", "10000000000000000");
    let at_once = rig.get(&format!("/rfq/v2/quote-sign/1?{smaller}&{DESTINATION}&levels_id={id}")).await.success();
    assert_eq!(amount(&at_once, "firm_budget_left_input"), budget - 110_000_000_000_000_000);
    assert!(amount(&at_once, "output_amount") >= amount(&at_once, "levels_output"));
}

#[tokio::test]
async fn a_quote_outside_the_levels_states_the_reason() {
    let rig = firm_rig().await;
    let book = firm_book(&rig).await;
    let id = book["levels_id"].as_str().unwrap();
    let refused = async |input: &str, id: &str| {
        let path = format!("/rfq/v2/quote/1?input_asset_symbol=ETH&output_asset_symbol=USDC&{input}&levels_id={id}");
        let answer = rig.get(&path).await;
        let body: Value = serde_json::from_str(&answer.text).unwrap();
        (answer.status, body["errorType"].clone(), body["errorCode"].clone(), body["reason"].clone())
    };
    let problem = |reason: &str| (400, json!("QuoteProblem"), json!(409), json!(reason));
    assert_eq!(refused("input_amount=100", id).await, problem("below_minimum"));
    assert_eq!(refused("input_amount=1000000000000000000", id).await, problem("beyond_size"));
    assert_eq!(refused("output_amount=1000000000000", id).await, problem("beyond_size"));
    assert_eq!(refused("input_amount=100000000000000000", &"7".repeat(32)).await, problem("levels_expired"));
    let half = "input_amount=100000000000000000";
    rig.get(&format!("/rfq/v2/quote/1?{INPUT}&levels_id={id}")).await.success();
    assert_eq!(refused(half, id).await, problem("budget_used"));
    let malformed = rig.get(&format!("/rfq/v2/quote/1?{INPUT}&levels_id=7")).await;
    assert_eq!(malformed.json()["data"][0]["msg"], "Input should be 32 hex digits");
    let longer = rig.get(&format!("/rfq/v2/quote/1?{INPUT}&levels_id={id}&time_in_seconds=61")).await;
    assert_eq!(longer.json()["data"][0]["loc"], json!(["time_in_seconds"]), "{longer:?}");
    rig.clock.advance_micros(3_000_000);
    assert_eq!(refused(half, id).await, problem("levels_expired"));
}
