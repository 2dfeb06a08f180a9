//! Executes swaps, and compares what ledger, service and chain say about them.

use std::collections::{BTreeMap, BTreeSet};

use firmquote_calldata::decode_swapped;
use firmquote_domain::{Address, GoodUntilKind, U256};
use firmquote_e2e::{
    demo, evm::CHAIN_ID, interface::TestToken, node::MinedLog, transaction::Transaction, world::TestEnvironment,
};
use firmquote_test_servers::redis::Server;
use serde_json::Value;

use super::{
    replay::Replay,
    replicas::{Replicas, RoutedSwap},
};
use crate::live::setup::until;

/// Returns the entries of the ledger, whose key a Cluster marks as a hash tag.
pub(super) fn ledger(redis: &Server) -> Vec<Value> {
    let read = |key| redis.try_command(&["XRANGE", key, "-", "+"]).unwrap_or_default();
    let texts = ["firmquote:signed", "{firmquote}:signed"].map(read);
    let lines = texts.iter().flat_map(|entries| entries.lines());
    lines.filter_map(|line| serde_json::from_str(line).ok()).filter(Value::is_object).collect()
}

/// Asserts that every recorded swap was sound on the conservative reserves of those recorded before it, that the pools
/// could always pay all outstanding swaps, and that their books on chain are those of the ledger.
pub(super) async fn check_soundness(world: &TestEnvironment, redis: &Server) {
    let listings = demo::opening(GoodUntilKind::Plain).listings;
    let tokens: Vec<String> = world.tokens.iter().map(Address::to_string).collect();
    for pool in [world.plain, world.verified] {
        let mut entries = ledger(redis);
        entries.retain(|entry| entry["pool"] == pool.to_string());
        let mut replay = Replay::new(&listings, &tokens);
        for entry in &entries {
            replay.apply(entry).unwrap_or_else(|reason| panic!("{reason}"));
        }
        for (token, reserve) in world.tokens.iter().zip(replay.reserves()) {
            assert_eq!(world.balance(*token, pool).await, *reserve, "{token} in {pool}");
        }
        println!("replayed {} entries of {pool}", entries.len());
    }
}

/// Provides and approves the inputs of all `swaps`.
pub(super) async fn provide(world: &TestEnvironment, swaps: &[RoutedSwap]) {
    for (position, token) in world.tokens.iter().enumerate() {
        let inputs = swaps.iter().filter(|(route, _)| route.tokens.0 == position).map(|(_, swap)| swap.input);
        world.provide(*token, world.wallet, inputs.fold(U256::ZERO, |sum, input| sum + input)).await;
        for pool in [world.plain, world.verified] {
            let call = TestToken::approveCall { spender: pool, amount: U256::MAX };
            world.execute(&Transaction::calling(world.wallet, *token, &call)).await;
        }
    }
}

/// Executes each swap in a block of its own, and returns the blocks. None reverts.
pub(super) async fn execute(world: &TestEnvironment, swaps: &[RoutedSwap]) -> Vec<u64> {
    let mut blocks = Vec::new();
    for (route, swap) in swaps {
        world.execute(&world.transaction(*route, swap)).await;
        blocks.push(world.node.newest().await.0);
    }
    blocks
}

/// Waits until every replica reports this state of each swap.
pub(super) async fn wait_for_state(replicas: &Replicas, swaps: &[RoutedSwap], expected: &str) {
    for endpoint in replicas.endpoints() {
        for (_, swap) in swaps {
            until("every replica knows the state of a swap", async || {
                let answer = endpoint.get(&format!("/rfq/v2/quote-status/{}", swap.quote_id)).await;
                let body = answer.map_err(|error| error.to_string())?.body;
                if body["state"] == expected { Ok(()) } else { Err(format!("{body} is not {expected}")) }
            })
            .await;
        }
    }
}

