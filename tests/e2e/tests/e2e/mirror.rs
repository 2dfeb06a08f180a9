//! The mirror of the on-chain check in `firmquote-pricing` agrees with the contract to the unit, also at its limits.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use alloy_sol_types::SolError;
use firmquote_domain::{
    Address, Amount, B256, BasisPoints, Decimals, GoodUntilKind, NativeSide, PoolConstant, Price, Terms, U256, Weight,
};
use firmquote_e2e::{
    artifact::creation,
    draw::{self},
    evm::{Chain, Outcome},
    exchange::{NOW, PoolHarness},
    interface::{FirmquotePool, InvariantHarness},
    swapping::TRADER,
    transaction::Transaction,
};
use firmquote_pricing::{PairAsset, PairState, Swap, would_execute};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The contract's check on its own chain.
struct Harness {
    chain: Chain,
    address: Address,
}

impl Harness {
    fn new() -> Self {
        let mut chain = Chain::at(NOW);
        let code = creation("InvariantHarness", &InvariantHarness::constructorCall {});
        chain.send(&Transaction::creating(TRADER, code)).executed();
        Self { chain, address: TRADER.create(0) }
    }

    /// Returns the contract's result; `None` where its arithmetic reverts.
    fn check(&mut self, pair: &PairState, swap: Swap) -> Option<bool> {
        let (x, y) = (&pair.input, &pair.output);
        let call = InvariantHarness::checkCall {
            qX: self.scale(x, x.reserve.base_units())?,
            qXAfter: self.scale(x, x.reserve.base_units().checked_add(swap.input.base_units())?)?,
            pX: U256::from(x.price.steps()),
            wX: U256::from(x.weight.get()),
            qY: self.scale(y, y.reserve.base_units())?,
            qYAfter: self.scale(y, y.reserve.base_units().checked_sub(swap.output.base_units())?)?,
            pY: U256::from(y.price.steps()),
            wY: U256::from(y.weight.get()),
            k: U256::from(pair.k.steps()),
        };
        self.chain.ask(self.address, &call)
    }

    fn scale(&mut self, side: &PairAsset, amount: U256) -> Option<U256> {
        let call = InvariantHarness::scaleCall { amount, decimals: side.decimals.get() };
        self.chain.ask(self.address, &call)
    }
}

/// Number of results of each kind.
#[derive(Debug, Default)]
struct Tally {
    grown: u32,
    refused: u32,
    reverted: u32,
}

impl Tally {
    fn count(&mut self, answer: Option<bool>) {
        match answer {
            Some(true) => self.grown += 1,
            Some(false) => self.refused += 1,
            None => self.reverted += 1,
        }
    }

    const fn total(&self) -> u32 {
        self.grown + self.refused + self.reverted
    }
}

/// Compares the mirror with the contract on states drawn from this seed.
fn compare_with_library(seed: u64, near_misses: fn(&PairState, Swap) -> Vec<Swap>) -> Tally {
    let mut rng = draw::generator(seed);
    let mut harness = Harness::new();
    let mut tally = Tally::default();
    for _ in 0..3_400 {
        let pair = random_state(&mut rng);
        let swap = Swap {
            input: draw::amount(&mut rng, Amount::ONE, pair.input.reserve),
            output: draw::amount(&mut rng, Amount::ONE, pair.output.reserve),
        };
        for swap in [vec![swap], near_misses(&pair, swap)].concat() {
            let answer = harness.check(&pair, swap);
            let mirrored = would_execute(&pair, swap.input, swap.output);
            assert_eq!(mirrored, answer == Some(true), "{answer:?}: {pair:?} {swap:?}");
            tally.count(answer);
        }
    }
    tally
}

#[track_caller]
fn assert_enough_cases(tally: &Tally) {
    assert!(tally.total() >= 10_000, "{tally:?}");
    assert!(tally.grown.min(tally.refused) >= 3_000 && tally.reverted >= 500, "{tally:?}");
}

#[test]
fn the_mirror_matches_the_contract_around_the_largest_output() {
    let tally = compare_with_library(1, |pair, swap| {
        let largest = find_edge(pair.output.reserve, |output| would_execute(pair, swap.input, output));
        with_neighbors(largest).map(|output| Swap { output, ..swap }).collect()
    });
    eprintln!("{} checks compared: {tally:?}", tally.total());
    assert_enough_cases(&tally);
}

#[test]
fn the_mirror_matches_the_contract_around_the_smallest_input() {
    let tally = compare_with_library(2, |pair, swap| {
        let reserve = pair.input.reserve;
        let max = reserve.checked_add(reserve).unwrap_or(reserve);
        let too_small = find_edge(max, |input| !would_execute(pair, input, swap.output));
        with_neighbors(too_small).map(|input| Swap { input, ..swap }).collect()
    });
    eprintln!("{} checks compared: {tally:?}", tally.total());
    assert_enough_cases(&tally);
}

