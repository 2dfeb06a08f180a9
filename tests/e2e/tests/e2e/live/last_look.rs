//! Price movements between a quote and its signature.

use firmquote_domain::{Address, U256};
use firmquote_e2e::{
    feed::RoundData,
    world::{Signed, TestEnvironment},
};
use serde_json::Value;

use crate::live::setup::{PRICE, SELL, amount, live_world, until, until_quoted};

const DESTINATION: Address = Address::repeat_byte(0xd1);

/// Requests the signature of a quote and returns the response, whether or not it is signed.
async fn sign(world: &TestEnvironment, quote: &Value) -> firmquote_e2e::endpoint::Response {
    let mut body = world.terms(SELL, DESTINATION);
    body["quote_id"] = quote["id"].clone();
    world.service.post("/rfq/v2/sign", &body).await
}

/// Waits until the quoted price differs from that of `quote`.
async fn until_price_moved(world: &TestEnvironment, quote: &Value) {
    until("the new price is known", async || {
        let later = world.quote(world.verified, SELL, amount(SELL)).await;
        if later["output_amount"] == quote["output_amount"] { Err("not yet".to_owned()) } else { Ok(()) }
    })
    .await;
}

#[tokio::test]
async fn a_moved_price_yields_a_fresh_quote_that_signs_and_executes() {
    let (world, feed) = live_world().await;
    until_quoted(&world, SELL).await;
    let quote = world.quote(world.verified, SELL, amount(SELL)).await;

    // The price of the input falls by 1 %.
    let (_, now) = world.node.newest().await;
    feed.set_round(&world.node, RoundData::new(2, PRICE / 100 * 99, now)).await;
    until_price_moved(&world, &quote).await;
    let refused = sign(&world, &quote).await;
    assert_eq!((refused.status, &refused.body["errorType"]), (400, &Value::from("QuoteProblem")));
    assert_eq!(refused.body["errorCode"], 409);
    assert_eq!(
        refused.body["errorMessage"], "Quote conflicts with latest prices. Please request a new quote.",
        "clients match this message"
    );
    assert_eq!(refused.body["reason"], "price");
    let fresh = &refused.body["fresh_quote"];
    assert_ne!(fresh["id"], quote["id"]);
    assert_eq!(fresh["input_amount"], quote["input_amount"]);
    let output = |quote: &Value| quote["output_amount"].as_str().unwrap().parse::<U256>().unwrap();
    // The decrease of the output in hundredths of a basis point, rounded up.
    let decrease = (output(&quote) - output(fresh)) * U256::from(1_000_000);
    let moved = decrease.div_ceil(output(&quote)).to::<u32>();
    assert_eq!(refused.body["moved_bps"], f64::from(moved) / 100.0, "{}", refused.text);
    assert!((9_000..10_000).contains(&moved), "not slightly below 1 %: {moved}");
    let signed = Signed::from_response(&sign(&world, fresh).await.ok());
    assert_eq!(signed.output, output(fresh));
    let (token, output_token) = (world.token(SELL.tokens.0), world.token(SELL.tokens.1));
    world.provide(token, world.wallet, signed.input).await;
    world.prepare(SELL, &signed).await;
    world.execute(&world.transaction(SELL, &signed)).await;
    assert_eq!(world.balance(output_token, DESTINATION).await, signed.output, "the exact output is paid");
}

#[tokio::test]
async fn a_price_move_in_favour_of_the_pool_changes_nothing() {
    let (world, feed) = live_world().await;
    until_quoted(&world, SELL).await;
    let quote = world.quote(world.verified, SELL, amount(SELL)).await;
    let (_, now) = world.node.newest().await;
    feed.set_round(&world.node, RoundData::new(2, PRICE / 100 * 101, now)).await;
    until_price_moved(&world, &quote).await;
    let signed = Signed::from_response(&sign(&world, &quote).await.ok());
    assert_eq!(quote["output_amount"], signed.output.to_string(), "the quoted output is signed");
}
