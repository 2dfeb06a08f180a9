//! Breakers stop a pool that loses value on a real chain, and a restart ends nothing.

use firmquote_domain::{Address, U256};
use firmquote_e2e::{
    demo::{ETH, USDC},
    endpoint::{ADMIN_TOKEN, ADMIN_TOKEN_SHA256, Response},
    evm::CHAIN_ID,
    feed::{Feed, RoundData},
    world::{SwapRoute, TestEnvironment},
};
use serde_json::json;

use crate::live::setup::{BUY, PRICE, SELL, live_world_with_tables, request_quote, until, until_quoted};

/// The end of `[store]`, and an operator.
fn tables() -> String {
    format!(
        "state_dir = \".\"\n[[operator]]\nname = \"ada\"\nroles = [\"admin\"]\ntoken_sha256 = \"{ADMIN_TOKEN_SHA256}\"\n"
    )
}

/// Resumes the pool with these parameters.
async fn resume(world: &TestEnvironment, parameters: &str) -> Response {
    let path = format!("/pools/{}/resume?chain_id={CHAIN_ID}{parameters}", world.verified);
    world.service.admin().post_with_token(&path, ADMIN_TOKEN, &json!({})).await.unwrap()
}

/// Waits until a breaker refuses a quote of `route`.
async fn until_stopped(world: &TestEnvironment, route: SwapRoute) {
    until("a breaker refuses a quote", async || match request_quote(world, route).await {
        answer if answer.body["reason"] == "breaker" => Ok(()),
        answer => Err(answer.text),
    })
    .await;
}

/// Waits until the breaker of the packed pool is at this step. The chain goes on meanwhile, so that what was read is
/// confirmed.
async fn until_step(world: &TestEnvironment, breaker: &str, step: f64) {
    let series =
        format!("firmquote_breaker_step{{breaker=\"{breaker}\",chain_id=\"{CHAIN_ID}\",pool=\"{}\"}}", world.verified);
    let mut attempts = 0_u32;
    until(&format!("{breaker} is at {step}"), async || match world.service.metric(&series).await {
        reached if (reached - step).abs() < 0.1 => Ok(()),
        other => {
            attempts += 1;
            if attempts.is_multiple_of(50) {
                world.node.mine(1).await;
            }
            let metrics = world.service.admin().text("/metrics").await.unwrap();
            let losses: Vec<&str> =
                metrics.lines().filter(|line| line.starts_with("firmquote_pool_loss_bps{")).collect();
            Err(format!("it is at {other}: {losses:?}"))
        }
    })
    .await;
}

#[tokio::test]
async fn what_leaves_a_pool_without_a_swap_stops_it_until_an_operator_resumes_it_with_a_reason() {
    let (mut world, _feed) = live_world_with_tables("", &tables()).await;
    until_quoted(&world, SELL).await;
    let token = world.token(USDC);
    let book = world.node.book(world.verified, token).await;
    world.node.mine(2).await;
    world.node.set_book(world.verified, token, book - book / U256::from(100)).await;
    world.node.mine(1).await;
    until_stopped(&world, SELL).await;
    until_stopped(&world, BUY).await;
    until_step(&world, "unexplained", 2.0).await;
    world.service = world.service.restart();
    until_stopped(&world, SELL).await;
    let without_reason = resume(&world, "").await;
    assert!(
        without_reason.status != 200 && without_reason.text.contains(r#""loc":["reason"]"#),
        "{}",
        without_reason.text
    );
    let resumed = resume(&world, "&reason=the%20owner%20took%20it").await;
    assert_eq!(resumed.status, 200, "{}", resumed.text);
    until_quoted(&world, SELL).await;
    let entries = world.service.read_file("operator.jsonl");
    let lines: Vec<&str> = entries.lines().collect();
    assert!(lines[0].contains(r#""breaker":"unexplained","step":"pause""#), "{entries}");
    let last = lines.last().unwrap();
    assert!(last.contains(r#""operator":"ada""#) && last.contains(r#""reason":"the owner took it""#), "{entries}");
}

/// Reports a price that is this percentage of the initial one.
async fn report_price(world: &TestEnvironment, feed: &Feed, round: u64, percent: i64) {
    let (_, now) = world.node.newest().await;
    feed.set_round(&world.node, RoundData::new(round, PRICE * percent / 100, now)).await;
}

/// The fee of a quote, in basis points.
async fn fee(world: &TestEnvironment) -> f64 {
    until_quoted(world, SELL).await["fee_in_basis_points"].as_f64().unwrap()
}

#[tokio::test]
async fn swaps_that_lost_value_raise_fees_and_then_stop_the_pool() {
    let thresholds = "settlement = \"price\"\nbreakers.loss_widen_at_bps = 1\nbreakers.loss_pause_at_bps = 110\n\
                      breakers.widen_bps = 50\n";
    let (world, feed) = live_world_with_tables(thresholds, &tables()).await;
    let before = fee(&world).await;
    // Each transaction is a block, and the clock of the chain runs ahead by as many seconds.
    for number in 1..=3 {
        let amount = "input_amount=10000000000000000000";
        let swap = world.sign(world.verified, SELL, amount, Address::repeat_byte(number)).await;
        world.provide(world.token(ETH), world.wallet, swap.input).await;
        world.prepare(SELL, &swap).await;
        world.execute(&world.transaction(SELL, &swap)).await;
    }
    report_price(&world, &feed, 2, 85).await;
    until_step(&world, "loss", 1.0).await;
    until("the fee is raised by 50 bps", async || match fee(&world).await {
        raised if (raised - before - 50.0).abs() < 0.02 => Ok(()),
        other => Err(format!("{before} {other}")),
    })
    .await;
    report_price(&world, &feed, 3, 60).await;
    until_step(&world, "loss", 2.0).await;
    until_stopped(&world, SELL).await;
    assert_eq!(resume(&world, "&reason=hedged").await.status, 200);
    until("the windows start anew", async || match fee(&world).await {
        resumed if (resumed - before).abs() < 0.02 => Ok(()),
        other => Err(format!("{before} {other}")),
    })
    .await;
}
