//! A real pool on a real node.

use std::sync::Arc;

use firmquote_domain::{ManualClock, U256};
use firmquote_market::chain::{PoolReserves, ReserveSource};
use serde_json::json;

use crate::{
    anvil::Anvil,
    contracts::Pool,
    hearing::{MOMENT, Reserves, Running, access, rpc},
};

struct World {
    anvil: Anvil,
    pool: Pool,
    running: Running<Reserves>,
}

impl World {
    async fn start() -> Self {
        let anvil = Anvil::start().await;
        let pool = Pool::create(&anvil).await;
        let clock = Arc::new(ManualClock::at(anvil.newest().await.1));
        let rpc = rpc(access(Anvil::chain_id(), vec![anvil.url()]), &clock);
        let running = Running::start(ReserveSource::new(rpc, pool.id(), MOMENT).unwrap());
        Self { anvil, pool, running }
    }

    /// Waits until the pool is told to hold so much of its first token.
    async fn told(&self, what: &str, skipped: usize, first: u64) -> PoolReserves {
        let holds = |reserves: &PoolReserves| reserves.balances.first().is_some_and(|held| held.1 == U256::from(first));
        self.running.heard.next(what, skipped, |said| said.as_ref().is_ok_and(holds)).await.unwrap()
    }
}

#[tokio::test]
async fn reserves_are_told_at_every_new_block_with_its_number_and_time() {
    let world = World::start().await;
    world.told("the empty pool is told", 0, 0).await;
    world.pool.deposit(&world.anvil, [5_000, 7], 100).await;
    let told = world.told("the deposit is told", 0, 5_000).await;
    let (number, time) = world.anvil.newest().await;
    let expected = [(world.pool.tokens[0], U256::from(5_000)), (world.pool.tokens[1], U256::from(7))];
    assert_eq!(told.balances, expected);
    assert_eq!((told.block_number, told.block_time, told.pool_tokens), (number, time, U256::from(100)));

    world.anvil.ask("anvil_mine", json!(["0x1"])).await;
    let is_next = |said: &Result<PoolReserves, _>| said.as_ref().is_ok_and(|told| told.block_number == number + 1);
    let next = world.running.heard.next("a block without a swap is told", 0, is_next).await.unwrap();
    assert_eq!(next.balances, expected);
    assert_eq!(world.running.ends.all(), Vec::<String>::new());
}

#[tokio::test]
async fn reserves_of_a_block_that_the_chain_dropped_are_taken_back() {
    let world = World::start().await;
    world.pool.deposit(&world.anvil, [1_000, 1_000], 1).await;
    world.pool.deposit(&world.anvil, [500, 500], 1).await;
    let before = world.told("both deposits are told", 0, 1_500).await;
    let skipped = world.running.heard.all().len();
    world.anvil.ask("anvil_reorg", json!([1, []])).await;
    let after = world.told("one deposit is left", skipped, 1_000).await;
    assert_eq!(after.block_number, before.block_number, "the same height, another block");
}

#[tokio::test]
async fn nothing_is_told_of_the_blocks_before_those_that_the_node_lost() {
    let world = World::start().await;
    for _ in 0..3 {
        world.pool.deposit(&world.anvil, [100, 100], 1).await;
    }
    let before = world.told("the deposits are told", 0, 300).await;
    let skipped = world.running.heard.all().len();
    // The node loses two blocks, and mines others in their place.
    world.anvil.ask("anvil_rollback", json!([2])).await;
    world.anvil.ask("anvil_mine", json!(["0x2"])).await;
    let after = world.told("one deposit is left", skipped, 100).await;
    assert!(after.block_number + 1 >= before.block_number, "{after:?}");
    let lowest = world.running.heard.all()[skipped..].iter().flatten().map(|told| told.block_number).min();
    assert!(lowest.is_some_and(|lowest| lowest + 1 >= before.block_number), "{lowest:?}");
}
