//! Configuration changes while reserves and prices come from the chain.

use firmquote_domain::Address;
use serde_json::Value;

use crate::live::setup::{SELL, amount, live_world, published, request_quote, until, until_quoted};

const DESTINATION: Address = Address::repeat_byte(0xd4);

fn output(quote: &Value) -> u128 {
    quote["output_amount"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_changed_fee_applies_at_once_and_the_chain_is_still_followed() {
    let (mut world, _feed) = live_world().await;
    let before = until_quoted(&world, SELL).await;
    let log_line = world.service.edit(|file| file.replace("base_fee_bps = 5\n", "base_fee_bps = 50\n"));
    assert!(log_line.contains("configuration reloaded"), "{log_line}");
    let after = request_quote(&world, SELL).await.ok();
    assert!(output(&after) < output(&before), "{after} {before}");
    let signed = world.sign(world.verified, SELL, amount(SELL), DESTINATION).await;
    let before_swap = published(&world).await;
    world.provide(world.token(SELL.tokens.0), world.wallet, signed.input).await;
    world.prepare(SELL, &signed).await;
    world.execute(&world.transaction(SELL, &signed)).await;
    until("the server knows of the swap", async || {
        let reserves = published(&world).await;
        let is_known = reserves[SELL.tokens.0] == before_swap[SELL.tokens.0] + signed.input;
        if is_known { Ok(()) } else { Err(format!("{reserves:?}")) }
    })
    .await;
}

#[tokio::test]
async fn a_price_source_is_added_and_removed_while_the_others_deliver() {
    let (mut world, _feed) = live_world().await;
    until_quoted(&world, SELL).await;
    let fixed = "\n[[price_source]]\nkind = \"static\"\n[[price_source.asset]]\nsymbol = \"DAI\"\n";
    let log_line = world.service.edit(|file| format!("{file}{fixed}"));
    assert!(log_line.contains("configuration reloaded"), "{log_line}");
    assert_eq!(request_quote(&world, SELL).await.status, 200, "without a moment that lacks a price");
    let series = "firmquote_price_source_trusted{position=\"0\",source=\"static\",symbol=\"DAI\"}";
    assert!(world.service.metric(series).await > 0.0);
    let log_line = world.service.edit(|file| file.replace(fixed, ""));
    assert!(log_line.contains("configuration reloaded"), "{log_line}");
    assert_eq!(request_quote(&world, SELL).await.status, 200);
}

#[tokio::test]
async fn a_mismatched_pool_is_rejected_on_reload_and_quoted_as_before() {
    let (mut world, _feed) = live_world().await;
    until_quoted(&world, SELL).await;
    let log_line = world.service.edit(|file| file.replacen("decimals = 6", "decimals = 7", 1));
    assert!(log_line.contains("does not match its configuration") && log_line.contains("decimals"), "{log_line}");
    assert_eq!(request_quote(&world, SELL).await.status, 200);
    let log_line = world.service.edit(|file| file.replacen("decimals = 7", "decimals = 6", 1));
    assert!(log_line.contains("configuration reloaded"), "{log_line}");
}
