//! The tape of a pool on a node: swaps of each kind, liquidity, a gift and a reorganization reconcile to the base unit.

use std::slice;

use firmquote_analysis::{PoolReconciliation, PriceHistory, reconcile};
use firmquote_domain::{Address, NativeSide, Timestamp, U256};
use firmquote_e2e::{
    demo::{ETH, USDC},
    interface::{FirmquotePool, TestToken},
    transaction::Transaction,
    world::{SwapRoute, TestEnvironment},
};
use firmquote_tape::{BlockRow, PriceRow, SegmentFiles};
use tempfile::TempDir;

use crate::live::setup::{BUY, SELL, amount, live_world_with_tables, until, until_quoted};

/// Pushes the stablecoin, of which more may arrive than was signed.
const PUSH: SwapRoute = SwapRoute { tokens: (USDC, ETH), native: NativeSide::Neither, transmit: false };

fn segments(folder: &TempDir) -> Vec<SegmentFiles> {
    SegmentFiles::find_with_open(&[folder.path().to_owned()]).unwrap()
}

/// Waits until the newest block is on the tape.
async fn recorded(world: &TestEnvironment, folder: &TempDir) {
    let newest = world.node.newest().await.0;
    until("the newest block is on the tape", async || {
        let rows = segments(folder).iter().flat_map(|segment| segment.read::<BlockRow>().unwrap()).collect::<Vec<_>>();
        let last = rows.iter().rfind(|row| row.pool.address == world.verified).map(|row| row.number);
        if last == Some(newest) { Ok(()) } else { Err(format!("{last:?} of {newest}")) }
    })
    .await;
}

async fn swap(world: &TestEnvironment, route: SwapRoute, destination: u8, more: u64) {
    let signed = world.sign(world.verified, route, amount(route), Address::repeat_byte(destination)).await;
    let token = world.token(route.tokens.0);
    let extra = U256::from(more);
    world.provide(token, world.wallet, signed.input + extra).await;
    world.prepare(route, &signed).await;
    if more > 0 {
        let transfer = TestToken::transferCall { to: signed.pool, amount: extra };
        world.execute(&Transaction::calling(world.wallet, token, &transfer)).await;
    }
    world.execute(&world.transaction(route, &signed)).await;
}

#[tokio::test]
async fn swaps_liquidity_gifts_and_reorganizations_reconcile_to_the_base_unit() {
    let folder = tempfile::tempdir().unwrap();
    let tape = format!("\n[tape]\ndirectory = \"{}\"\ninstance = \"a\"\n", folder.path().display());
    let (world, _feed) = live_world_with_tables("settlement = \"price\"\n", &tape).await;
    until_quoted(&world, SELL).await;
    recorded(&world, &folder).await;
    let [owner, ..] = world.node.accounts().await[..] else { panic!("an owner") };
    swap(&world, SELL, 1, 0).await;
    swap(&world, PUSH, 2, 70_000_001).await;
    recorded(&world, &folder).await;

    let usdc = world.token(USDC);
    let deposited = U256::from(123_456_789);
    world.provide(usdc, owner, deposited).await;
    let approve = TestToken::approveCall { spender: world.verified, amount: deposited };
    world.execute(&Transaction::calling(owner, usdc, &approve)).await;
    let amounts = vec![U256::ZERO, deposited, U256::ZERO];
    let deposit = FirmquotePool::depositCall { amounts, poolTokens: U256::from(77) };
    world.execute(&Transaction::calling(owner, world.verified, &deposit)).await;
    recorded(&world, &folder).await;
    let withdraw = FirmquotePool::withdrawCall { poolTokens: U256::from(1_000) };
    world.execute(&Transaction::calling(owner, world.verified, &withdraw)).await;
    recorded(&world, &folder).await;
    // Nothing of the contract gives to its books: its storage does.
    let gift = U256::from(31_337);
    world.node.add_to_book(world.verified, usdc, gift).await;
    world.node.mine(1).await;
    recorded(&world, &folder).await;

    // A swap that a reorganization undoes, and another one after it.
    swap(&world, BUY, 3, 0).await;
    recorded(&world, &folder).await;
    world.node.reorganise(2).await;
    recorded(&world, &folder).await;
    until_quoted(&world, SELL).await;
    swap(&world, SELL, 4, 0).await;
    recorded(&world, &folder).await;

    // The gift is not explained by any block after it.
    for _ in 0..4 {
        world.node.mine(1).await;
        recorded(&world, &folder).await;
    }
    let whole = (Timestamp::from_micros(0), Timestamp::from_micros(u64::MAX));
    let prices =
        segments(&folder).iter().flat_map(|segment| segment.read::<PriceRow>().unwrap()).collect::<PriceHistory>();
    let pools = reconcile(&segments(&folder), &prices, whole).unwrap();
    let pool: &PoolReconciliation = pools.iter().find(|pool| pool.pool.address == world.verified).unwrap();
    let token = |address: Address| pool.tokens.iter().find(|token| token.token == address).unwrap();
    for (at, known) in pool.tokens.iter().enumerate() {
        assert_eq!(known.end, world.node.book(world.verified, known.token).await, "{at}");
        assert_eq!(known.flows.unobserved, 0.into());
        let unexplained = if known.token == usdc { 31_337 } else { 0 };
        assert_eq!(known.flows.unexplained, unexplained.into(), "{known:?}");
    }
    assert_eq!(token(usdc).flows.deposited.to_string(), deposited.to_string());
    assert!(token(usdc).flows.withdrawn > 0.into() && token(world.token(ETH)).flows.withdrawn > 0.into());
    // What the node has as events, those of the new branch: the pushed surplus included.
    let logs = world.node.logs(world.verified).await;
    let events = logs.iter().filter_map(|log| firmquote_calldata::decode_swapped(&log.topics, &log.data).ok());
    let paid: U256 = events.filter(|event| event.input_token == usdc).map(|event| event.input_amount).sum();
    assert_eq!(token(usdc).flows.swaps_in.to_string(), paid.to_string());
    assert!(paid > U256::from(170_000_000), "{paid}: the surplus of the push is in it");

    let pool = format!("{{pool=\"{}\"}}", pool.pool);
    assert!(
        (world.service.metric(&format!("firmquote_unexplained_balance_changes_total{pool}")).await - 1.0).abs() < 0.1
    );
    assert_eq!(slice::from_ref(&world.service.metric("firmquote_tape_lost_rows_total{table=\"blocks\"}").await), [0.0]);
}
