//! The rows of the blocks of a pool explain every base unit, across reorganizations.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests need the rest")]
mod support;

use firmquote_analysis::{BalanceFlows, BlockBalances, BlockHistory, UnexplainedChanges};
use firmquote_calldata::SwappedEvent;
use firmquote_desk::{ExecutedSwap, ObservedBlock};
use firmquote_domain::{Address, B256, U256, UnixSeconds};
use support::{START, pool};

/// A block of a chain: whether it has a swap, a deposit, a gift, and on which branch it is.
#[derive(Clone, Copy)]
struct Block {
    kind: u64,
    branch: u64,
}

/// Small numbers that look random (xorshift; Marsaglia, 2003).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

const TOKENS: [Address; 2] = [Address::repeat_byte(1), Address::repeat_byte(2)];

/// Returns the first balance less that at the beginning, by gifts and deposits, and the second one, by swaps.
fn totals(chain: &[Block]) -> [u64; 3] {
    let count = |kind| u64::try_from(chain.iter().filter(|block| block.kind == kind).count()).unwrap();
    [count(1), count(2), count(3)]
}

/// What a contract holds at the end of a chain: the hash of the block, the balances, and the pool tokens.
type Held = (B256, Vec<(Address, U256)>, U256);

/// Returns what a node says of the newest block, with the swaps since a block.
fn read(chain: &[Block], since: u64) -> (Held, ObservedBlock) {
    let number = u64::try_from(chain.len()).unwrap();
    let [swaps, deposits, gifts] = totals(chain);
    let swap = |(at, block): (usize, &Block)| {
        let block_number = u64::try_from(at).unwrap() + 1;
        let event = SwappedEvent {
            input_token: TOKENS[0],
            output_token: TOKENS[1],
            recipient: Address::ZERO,
            input_amount: U256::from(7),
            output_amount: U256::from(5),
            aux_data: Vec::new().into(),
        };
        (block.kind == 1 && block_number >= since).then(|| ExecutedSwap {
            transaction_hash: B256::from(U256::from(block_number * 1_000 + block.branch)),
            log_index: 0,
            block_number,
            block_time: UnixSeconds::new(1),
            event,
        })
    };
    let balances = [1_000_000 + 7 * swaps + 11 * deposits + 13 * gifts, 1_000_000 - 5 * swaps];
    let held = (
        B256::from(U256::from(number * 1_000 + chain.last().unwrap().branch)),
        TOKENS.into_iter().zip(balances.map(U256::from)).collect(),
        U256::from(100 + deposits),
    );
    let block = ObservedBlock {
        max_age_seconds: 60,
        number,
        time: START,
        since,
        counted_until: 0,
        swaps: chain.iter().enumerate().filter_map(swap).collect(),
        is_confirmed: true,
        is_deeply_reorganized: false,
    };
    (held, block)
}

#[test]
fn every_base_unit_is_explained_across_reorganizations() {
    let pool = pool("5").pool;
    let spec = pool.signer().pool().spec();
    for seed in 1..200 {
        let (mut numbers, mut history) = (Numbers(seed * 0x9E37_79B9), BlockHistory::default());
        let mut chain = vec![Block { kind: 0, branch: 0 }; 300];
        let mut first: Option<[u64; 3]> = None;
        let mut flows = [BalanceFlows::default(), BalanceFlows::default()];
        let mut last = None;
        for branch in 1..120 {
            if numbers.below(5) == 0 {
                chain.truncate(chain.len() - usize::try_from(numbers.below(12)).unwrap());
            }
            for _ in 0..=numbers.below(3) {
                chain.push(Block { kind: numbers.below(6), branch });
            }
            // Events are requested since a block that moves to and fro, before any reorganization.
            let since = u64::try_from(chain.len()).unwrap() - 40 - numbers.below(40);
            let ((hash, balances, pool_tokens), block) = read(&chain, since);
            let balances = BlockBalances { hash, balances: &balances, pool_tokens };
            let (row, steps) = history.record(spec, &block, balances, START).unwrap();
            assert_eq!(row.follows, last);
            for (token, step) in steps {
                flows[usize::from(token == TOKENS[1])] += step;
            }
            last = Some(row.hash);
            first.get_or_insert_with(|| totals(&chain));
        }
        let changes: Vec<i64> = totals(&chain)
            .into_iter()
            .zip(first.unwrap())
            .map(|(last, first)| i64::try_from(last).unwrap() - i64::try_from(first).unwrap())
            .collect();
        let [input, output] = flows;
        let number = |amount: i64| amount.into();
        assert_eq!((&input.swaps_in, &output.swaps_out), (&number(7 * changes[0]), &number(5 * changes[0])), "{seed}");
        assert_eq!((&input.unobserved, &output.unobserved), (&number(0), &number(0)));
        assert!(output.is_explained(), "{output:?}");
        let gifts = input.deposited - input.withdrawn + input.unexplained;
        assert_eq!(gifts, number(11 * changes[1] + 13 * changes[2]), "{seed}");
    }
}

#[test]
fn an_event_that_comes_late_explains_its_change_and_a_fall_of_the_chain_explains_nothing() {
    let pool = pool("5").pool;
    let spec = pool.signer().pool().spec();
    let mut chain = vec![Block { kind: 0, branch: 0 }; 700];
    let (mut history, mut unexplained) = (BlockHistory::default(), UnexplainedChanges::default());
    let mut observed = |chain: &[Block], omits_newest: bool| {
        let since = u64::try_from(chain.len()).unwrap() - 64;
        let ((hash, balances, pool_tokens), mut block) = read(chain, since);
        if omits_newest {
            block.swaps.retain(|swap| swap.block_number != block.number);
        }
        let balances = BlockBalances { hash, balances: &balances, pool_tokens };
        let (row, flows) = history.record(spec, &block, balances, START).unwrap();
        (row.follows.is_some(), unexplained.add(flows))
    };
    let nothing = (true, Vec::new());
    assert_eq!(observed(&chain, false), (false, Vec::new()));
    chain.push(Block { kind: 1, branch: 1 });
    assert_eq!(observed(&chain, true), nothing, "the balances without the swap");
    chain.push(Block { kind: 0, branch: 2 });
    assert_eq!(observed(&chain, false), nothing, "the swap");
    // A gift is reported once, some rows later.
    chain.push(Block { kind: 3, branch: 3 });
    let mut reported = Vec::new();
    for branch in 4..10 {
        reported.extend(observed(&chain, false).1);
        chain.push(Block { kind: 0, branch });
    }
    let [(token, flows)] = &reported[..] else { panic!("{reported:?}") };
    assert_eq!((*token, &flows.unexplained), (TOKENS[0], &13.into()));
    // Another node shows a much lower chain: what it replaces is not known, and what follows is.
    chain.truncate(150);
    assert_eq!(observed(&chain, false), (false, Vec::new()));
    for branch in 10..20 {
        chain.push(Block { kind: 1, branch });
        assert_eq!(observed(&chain, false), nothing);
    }
}
