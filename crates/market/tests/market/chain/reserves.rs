//! The reported reserves of a pool.

use alloy_primitives::U256;
use firmquote_domain::{Address, Timestamp};
use firmquote_market::chain::{PoolReserves, ReserveError};

use crate::chain::{
    fake::{Block, FakeNode, POOL, SwapPool::allTokensBalanceCall, TIME, books},
    running_source::{RecordedReserves, RunningSource},
    setup::source,
};

const TOKENS: [Address; 2] = [Address::repeat_byte(1), Address::repeat_byte(2)];

struct RunningPool {
    node: FakeNode,
    running: RunningSource<RecordedReserves>,
}

impl RunningPool {
    async fn start() -> Self {
        let node = FakeNode::start(1).await;
        let pool = Self { running: RunningSource::start(source(&[&node])), node };
        pool.wait_for_balance("the first block is read", 0, 100).await;
        pool
    }

    /// Sets the balances of the pool from `block` on.
    fn set_balances(&self, block: Block, amounts: [u64; 2], pool_tokens: u64) {
        let balances = [(TOKENS[0], amounts[0]), (TOKENS[1], amounts[1])];
        let mut state = self.node.state();
        state.newest = block;
        state.set_return_data::<allTokensBalanceCall>(POOL, &books(&balances, pool_tokens));
    }

    /// Waits until the balance of the first token is `first`.
    async fn wait_for_balance(&self, condition: &str, skipped: usize, first: u64) -> PoolReserves {
        let has_balance =
            |reserves: &PoolReserves| reserves.balances.first().is_some_and(|balance| balance.1 == U256::from(first));
        self.running.updates.next(condition, skipped, |update| update.as_ref().is_ok_and(has_balance)).await.unwrap()
    }
}

#[tokio::test]
async fn reserves_are_reported_at_every_new_block_with_number_and_time() {
    let pool = RunningPool::start().await;
    pool.set_balances(Block { time: TIME + 3, ..Block::at(101) }, [5_000, 7], 100);
    let reserves = pool.wait_for_balance("the deposit is reported", 1, 5_000).await;
    let expected = PoolReserves {
        block_number: 101,
        block_hash: Block { time: TIME + 3, ..Block::at(101) }.hash(101),
        block_time: Timestamp::from_micros((TIME + 3) * 1_000_000),
        balances: vec![(TOKENS[0], U256::from(5_000)), (TOKENS[1], U256::from(7))],
        pool_tokens: U256::from(100),
        events: None,
    };
    assert_eq!(reserves, expected);

    pool.node.state().newest = Block::at(102);
    let next = pool.running.updates.wait_for_block("a block without a swap is reported", 102).await;
    assert_eq!(next.balances, expected.balances);
    assert_eq!(pool.running.errors.all(), Vec::<String>::new());
}

#[tokio::test]
async fn reserves_of_a_dropped_block_are_reverted() {
    let pool = RunningPool::start().await;
    pool.set_balances(Block::at(101), [1_500, 1_500], 2);
    pool.wait_for_balance("both deposits are reported", 0, 1_500).await;
    pool.set_balances(Block { branch: 1, fork_height: 101, ..Block::at(101) }, [1_000, 1_000], 1);
    let after = pool.wait_for_balance("one deposit is left", 2, 1_000).await;
    assert_eq!(after.block_number, 101, "the same height, another block");
    assert_eq!(pool.running.updates.all().len(), 3);
}

#[tokio::test]
async fn a_pool_with_inconsistent_reserves_is_reported_as_invalid() {
    let pool = RunningPool::start().await;
    let [first, second] = TOKENS;
    let uneven = (vec![U256::ONE], vec![first, second], U256::ONE);
    let twice = (vec![U256::ONE; 2], vec![first, first], U256::ONE);
    for (number, books) in [(101, uneven), (103, twice)] {
        let skipped = pool.running.updates.all().len();
        {
            let mut state = pool.node.state();
            state.newest = Block::at(number);
            state.set_return_data::<allTokensBalanceCall>(POOL, &alloy_sol_types::SolValue::abi_encode_params(&books));
        }
        let update = pool.running.updates.next("it fails", skipped, Result::is_err).await;
        assert!(matches!(update, Err(ReserveError::Contract(_))), "{update:?}");
        let next = number + 1;
        pool.set_balances(Block::at(next), [next, next], 1);
        pool.wait_for_balance("it is a pool again", skipped, next).await;
    }
}
