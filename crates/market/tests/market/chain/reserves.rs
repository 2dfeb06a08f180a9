//! The reserves that a pool is reported to hold.

use alloy_primitives::U256;
use firmquote_domain::{Address, Timestamp};
use firmquote_market::chain::{PoolReserves, ReserveError};

use crate::chain::{
    fake::{Block, FakeNode, POOL, SwapPool::allTokensBalanceCall, TIME, books},
    running_source::{RecordedReserves, RunningSource},
    setup::source,
};

const TOKENS: [Address; 2] = [Address::repeat_byte(1), Address::repeat_byte(2)];

struct World {
    node: FakeNode,
    running: RunningSource<RecordedReserves>,
}

impl World {
    async fn start() -> Self {
        let node = FakeNode::start(1).await;
        let world = Self { running: RunningSource::start(source(&[&node])), node };
        world.wait_for_balance("the first block is read", 0, 100).await;
        world
    }

    /// Has the pool hold so much from the block `block` on.
    fn hold(&self, block: Block, amounts: [u64; 2], pool_tokens: u64) {
        let held = [(TOKENS[0], amounts[0]), (TOKENS[1], amounts[1])];
        let mut state = self.node.state();
        state.newest = block;
        state.set_return_data::<allTokensBalanceCall>(POOL, &books(&held, pool_tokens));
    }

    /// Waits until the pool is reported to hold so much of its first token.
    async fn wait_for_balance(&self, what: &str, skipped: usize, first: u64) -> PoolReserves {
        let holds = |reserves: &PoolReserves| reserves.balances.first().is_some_and(|held| held.1 == U256::from(first));
        self.running.updates.next(what, skipped, |said| said.as_ref().is_ok_and(holds)).await.unwrap()
    }
}

#[tokio::test]
async fn reserves_are_reported_at_every_new_block_with_number_and_time() {
    let world = World::start().await;
    world.hold(Block { time: TIME + 3, ..Block::at(101) }, [5_000, 7], 100);
    let observed = world.wait_for_balance("the deposit is reported", 1, 5_000).await;
    let expected = PoolReserves {
        block_number: 101,
        block_time: Timestamp::from_micros((TIME + 3) * 1_000_000),
        balances: vec![(TOKENS[0], U256::from(5_000)), (TOKENS[1], U256::from(7))],
        pool_tokens: U256::from(100),
        events: None,
    };
    assert_eq!(observed, expected);

    world.node.state().newest = Block::at(102);
    let is_next = |said: &Result<PoolReserves, _>| said.as_ref().is_ok_and(|observed| observed.block_number == 102);
    let next = world.running.updates.next("a block without a swap is reported", 2, is_next).await.unwrap();
    assert_eq!(next.balances, expected.balances);
    assert_eq!(world.running.errors.all(), Vec::<String>::new());
}

#[tokio::test]
async fn reserves_of_a_dropped_block_are_reverted() {
    let world = World::start().await;
    world.hold(Block::at(101), [1_500, 1_500], 2);
    world.wait_for_balance("both deposits are reported", 0, 1_500).await;
    world.hold(Block { branch: 1, fork_height: 101, ..Block::at(101) }, [1_000, 1_000], 1);
    let after = world.wait_for_balance("one deposit is left", 2, 1_000).await;
    assert_eq!(after.block_number, 101, "the same height, another block");
    assert_eq!(world.running.updates.all().len(), 3);
}

#[tokio::test]
async fn a_pool_with_inconsistent_reserves_is_reported_as_invalid() {
    let world = World::start().await;
    let [one, other] = TOKENS;
    let uneven = (vec![U256::ONE], vec![one, other], U256::ONE);
    let twice = (vec![U256::ONE; 2], vec![one, one], U256::ONE);
    for (number, books) in [(101, uneven), (103, twice)] {
        let skipped = world.running.updates.all().len();
        {
            let mut state = world.node.state();
            state.newest = Block::at(number);
            state.set_return_data::<allTokensBalanceCall>(POOL, &alloy_sol_types::SolValue::abi_encode_params(&books));
        }
        let said = world.running.updates.next("it fails", skipped, Result::is_err).await;
        assert!(matches!(said, Err(ReserveError::Contract(_))), "{said:?}");
        let next = number + 1;
        world.hold(Block::at(next), [next, next], 1);
        world.wait_for_balance("it is a pool again", skipped, next).await;
    }
}
