//! The feed of events tells what was signed and executed on a real chain, and continues where it was left.

use firmquote_domain::{Address, U256};
use firmquote_e2e::{
    demo::{ETH, USDC},
    endpoint::{ADMIN_TOKEN, ADMIN_TOKEN_SHA256},
    events::{Event, EventReader},
    world::{Signed, TestEnvironment},
};
use serde_json::{Value, json};

use crate::live::setup::{SELL, live_world_with_tables, until_quoted};

const AMOUNT: &str = "input_amount=1000000000000000000";

async fn open(world: &TestEnvironment, parameters: &str) -> EventReader {
    EventReader::open(world.service.admin().base(), &format!("/events{parameters}"), ADMIN_TOKEN).await
}

async fn execute(world: &TestEnvironment, swap: &Signed) {
    world.provide(world.token(ETH), world.wallet, swap.input).await;
    world.prepare(SELL, swap).await;
    world.execute(&world.transaction(SELL, swap)).await;
}

/// The balance of a token in a position, in base units.
fn balance(position: &Event, token: Address) -> U256 {
    let assets = position.data["assets"].as_array().unwrap();
    let asset = assets.iter().find(|asset| asset["token"] == token.to_string()).unwrap();
    asset["balance"].as_str().unwrap().parse().unwrap()
}

/// What a swap moves, as events tell it.
fn delta(world: &TestEnvironment, swap: &Signed) -> Value {
    json!([
        {"token": world.token(ETH).to_string(), "amount": swap.input.to_string()},
        {"token": world.token(USDC).to_string(), "amount": format!("-{}", swap.output)},
    ])
}

#[tokio::test]
async fn events_tell_each_swap_and_continue_after_a_kill() {
    let tables =
        format!("[[operator]]\nname = \"hedger\"\nroles = [\"viewer\"]\ntoken_sha256 = \"{ADMIN_TOKEN_SHA256}\"\n");
    let (mut world, _feed) = live_world_with_tables("settlement = \"price\"\n", &tables).await;
    until_quoted(&world, SELL).await;
    let mut events = open(&world, &format!("?pool_address={}", world.verified)).await;
    let first = events.next_of_any_kind().await;
    assert_eq!((first.kind.as_str(), first.id), ("position", None), "what the pool holds comes first");
    let swap = world.sign(world.verified, SELL, AMOUNT, Address::repeat_byte(1)).await;
    let signed = events.next("signed").await;
    assert_eq!(signed.data["quote_id"], swap.quote_id);
    assert_eq!(signed.data["delta"], delta(&world, &swap));
    assert_eq!(Some(signed.data["id"].as_str().unwrap()), signed.id.as_deref());
    execute(&world, &swap).await;
    let settled = events.next("settled").await;
    assert_eq!((&settled.data["quote_id"], &settled.data["delta"]), (&signed.data["quote_id"], &signed.data["delta"]));
    // The newest position says what is there now, whatever was missed.
    let book = world.node.book(world.verified, world.token(ETH)).await;
    let mut latest = open(&world, "?kinds=position").await;
    loop {
        let position = latest.next_of_any_kind().await;
        assert_eq!(position.kind, "position");
        if position.data["pool"] == world.verified.to_string() && balance(&position, world.token(ETH)) == book {
            assert_eq!(position.data["block_hash"].as_str().unwrap().len(), 66);
            break;
        }
    }
    world.service = world.service.restart();
    until_quoted(&world, SELL).await;
    let later = world.sign(world.verified, SELL, AMOUNT, Address::repeat_byte(2)).await;
    let mut resumed = open(&world, &format!("?kinds=signed,settled&after={}", signed.id.unwrap())).await;
    let missed = resumed.next_of_any_kind().await;
    assert_eq!((missed.kind.as_str(), &missed.id), ("settled", &settled.id), "what was missed, without a reset");
    assert_eq!(resumed.next_of_any_kind().await.data["quote_id"], later.quote_id);
    let unknown = format!("?kinds=signed&after={}.0-0.0-0", "f".repeat(32));
    let mut reset = open(&world, &unknown).await;
    assert_eq!(reset.next_of_any_kind().await.kind, "reset");
    let last = world.sign(world.verified, SELL, AMOUNT, Address::repeat_byte(3)).await;
    assert_eq!(reset.next_of_any_kind().await.data["quote_id"], last.quote_id);
}