/// Asserts that every released signature is in the ledger; `is_once`: exactly once. Entries of lost responses are
/// allowed.
pub(super) fn check_released(entries: &[Value], signed: &[RoutedSwap]) {
    let ids: BTreeSet<&str> = signed.iter().map(|(_, signed)| signed.quote_id.as_str()).collect();
    assert_eq!(ids.len(), signed.len(), "a quote was signed twice");
    for id in ids {
        let copies = entries.iter().filter(|entry| entry["event"] == "signed" && entry["quote_id"] == id).count();
        assert_eq!(copies, 1, "entries of {id}");
    }
}

/// Asserts that for each swap of the ledger its last event, its status and the chain agree.
pub(super) async fn check_agreement(replicas: &Replicas, entries: &[Value], signed: &[RoutedSwap]) {
    let world = &replicas.world;
    let mut events = BTreeMap::new();
    for pool in [world.plain, world.verified] {
        for log in world.node.logs(pool).await {
            if let Ok(event) = decode_swapped(&log.topics, &log.data) {
                let MinedLog { transaction_hash, log_index, block_number, .. } = log;
                events.insert((transaction_hash.to_string(), log_index), (pool, block_number, event));
            }
        }
    }
    let released: BTreeSet<&str> = signed.iter().map(|(_, signed)| signed.quote_id.as_str()).collect();
    let mut offers = BTreeMap::new();
    let mut outcomes: BTreeMap<&str, &Value> = BTreeMap::new();
    for entry in entries {
        let id = entry["quote_id"].as_str().expect("an id");
        match entry["event"].as_str().expect("an event") {
            "signed" => drop(offers.entry(id).or_insert(entry)),
            _ => drop(outcomes.insert(id, entry)),
        }
    }
    for (id, offer) in offers {
        let settled = outcomes.get(id).filter(|outcome| outcome["event"] != "reorged");
        if let Some(settled) = settled {
            assert_eq!(settled["event"], "settled", "{id}");
            let hash = settled["transaction_hash"].as_str().expect("a hash").to_owned();
            let log_index = settled["log_index"].as_u64().expect("a number");
            let (pool, block, event) =
                events.remove(&(hash, log_index)).unwrap_or_else(|| panic!("no event of {settled}"));
            assert_eq!((&settled["pool"], &settled["block_number"]), (&pool.to_string().into(), &block.into()));
            let of_chain = [event.input_token, event.output_token, event.recipient]
                .map(|address| Value::from(address.to_string()));
            assert_eq!(
                of_chain,
                ["/input/token", "/output/token", "/destination"]
                    .map(|path| offer.pointer(path).expect("an address").clone())
            );
            let amounts = [event.input_amount, event.output_amount].map(|amount| Value::from(amount.to_string()));
            assert_eq!(amounts, [settled["input_amount"].clone(), settled["output_amount"].clone()]);
            assert_eq!(amounts, ["input", "output"].map(|leg| offer[leg]["amount"].clone()), "no swap is pushed");
        }
        if released.contains(id) {
            check_status(&world.status(id).await, settled.copied());
        }
    }
    assert!(events.is_empty(), "events without a settlement in the ledger: {events:?}");
    check_unmatched(replicas).await;
}

/// Asserts that a status is that of the last outcome in the ledger.
fn check_status(status: &Value, settled: Option<&Value>) {
    let Some(settled) = settled else {
        assert_eq!((status["state"].as_str(), &status["settled"]), (Some("signed"), &Value::Null), "{status}");
        return;
    };
    assert_eq!(status["state"], "settled", "{status}");
    for member in ["transaction_hash", "log_index", "block_number", "block_timestamp", "input_amount", "output_amount"]
    {
        assert_eq!(status["settled"][member], settled[member], "{member} of {status}");
    }
}

async fn check_unmatched(replicas: &Replicas) {
    for service in replicas.services() {
        for pool in [replicas.world.plain, replicas.world.verified] {
            let series = format!("firmquote_unmatched_swaps_total{{pool=\"{CHAIN_ID}:{pool}\"}}");
            assert_eq!(service.metric(&series).await.to_bits(), 0.0_f64.to_bits(), "an event has no signature");
        }
    }
}
