//! Configuration changes while reserves and prices come from the chain.

use firmquote_domain::Address;
use firmquote_e2e::{
    evm::CHAIN_ID,
    world::{Signed, TestEnvironment, symbols},
};
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

/// Waits until the plain pool is quoted.
async fn until_plain_quoted(world: &TestEnvironment) {
    let query = format!("{}&input_amount=1000000000000000000&pool_address={}", symbols(SELL), world.plain);
    until("the plain pool is quoted", async || {
        match world.service.get(&format!("/rfq/v2/quote/{CHAIN_ID}"), &query).await {
            answer if answer.status == 200 => Ok(()),
            answer => Err(answer.text),
        }
    })
    .await;
}

/// Signs a swap with the plain pool.
async fn sign_plain(world: &TestEnvironment, number: u8) -> Signed {
    world.sign(world.plain, SELL, "input_amount=1000000000000000000", Address::repeat_byte(number)).await
}

async fn execute(world: &TestEnvironment, signed: &Signed) {
    world.provide(world.token(SELL.tokens.0), world.wallet, signed.input).await;
    world.prepare(SELL, signed).await;
    world.execute(&world.transaction(SELL, signed)).await;
}

async fn until_settled(world: &TestEnvironment, signed: &Signed) {
    until("the swap is settled", async || match world.status(&signed.quote_id).await["state"].as_str() {
        Some("settled") => Ok(()),
        state => Err(format!("{state:?}")),
    })
    .await;
}

/// Checks that no executed swap of the plain pool was reported as replayed, or as one that was not signed here.
async fn assert_no_alarm(world: &TestEnvironment) {
    for alarm in ["firmquote_unmatched_swaps_total", "firmquote_replayed_swaps_total"] {
        let count = world.service.metric(&format!("{alarm}{{pool=\"{CHAIN_ID}:{}\"}}", world.plain)).await;
        assert!(count < 1.0, "{alarm} {count}");
    }
}

#[tokio::test]
async fn swaps_of_a_pool_that_is_removed_and_put_back_raise_no_alarm() {
    let (mut world, _feed) = live_world().await;
    until_plain_quoted(&world).await;
    for number in 1..=3 {
        let signed = sign_plain(&world, number).await;
        execute(&world, &signed).await;
        until_settled(&world, &signed).await;
    }
    let mut removed = String::new();
    let log_line = world.service.edit(|file| {
        let (before, pools) = file.split_once("\n[[pool]]\n").unwrap();
        let (plain, rest) = pools.split_once("\n[[pool]]\n").unwrap();
        assert!(plain.contains(&world.plain.to_string()), "{plain}");
        removed = format!("\n[[pool]]\n{plain}");
        format!("{before}\n[[pool]]\n{rest}")
    });
    assert!(log_line.contains("configuration reloaded"), "{log_line}");
    world.node.mine(2).await;
    let log_line = world.service.edit(|file| file.replacen("\n[[pool]]\n", &format!("{removed}\n[[pool]]\n"), 1));
    assert!(log_line.contains("configuration reloaded"), "{log_line}");
    until_plain_quoted(&world).await;
    let last = sign_plain(&world, 9).await;
    execute(&world, &last).await;
    // Its block is observed with all events before it.
    until_settled(&world, &last).await;
    assert_no_alarm(&world).await;
}

#[tokio::test]
async fn swaps_that_were_signed_or_executed_before_a_restart_raise_no_alarm() {
    let (mut world, _feed) = live_world().await;
    until_plain_quoted(&world).await;
    let executed = sign_plain(&world, 1).await;
    execute(&world, &executed).await;
    until_settled(&world, &executed).await;
    let [while_down, later] = [sign_plain(&world, 2).await, sign_plain(&world, 3).await];
    world.service.kill();
    execute(&world, &while_down).await;
    world.service = world.service.restart();
    until_plain_quoted(&world).await;
    execute(&world, &later).await;
    let last = sign_plain(&world, 4).await;
    execute(&world, &last).await;
    until_settled(&world, &last).await;
    assert_no_alarm(&world).await;
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
