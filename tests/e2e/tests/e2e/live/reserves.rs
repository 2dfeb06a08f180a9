//! Reserves follow the chain.

use alloy_sol_types::SolCall as _;
use firmquote_domain::{Address, U256};
use firmquote_e2e::{
    configuration::SYMBOLS,
    evm::CHAIN_ID,
    interface::FirmquotePool,
    transaction::Transaction,
    world::{SwapRoute, TestEnvironment},
};
use serde_json::{Value, json};

use crate::live::setup::{BUY, SELL, STABLE, amount, live_world, published, until, until_quoted};

const DESTINATION: Address = Address::repeat_byte(0xd2);

/// Returns the balances in the contract's books.
async fn books(world: &TestEnvironment) -> Vec<U256> {
    let read = Transaction::raw(world.wallet, world.verified, FirmquotePool::allTokensBalanceCall {}.abi_encode());
    let answer = world.node.read(&read).await;
    FirmquotePool::allTokensBalanceCall::abi_decode_returns(&answer).unwrap().balances
}

/// Waits until the server has the contract's balances and quotes in `state`. While anvil mines, its newest block
/// already has the balances of the next one but not its events, so the balances alone do not show that the server knows
/// the block.
async fn until_synced(world: &TestEnvironment, quote_id: &str, state: &str) {
    let books = books(world).await;
    until("the server knows the books", async || {
        let (published, status) = (published(world).await, world.status(quote_id).await);
        if published == books && status["state"] == state {
            Ok(())
        } else {
            Err(format!("{published:?} is not {books:?}, or {status} is not {state}"))
        }
    })
    .await;
}

/// Returns the published outstanding amounts of the asset at `position`.
async fn outstanding(world: &TestEnvironment, position: usize) -> [String; 2] {
    let data =
        world.service.get(&format!("/rfq/v2/pool/{CHAIN_ID}"), &format!("pool_address={}", world.verified)).await;
    let asset = &data.ok()["pools"][0]["assets"][position];
    ["outstanding_inflow", "outstanding_outflow"].map(|flow| asset[flow].as_str().unwrap().to_owned())
}

/// Returns the settled swaps of the pool, and those of the client in the pair.
async fn settled_counters(world: &TestEnvironment, route: SwapRoute) -> [f64; 2] {
    let pool = format!(r#"firmquote_swap_outcomes_total{{outcome="settled",pool="{CHAIN_ID}:{}"}}"#, world.verified);
    let [input, output] = [route.tokens.0, route.tokens.1].map(|position| SYMBOLS[position]);
    let labels = format!(r#"client="partner",input_asset="{input}",output_asset="{output}""#);
    let pair = format!("firmquote_client_settled_total{{{labels}}}");
    [world.service.metric(&pool).await, world.service.metric(&pair).await]
}

/// Returns 1.005 times the amount, rounded up.
fn pushed(amount: U256) -> String {
    (amount * U256::from(1_005)).div_ceil(U256::from(1_000)).to_string()
}

const NOTHING: [&str; 2] = ["0", "0"];

#[tokio::test]
async fn the_next_quote_includes_a_swap_within_one_block() {
    let (world, _feed) = live_world().await;
    until_quoted(&world, SELL).await;
    for (number, route) in (1..).zip([SELL, STABLE, BUY]) {
        let signed = world.sign(world.verified, route, amount(route), Address::repeat_byte(number)).await;
        let before = published(&world).await;
        assert_eq!(outstanding(&world, route.tokens.0).await, [pushed(signed.input), "0".to_owned()]);
        assert_eq!(outstanding(&world, route.tokens.1).await, ["0".to_owned(), pushed(signed.output)]);
        world.provide(world.token(route.tokens.0), world.wallet, signed.input).await;
        world.prepare(route, &signed).await;
        world.execute(&world.transaction(route, &signed)).await;
        let (block, _) = world.node.newest().await;
        until_synced(&world, &signed.quote_id, "settled").await;
        assert_eq!(world.node.newest().await.0, block, "no other block has come");
        let after = published(&world).await;
        assert_eq!(after[route.tokens.0], before[route.tokens.0] + signed.input);
        assert_eq!(after[route.tokens.1], before[route.tokens.1] - signed.output);
        assert_eq!(outstanding(&world, route.tokens.0).await, NOTHING, "the reserves include it");
        assert_eq!(outstanding(&world, route.tokens.1).await, NOTHING, "the reserves include it");
        let status = world.status(&signed.quote_id).await;
        let settled = &status["settled"];
        assert_eq!((status["state"].as_str(), settled["block_number"].as_u64()), (Some("settled"), Some(block)));
        assert_eq!(settled["confirmations"], 1, "{settled}");
        assert_eq!(settled["input_amount"], signed.input.to_string());
        assert_eq!(settled["output_amount"], signed.output.to_string());
        world.node.mine(2).await;
        until("the status counts blocks", async || {
            let status = world.status(&signed.quote_id).await;
            if status["settled"]["confirmations"] == 3 { Ok(()) } else { Err(status.to_string()) }
        })
        .await;
        let [counted, by_pair] = settled_counters(&world, route).await;
        assert_eq!((counted, by_pair), (f64::from(number), 1.0), "settled swaps of the pool, and of the pair");
    }
}

#[tokio::test]
async fn signing_after_a_swap_in_the_same_direction_reports_what_moved() {
    let (world, _feed) = live_world().await;
    let quote = until_quoted(&world, SELL).await;
    let signed = world.sign(world.verified, SELL, "input_amount=20000000000000000000", DESTINATION).await;
    world.provide(world.token(SELL.tokens.0), world.wallet, signed.input).await;
    world.prepare(SELL, &signed).await;
    world.execute(&world.transaction(SELL, &signed)).await;
    until_synced(&world, &signed.quote_id, "settled").await;
    let mut body = world.terms(SELL, DESTINATION);
    body["quote_id"] = quote["id"].clone();
    let refused = world.service.post("/rfq/v2/sign", &body).await;
    assert_eq!((refused.status, refused.body["reason"].as_str()), (400, Some("reserve")), "{}", refused.text);
}

#[tokio::test]
async fn a_swap_dropped_by_the_chain_is_reverted() {
    let (world, _feed) = live_world().await;
    until_quoted(&world, SELL).await;
    let before = published(&world).await;
    let signed = world.sign(world.verified, SELL, amount(SELL), DESTINATION).await;
    world.provide(world.token(SELL.tokens.0), world.wallet, signed.input).await;
    world.prepare(SELL, &signed).await;
    world.execute(&world.transaction(SELL, &signed)).await;
    until_synced(&world, &signed.quote_id, "settled").await;
    assert_ne!(published(&world).await, before);
    assert_eq!(outstanding(&world, SELL.tokens.1).await, NOTHING);
    assert_eq!(world.status(&signed.quote_id).await["state"], "settled");
    world.node.reorganise(1).await;
    assert_eq!(books(&world).await, before, "the swap is reorganized away");
    until_synced(&world, &signed.quote_id, "signed").await;
    assert_eq!(
        outstanding(&world, SELL.tokens.1).await,
        ["0".to_owned(), pushed(signed.output)],
        "a lost swap may still execute"
    );
    let status = world.status(&signed.quote_id).await;
    assert_eq!((&status["state"], &status["settled"]), (&json!("signed"), &Value::Null));
}
