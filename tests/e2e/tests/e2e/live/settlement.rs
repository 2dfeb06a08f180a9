//! Concurrently signed swaps execute in any order, as far as the service promises it.

use firmquote_domain::Address;
use firmquote_e2e::{
    evm::CHAIN_ID,
    world::{Signed, TestEnvironment},
};

use crate::live::setup::{SELL, live_world_with, request_quote, until, until_quoted};

/// Number of outstanding swaps, each priced in addition to those before it.
const SWAPS: u8 = 8;

/// Signs swaps of 1 % of the reserve each, one after the other.
async fn sign_all(world: &TestEnvironment) -> Vec<Signed> {
    let mut signed = Vec::new();
    for number in 1..=SWAPS {
        let amount = "input_amount=4000000000000000000";
        signed.push(world.sign(world.verified, SELL, amount, Address::repeat_byte(number)).await);
    }
    signed
}

/// Executes the swaps, newest first, and returns how many succeeded.
async fn executed(world: &TestEnvironment, signed: &[Signed]) -> usize {
    let mut executed = 0;
    for swap in signed.iter().rev() {
        world.provide(world.token(SELL.tokens.0), world.wallet, swap.input).await;
        world.prepare(SELL, swap).await;
        let receipt = world.node.send(&world.transaction(SELL, swap)).await;
        executed += usize::from(receipt.is_executed);
    }
    executed
}

async fn execution(world: &TestEnvironment, swap: &Signed) -> String {
    world.status(&swap.quote_id).await["execution"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn settlement_by_price_executes_every_signature_in_any_order() {
    let (world, _feed) = live_world_with("settlement = \"price\"\n").await;
    until_quoted(&world, SELL).await;
    let signed = sign_all(&world).await;
    assert_eq!(execution(&world, &signed[0]).await, "guaranteed");
    assert_eq!(executed(&world, &signed).await, signed.len());
}

#[tokio::test]
async fn a_contract_that_executes_a_signature_again_is_paused_and_the_swap_settles_once() {
    let (world, _feed) = live_world_with("settlement = \"price\"\n").await;
    until_quoted(&world, SELL).await;
    let signed = world.sign(world.verified, SELL, "input_amount=4000000000000000000", Address::repeat_byte(1)).await;
    let transaction = world.transaction(SELL, &signed);
    for execution in 0..2 {
        world.provide(world.token(SELL.tokens.0), world.wallet, signed.input).await;
        world.prepare(SELL, &signed).await;
        if execution == 1 {
            let reason = world.node.reason(&transaction).await;
            world.node.forget_digest(world.verified, &reason).await;
        }
        world.execute(&transaction).await;
    }
    let pool = format!("{{pool=\"{CHAIN_ID}:{}\"}}", world.verified);
    until("the replay is counted", async || {
        match world.service.metric(&format!("firmquote_replayed_swaps_total{pool}")).await {
            0.0 => Err("none".to_owned()),
            _ => Ok(()),
        }
    })
    .await;
    assert!(world.service.metric(&format!("firmquote_unmatched_swaps_total{pool}")).await < 1.0, "no leaked key");
    let quote = request_quote(&world, SELL).await;
    assert!(quote.status != 200 && quote.text.contains("paused"), "{}", quote.text);
    assert_eq!(world.status(&signed.quote_id).await["state"], "settled");
}

#[tokio::test]
async fn on_the_curve_older_signatures_revert_after_newer_ones() {
    let (world, _feed) = live_world_with("").await;
    until_quoted(&world, SELL).await;
    let signed = sign_all(&world).await;
    assert_eq!(execution(&world, &signed[0]).await, "best_effort");
    assert!(executed(&world, &signed).await < signed.len());
}
