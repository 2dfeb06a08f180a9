//! Concurrently outstanding swaps on a contract that checks the curve and executes each signature once: guaranteed
//! swaps execute while they are valid, in any order and among any other swaps, and the pool never loses.
//!
//! `FIRMQUOTE_SWAPS=200000 cargo test --release -p firmquote-e2e --test e2e guaranteed` executes more swaps.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, env, sync::Arc};

use firmquote_calldata::decode_swapped;
use firmquote_desk::{Desk, DeskError, ExecutedSwap, ObservedBlock, QuoteRequest, SigningPolicy};
use firmquote_domain::{
    Amount, B256, BasisPoints, Client, Execution, GoodUntilKind, ManualClock, NativeSide, Price, SignedQuote,
    SwapAmount, Terms, U256, Usd,
};
use firmquote_e2e::{
    demo,
    desk::{DeskHarness, publish, single_use},
    draw,
    evm::{ChainState, Outcome, chain_id},
    exchange::{Opening, PoolHarness},
    swapping::{SignedSwap, TRADER},
};
use firmquote_market::Market;
use rand::{RngExt, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// Default number of executed swaps.
const SWAPS: usize = 20_000;
/// Maximum depth of a reorganization, in blocks.
const MAX_REORG_DEPTH: u64 = 10;
/// The block of the initial reserves.
const FIRST_BLOCK: u64 = 100;
/// Seconds after which the signature of a quote has expired, with some margin.
const LIFETIME_SECONDS: u64 = 700;

/// The state before the only transaction of a block.
struct BlockSnapshot {
    state: ChainState,
    executed: usize,
    outstanding: Vec<SignedQuote>,
}

/// A pool on its chain, and the service for it.
struct World {
    exchange: PoolHarness,
    desk: Desk,
    market: Arc<Market>,
    clock: Arc<ManualClock>,
    block: u64,
    executed: Vec<ExecutedSwap>,
    outstanding: Vec<SignedQuote>,
    /// The blocks since nothing was outstanding, oldest first.
    history: Vec<BlockSnapshot>,
    /// The minimum invariant after a swap; `None` while prices move.
    floor: Option<f64>,
    tally: Tally,
}

#[derive(Debug, Default)]
struct Tally {
    guaranteed: usize,
    best_effort: usize,
    reverted: usize,
    reorganized: usize,
    refused: usize,
}

impl World {
    fn new(rng: &mut ChaCha8Rng) -> Self {
        let k = ["0.02", "0.06", "0.2", "0.5", "0.9"][rng.random_range(0..5)];
        let opening = Opening { k: k.parse().unwrap(), ..demo::opening(GoodUntilKind::Verified) };
        let exchange = PoolHarness::open(opening);
        let mut spec = single_use(&exchange, BasisPoints::from_hundredths(rng.random_range(100..=3_000)).unwrap());
        // Half of the pools have a bound, and prices move so far that most of those bounds hold at times.
        spec.max_improvement = BasisPoints::from_hundredths(rng.random_range(1..=5_000)).filter(|_| rng.random());
        let mut policy = SigningPolicy::default();
        policy.outstanding.min_guaranteed = Usd::default();
        policy.outstanding.confirmations = if rng.random() { MAX_REORG_DEPTH } else { 0 };
        let DeskHarness { exchange, desk, market, clock } = DeskHarness::new(exchange, spec, policy, FIRST_BLOCK);
        Self {
            exchange,
            desk,
            market,
            clock,
            block: FIRST_BLOCK,
            executed: Vec::new(),
            outstanding: Vec::new(),
            history: Vec::new(),
            floor: None,
            tally: Tally::default(),
        }
    }

    fn confirmations(&self) -> u64 {
        self.desk.pools[0].policy.outstanding.confirmations
    }

    fn publish(&mut self) {
        publish(&self.market, &mut self.exchange, self.block);
    }

    fn invariant(&mut self) -> f64 {
        let k = f64::from(u32::try_from(self.exchange.spec().k.steps() / 1_000_000_000_000).unwrap()) / 1e6;
        let reserves = self.exchange.reserves();
        let terms = self.exchange.listings.iter().zip(&reserves).map(|(listing, reserve)| {
            let units: f64 = reserve.to_string().parse().unwrap();
            let price: f64 = listing.price.to_string().parse().unwrap();
            let worth = units / 10_f64.powi(i32::from(listing.decimals.get())) * price;
            worth.powf(1.0 - k) / f64::from(listing.weight.get()).powf(k)
        });
        terms.sum()
    }

    /// Quotes and signs up to 5 % of a reserve, with or without a guarantee.
    async fn sign(&mut self, rng: &mut ChaCha8Rng) {
        let (input, output) = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)][rng.random_range(0..6)];
        let reserve = self.exchange.reserves()[input];
        let max_amount = Amount::new(reserve / U256::from(20)).unwrap();
        let amount = draw::amount(rng, Amount::new(reserve / U256::from(200_000)).unwrap(), max_amount);
        let guarantee = rng.random_bool(0.7);
        let symbols = [input, output].map(|token| format!("T{token}"));
        let request = QuoteRequest {
            client: if guarantee { Client::Named("acme".into()) } else { Client::Anonymous },
            source_network: None,
            chain_id: chain_id(),
            input: symbols[0].as_str().into(),
            output: symbols[1].as_str().into(),
            amount: SwapAmount::ExactInput(amount),
            time_in_seconds: Some(600),
            pool_address: None,
            levels_id: None,
            quote_id: None,
        };
        let terms = Terms {
            destination: draw::address(rng),
            sender: TRADER,
            aux_data: B256::ZERO,
            native: NativeSide::Neither,
            transmit: rng.random(),
            guarantee,
        };
        match self.desk.quote_and_sign(&request, terms).await {
            Ok(signed) => self.outstanding.push(signed),
            Err(DeskError::Internal(bug)) => unreachable!("{bug}"),
            Err(_) => self.tally.refused += 1,
        }
    }

    /// Executes an outstanding swap in its own block. A guaranteed swap must not revert.
    async fn settle(&mut self, rng: &mut ChaCha8Rng) {
        self.outstanding.shuffle(rng);
        let Some(signed) = self.outstanding.last().cloned() else { return };
        let swap = SignedSwap { offer: signed.offer(), terms: signed.terms, signature: signed.signature };
        let before = self.exchange.chain.state();
        self.exchange.fund(&swap);
        if swap.terms.transmit {
            self.exchange.prepare(&swap);
        } else {
            let input = swap.offer.input_amount.base_units();
            let thousandths = [1_000, 1_005, rng.random_range(500..1_000_u32)][rng.random_range(0..3)];
            let pushed = (input * U256::from(thousandths)).div_ceil(U256::from(1_000));
            self.exchange.fund(&swap);
            self.exchange.push(swap.offer.input_token, pushed);
        }
        let outcome = self.exchange.chain.send(&swap.transaction());
        match (signed.execution, &outcome) {
            (Execution::Guaranteed, _) => {
                assert!(outcome.is_executed(), "{outcome:?} of {signed:?}");
                self.tally.guaranteed += 1;
            }
            (Execution::BestEffort, Outcome::Executed { .. }) => self.tally.best_effort += 1,
            (Execution::BestEffort, Outcome::Reverted(_)) => {
                self.exchange.chain.reorganize(before);
                self.tally.reverted += 1;
                return;
            }
        }
        let invariant = self.invariant();
        assert!(self.floor.is_none_or(|floor| invariant >= floor * (1.0 - 1e-13)), "{invariant} after {signed:?}");
        let (_, logs) = outcome.executed();
        let pool_logs = logs.iter().filter(|log| log.address == self.exchange.contracts.pool);
        let event = pool_logs.filter_map(|log| decode_swapped(log.data.topics(), &log.data.data).ok()).next_back();
        self.history.push(BlockSnapshot {
            state: before,
            executed: self.executed.len(),
            outstanding: self.outstanding.clone(),
        });
        self.outstanding.pop();
        self.executed.push(ExecutedSwap {
            transaction_hash: B256::from(U256::from(self.executed.len())),
            log_index: 0,
            block_number: self.block + 1,
            block_time: self.desk.clock.now().seconds(),
            event: event.unwrap(),
        });
        self.block += 1;
        self.observe().await;
    }

    /// Replaces some of the newest blocks with as many empty ones and one more, so that their swaps are outstanding
    /// again. With zero confirmations the service makes no promise about reorganizations.
    async fn reorganize(&mut self, rng: &mut ChaCha8Rng) {
        let depth = self.history.len().min(usize::try_from(self.confirmations()).unwrap());
        if depth == 0 {
            return;
        }
        let length = self.history.len() - rng.random_range(1..=depth);
        let dropped = self.history.split_off(length).into_iter().next().unwrap();
        self.exchange.chain.reorganize(dropped.state);
        self.executed.truncate(dropped.executed);
        let restored: BTreeSet<_> = dropped.outstanding.iter().map(|signed| signed.quote.id).collect();
        self.outstanding.retain(|signed| !restored.contains(&signed.quote.id));
        self.outstanding.extend(dropped.outstanding);
        self.tally.reorganized += 1;
        self.block += 1;
        self.history.clear();
        self.observe().await;
    }

    /// Lets all outstanding swaps expire. Prices may move afterwards.
    async fn expire_all(&mut self, rng: &mut ChaCha8Rng) {
        self.clock.advance_micros(LIFETIME_SECONDS * 1_000_000);
        self.exchange.chain.set_time(self.desk.clock.now().seconds().get());
        self.block += 2 * MAX_REORG_DEPTH;
        self.observe().await;
        self.outstanding.clear();
        self.history.clear();
        self.floor = if rng.random() { Some(self.invariant()) } else { None };
    }

    fn move_prices(&mut self, rng: &mut ChaCha8Rng) {
        for listing in &mut self.exchange.listings {
            let steps = u128::from(listing.price.steps()) * rng.random_range(9_990..=10_010) / 10_000;
            listing.price = Price::new(u64::try_from(steps).unwrap()).unwrap();
        }
        self.publish();
    }

    async fn observe(&mut self) {
        let block = ObservedBlock {
            max_age_seconds: 60,
            number: self.block,
            time: self.desk.clock.now(),
            since: 0,
            counted_until: self.block,
            swaps: self.executed.clone(),
            is_confirmed: true,
            is_deeply_reorganized: false,
        };
        self.desk.observe(self.desk.pools[0].id(), &block).await.unwrap();
        self.publish();
    }

    /// Keeps 2 to 40 swaps outstanding while random events occur. In the end all guaranteed swaps are executed, except
    /// for some that are never sent.
    async fn run(&mut self, rng: &mut ChaCha8Rng) {
        let max_outstanding = rng.random_range(2..=40);
        for _ in 0..3 * max_outstanding {
            match rng.random_range(0..10) {
                0..6 if self.outstanding.len() < max_outstanding => self.sign(rng).await,
                6..9 => self.settle(rng).await,
                9 if self.floor.is_none() => self.move_prices(rng),
                _ => self.reorganize(rng).await,
            }
        }
        self.outstanding.retain(|signed| signed.execution == Execution::Guaranteed);
        let unused = rng.random_range(0..=self.outstanding.len() / 4);
        while self.outstanding.len() > unused {
            self.settle(rng).await;
        }
        self.expire_all(rng).await;
    }
}

fn swaps() -> usize {
    env::var("FIRMQUOTE_SWAPS").ok().and_then(|count| count.parse().ok()).unwrap_or(SWAPS)
}

#[tokio::test]
async fn guaranteed_swaps_execute_alongside_everything_else() {
    let (mut total, mut seed) = (Tally::default(), 0);
    while total.guaranteed + total.best_effort < swaps() {
        let mut rng = draw::generator(seed);
        let mut world = World::new(&mut rng);
        for _ in 0..4 {
            world.run(&mut rng).await;
        }
        let Tally { guaranteed, best_effort, reverted, reorganized, refused } = world.tally;
        total.guaranteed += guaranteed;
        total.best_effort += best_effort;
        total.reverted += reverted;
        total.reorganized += reorganized;
        total.refused += refused;
        seed += 1;
    }
    eprintln!("{seed} pools, {total:?}");
    assert!(total.guaranteed > swaps() / 4 && total.best_effort > swaps() / 10, "{total:?}");
    assert!(total.reverted > 0 && total.reorganized > 0 && total.refused > 0, "an outcome did not occur: {total:?}");
}