/// Draws any state; in most, both reserves are worth about the same, and in some, numbers are at their maximum.
fn random_state(rng: &mut ChaCha8Rng) -> PairState {
    let max_bits = if rng.random_ratio(1, 5) { 256 } else { 95 };
    let input = random_side(rng, max_bits);
    let mut output = random_side(rng, max_bits);
    if rng.random_ratio(3, 4) {
        balance(&input, &mut output);
    }
    let k = match rng.random_range(0..8) {
        0 => 0,
        1 => PoolConstant::SCALE - 1,
        2 => PoolConstant::SCALE / 100 * rng.random_range(0..50),
        3 => draw::log_uniform_u64(rng, 1, PoolConstant::SCALE - 1),
        _ => rng.random_range(0..PoolConstant::SCALE),
    };
    PairState { input, output, k: PoolConstant::new(k).unwrap(), fee: BasisPoints::default(), max_improvement: None }
}

fn random_side(rng: &mut ChaCha8Rng, max_bits: usize) -> PairAsset {
    let price = if rng.random_ratio(1, 20) { u64::MAX } else { draw::log_uniform_u64(rng, 1, 1 << 50) };
    let weight = if rng.random_ratio(1, 3) { 100 } else { rng.random_range(1..=u16::MAX) };
    PairAsset {
        reserve: draw::amount(rng, Amount::ONE, Amount::new(U256::MAX >> (256 - max_bits)).unwrap()),
        price: Price::new(price).unwrap(),
        weight: Weight::new(weight).unwrap(),
        decimals: Decimals::new(rng.random_range(0..=Decimals::MAX)).unwrap(),
    }
}

/// Sets the price of `output` so that both reserves are worth the same, within the range of prices.
fn balance(input: &PairAsset, output: &mut PairAsset) {
    let Some(quantity) = input.decimals.to_18_decimals(input.reserve.base_units()) else { return };
    let Some(output_quantity) =
        output.decimals.to_18_decimals(output.reserve.base_units()).filter(|quantity| !quantity.is_zero())
    else {
        return;
    };
    let steps = quantity.saturating_mul(U256::from(input.price.steps())) / output_quantity;
    output.price = Price::new(u64::try_from(steps).unwrap_or(u64::MAX).max(1)).unwrap();
}

/// Finds an amount up to `max` that `holds` while the next one does not; one unit if not even that holds.
fn find_edge(max: Amount, holds: impl Fn(Amount) -> bool) -> Amount {
    let (mut low, mut high) = (U256::ONE, max.base_units());
    while low + U256::ONE < high {
        let middle = low + ((high - low) >> 1);
        if holds(Amount::new(middle).unwrap()) { low = middle } else { high = middle }
    }
    Amount::new(low).unwrap()
}

/// Returns the valid amounts among the amount and its neighbors.
fn with_neighbors(amount: Amount) -> impl Iterator<Item = Amount> {
    let neighbours = [amount.checked_sub(Amount::ONE), Some(amount), amount.checked_add(Amount::ONE)];
    neighbours.into_iter().flatten()
}

#[tokio::test]
async fn the_mirror_matches_the_pool() {
    let mut tally = Tally::default();
    for seed in 1_000..1_040 {
        let mut rng = draw::generator(seed);
        let mut exchange = PoolHarness::open(draw::opening(&mut rng, GoodUntilKind::Verified));
        for _ in 0..8 {
            compare_with_pool(&mut rng, &mut exchange, &mut tally).await;
        }
    }
    eprintln!("{} checks compared with the pool: {tally:?}", tally.total());
    assert!(tally.total() >= 900, "{tally:?}");
    assert!(tally.grown.min(tally.refused) >= 250, "{tally:?}");
}

/// Executes the largest amount that the mirror accepts, and checks that one unit more reverts.
async fn compare_with_pool(rng: &mut ChaCha8Rng, exchange: &mut PoolHarness, tally: &mut Tally) {
    let tokens = exchange.contracts.tokens.len();
    let input = rng.random_range(0..tokens);
    let positions = (input, (input + rng.random_range(1..tokens)) % tokens);
    let pair = exchange.pair(positions, BasisPoints::default());
    let input = draw::amount(rng, Amount::ONE, pair.input.reserve);
    let output = find_edge(pair.output.reserve, |output| would_execute(&pair, input, output));
    for output in with_neighbors(output) {
        let swap = Swap { input, output };
        let terms = Terms {
            destination: Address::repeat_byte(0xdd),
            sender: TRADER,
            aux_data: B256::ZERO,
            native: NativeSide::Neither,
            transmit: true,
            guarantee: false,
        };
        let offer = exchange.offer(positions, &pair, swap, terms.destination);
        let signed = exchange.sign_unguarded(offer, terms).await;
        exchange.fund(&signed);
        exchange.prepare(&signed);
        let is_executed = match exchange.chain.attempt(&signed.transaction()) {
            Outcome::Executed { .. } => true,
            Outcome::Reverted(data) => {
                assert_eq!(data, FirmquotePool::InvariantNotIncreased {}.abi_encode(), "{pair:?} {swap:?}");
                false
            }
        };
        assert_eq!(would_execute(&pair, input, output), is_executed, "{pair:?} {swap:?}");
        tally.count(Some(is_executed));
    }
}
