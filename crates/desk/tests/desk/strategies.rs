//! What an attacker can take from a pool whose contract executes each signature once: many quotes at once, slices,
//! round trips over three assets, signatures that lapse or are pushed, quotes of a replica that is a block behind and
//! whose copy of the book lags. A pool that starts at its target never ends with less value, one that starts elsewhere
//! never with less of a token and more of none, and its invariant is after no swap below where it stood when nothing
//! was outstanding.
//!
//! `FIRMQUOTE_STRATEGIES=100000 cargo test --release -p firmquote-desk --test desk strategies` tries more of them.
#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::{
    env,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use firmquote_calldata::SwappedEvent;
use firmquote_desk::{Desk, DeskError, ExecutedSwap, ObservedBlock, QuoteRequest, SignRequest, SwapAmount};
use firmquote_domain::{
    Address, Amount, B256, BasisPoints, Client, FeeCurve, GoodUntilKind, ManualClock, Pair, PoolConstant, PoolId,
    PoolSpec, Price, Quote, SignedQuote, Timestamp, U256, Volatility, Weight,
};
use firmquote_market::{Market, PoolState, Snapshot};
use firmquote_store::{
    BookChange, BookStore, BookUpdate, BookVersion, Booking, BookingOutcome, BookingRefusal, StoreError,
};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use crate::pool::{Bench, bench, chain, replica_of, spec, terms};

/// Strategies that are tried unless the environment says otherwise.
const STRATEGIES: u64 = 2_000;

/// Prices of ETH, USDC and DAI in steps of 1e-8 US dollars, and their decimals.
const PRICES: [u64; 3] = [208_052_700_000, 100_000_000, 99_990_000];
const DECIMALS: [u32; 3] = [18, 6, 18];
const SYMBOLS: [&str; 3] = ["ETH", "USDC", "DAI"];

/// What a pool holds at the start.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    AtTarget,
    /// Of each token between 30 % and 300 % of the target.
    OffTarget,
}

/// Books of several replicas, which counts the bookings that were refused because the book had changed.
struct SharedBooks {
    books: Arc<dyn BookStore>,
    moved: AtomicUsize,
}

#[async_trait]
impl BookStore for SharedBooks {
    async fn enter(&self, booking: &Booking, now: Timestamp) -> Result<BookingOutcome, StoreError> {
        let outcome = self.books.enter(booking, now).await?;
        self.moved.fetch_add(usize::from(outcome == BookingOutcome::Refused(BookingRefusal::Moved)), Ordering::Relaxed);
        Ok(outcome)
    }

    async fn check(&self, booking: &Booking, now: Timestamp) -> Result<BookingOutcome, StoreError> {
        self.books.check(booking, now).await
    }

    async fn apply_changes(&self, pool: PoolId, changes: &[BookChange], now: Timestamp) -> Result<(), StoreError> {
        self.books.apply_changes(pool, changes, now).await
    }

    async fn changes_since(
        &self,
        pool: PoolId,
        version: Option<BookVersion>,
        now: Timestamp,
    ) -> Result<BookUpdate, StoreError> {
        self.books.changes_since(pool, version, now).await
    }

    fn is_shared(&self) -> bool {
        true
    }
}

/// A pool and its chain, with two replicas of the service. The second may be a block behind, and its copy of the book
/// lags.
struct World {
    spec: PoolSpec,
    desks: [Desk; 2],
    markets: [Arc<Market>; 2],
    books: Arc<SharedBooks>,
    clock: Arc<ManualClock>,
    reserves: [U256; 3],
    block: u64,
    /// The reserves of the block before.
    previous: [U256; 3],
    executed: Vec<ExecutedSwap>,
    outstanding: Vec<SignedQuote>,
    made: Vec<Quote>,
    signed: usize,
    /// Swaps that were signed after a refusal because the book had changed.
    retried: usize,
    /// The least invariant that any swap may leave.
    floor: f64,
}

fn spec_of(rng: &mut ChaCha8Rng) -> PoolSpec {
    let mut of_pool = PoolSpec { good_until: GoodUntilKind::Plain, single_use: true, ..spec() };
    of_pool.assets.retain(|asset| SYMBOLS.contains(&asset.symbol.as_str()));
    for asset in &mut of_pool.assets {
        asset.weight = Weight::new(rng.random_range(50..500)).unwrap();
    }
    of_pool.k = PoolConstant::from_decimal(["0.02", "0.06", "0.2", "0.5", "0.9"][rng.random_range(0..5)]).unwrap();
    let base = BasisPoints::from_hundredths(rng.random_range(100..3_000)).unwrap();
    let fee = FeeCurve { base, annual_volatility: Volatility::default() };
    let symbols: Vec<_> = of_pool.assets.iter().map(|asset| asset.symbol.clone()).collect();
    let pair = |[one, other]: [usize; 2]| Pair { assets: [symbols[one].clone(), symbols[other].clone()], fee };
    of_pool.pairs = [[0, 1], [0, 2], [1, 2]].map(pair).into();
    of_pool
}

/// Reserves of 2,000,000 US dollars at the target: values in inverse proportion to the weights.
fn at_target(spec: &PoolSpec) -> [U256; 3] {
    let share = |asset: usize| 1.0 / f64::from(spec.assets[asset].weight.get());
    let whole: f64 = (0..3).map(share).sum();
    [0, 1, 2].map(|asset| {
        let price = u32::try_from(PRICES[asset] / 1_000).map(f64::from).unwrap() / 100_000.0;
        let tokens = 2e6 * share(asset) / whole / price;
        // To a millionth of a token: what is off the target by so little costs less than any rounding.
        U256::from((tokens * 1e6).floor()) * U256::from(10).pow(U256::from(DECIMALS[asset] - 6))
    })
}

/// The value of the reserves, in steps of 1e-26 US dollars.
fn value(reserves: &[U256; 3]) -> U256 {
    let worth = |asset: usize| {
        reserves[asset] * U256::from(PRICES[asset]) * U256::from(10).pow(U256::from(18 - DECIMALS[asset]))
    };
    worth(0) + worth(1) + worth(2)
}

impl World {
    fn new(rng: &mut ChaCha8Rng, start: Start) -> Self {
        let spec = spec_of(rng);
        let mut reserves = at_target(&spec);
        if start == Start::OffTarget {
            for reserve in &mut reserves {
                *reserve = *reserve * U256::from(rng.random_range(30..300_u32)) / U256::from(100);
            }
        }
        let Bench { mut desk, clock, market } = bench(vec![spec.clone()]);
        let books = Arc::new(SharedBooks { books: Arc::clone(&desk.books), moved: AtomicUsize::new(0) });
        desk.books = Arc::clone(&books) as Arc<dyn BookStore>;
        let lagging = Arc::new(Market::new(Snapshot::default()));
        let second = replica_of(&desk, &lagging);
        let mut world = Self {
            spec,
            desks: [desk, second],
            markets: [market, lagging],
            books,
            clock,
            reserves,
            block: 100,
            previous: reserves,
            executed: Vec::new(),
            outstanding: Vec::new(),
            made: Vec::new(),
            signed: 0,
            retried: 0,
            floor: 0.0,
        };
        world.floor = world.invariant();
        world.publish();
        world
    }

    fn invariant(&self) -> f64 {
        let k = f64::from(u32::try_from(self.spec.k.steps() / 1_000_000_000_000).unwrap()) / 1e6;
        let term = |asset: usize| {
            let units: f64 = self.reserves[asset].to_string().parse().unwrap();
            let price = u32::try_from(PRICES[asset] / 1_000).map(f64::from).unwrap() / 100_000.0;
            let worth = units / 10_f64.powi(i32::try_from(DECIMALS[asset]).unwrap()) * price;
            worth.powf(1.0 - k) / f64::from(self.spec.assets[asset].weight.get()).powf(k)
        };
        term(0) + term(1) + term(2)
    }

    /// Shows the newest reserves to the first replica, those of the block before to the second.
    fn publish(&self) {
        for (market, reserves, block) in
            [(&self.markets[0], &self.reserves, self.block), (&self.markets[1], &self.previous, self.block - 1)]
        {
            let assets =
                [0, 1, 2].map(|asset| (Price::new(PRICES[asset]).unwrap(), Amount::new(reserves[asset]).unwrap()));
            let state = PoolState { block: Some(block), ..PoolState::fixed(assets, U256::ZERO) };
            market.replace(Snapshot::default().with(self.spec.id, state));
        }
    }

    /// Brings the first replica's copy of the book up to date, and that of the second at random.
    async fn follow(&self, rng: &mut ChaCha8Rng) {
        let count = if rng.random_bool(0.25) { 2 } else { 1 };
        for desk in &self.desks[..count] {
            desk.refresh_book(&desk.pools[0]).await.unwrap();
        }
    }

    /// Asks either replica for a quote of up to 5 % of a reserve.
    async fn quote(&mut self, rng: &mut ChaCha8Rng) {
        let pair @ [input, output] = [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]][rng.random_range(0..6)];
        let part = |reserve: U256, rng: &mut ChaCha8Rng| {
            Amount::new(reserve * U256::from(rng.random_range(1..500_u32)) / U256::from(10_000)).unwrap()
        };
        let amount = match rng.random_bool(0.7) {
            true => SwapAmount::ExactInput(part(self.reserves[input], rng)),
            false => SwapAmount::ExactOutput(part(self.reserves[output], rng)),
        };
        let desk = rng.random_range(0..2);
        if let Some(quote) = self.request(desk, pair, amount).await {
            self.made.push(quote);
        }
    }

    /// Asks a replica for a quote.
    async fn request(&self, desk: usize, [input, output]: [usize; 2], amount: SwapAmount) -> Option<Quote> {
        let request = QuoteRequest {
            client: Client::Anonymous,
            source_network: None,
            chain_id: chain(),
            input_symbol: SYMBOLS[input],
            output_symbol: SYMBOLS[output],
            amount,
            time_in_seconds: None,
            pool_address: None,
            levels_id: None,
        };
        allowed(self.desks[desk].quote(&request).await)
    }

    /// Has a quote signed by either replica, wherever it was made.
    async fn sign(&mut self, rng: &mut ChaCha8Rng) {
        self.made.shuffle(rng);
        let Some(quote) = self.made.pop() else { return };
        let terms = firmquote_domain::Terms {
            destination: Address::from_slice(&quote.id.as_bytes().repeat(2)[..20]),
            ..terms(1)
        };
        let request = SignRequest { client: Client::Anonymous, quote_id: quote.id, terms };
        let moved = self.moved();
        if let Some(signed) = allowed(self.desks[rng.random_range(0..2)].sign(&request).await) {
            self.outstanding.push(signed);
            self.signed += 1;
            self.retried += usize::from(self.moved() > moved);
        }
    }

    /// Executes an outstanding swap, at its stated amounts or as a push of less or of up to 0.5 % more, in a block of
    /// its own.
    async fn settle(&mut self, rng: &mut ChaCha8Rng) {
        self.outstanding.shuffle(rng);
        let Some(signed) = self.outstanding.pop() else { return };
        let thousandths = [1_000, 1_000, 1_005, rng.random_range(1..1_000_u32)][rng.random_range(0..4)];
        self.execute(&signed, thousandths, rng).await;
    }

    /// Executes a swap with this part of its input, in thousandths.
    async fn execute(&mut self, signed: &SignedQuote, thousandths: u32, rng: &mut ChaCha8Rng) {
        let offer = signed.offer();
        let input = (offer.input_amount.base_units() * U256::from(thousandths)).div_ceil(U256::from(1_000));
        let steps = U256::from(10_000_000_000_u64);
        let share = (input * steps / offer.input_amount.base_units()).min(U256::from(10_050_000_000_u64));
        let output = offer.output_amount.base_units() * share / steps;
        let position = |token: Address| self.spec.assets.iter().position(|asset| asset.address == token).unwrap();
        self.previous = self.reserves;
        self.reserves[position(offer.input_token)] += input;
        let paid = position(offer.output_token);
        self.reserves[paid] = self.reserves[paid].checked_sub(output).unwrap();
        assert!(self.invariant() >= self.floor * (1.0 - 1e-13), "{} below {}", self.invariant(), self.floor);
        let event = SwappedEvent {
            input_token: offer.input_token,
            output_token: offer.output_token,
            recipient: offer.destination,
            input_amount: input,
            output_amount: output,
            aux_data: Default::default(),
        };
        let number = self.block + 1;
        let block_time = self.now().seconds();
        self.executed.push(ExecutedSwap {
            transaction_hash: B256::ZERO,
            log_index: 0,
            block_number: number,
            block_time,
            event,
        });
        self.next_block(1, rng).await;
    }

    /// Lets everything lapse: nothing is outstanding any more.
    async fn lapse(&mut self, rng: &mut ChaCha8Rng) {
        self.previous = self.reserves;
        self.next_block(700, rng).await;
        self.outstanding.clear();
        self.made.clear();
        self.floor = self.floor.max(self.invariant() * (1.0 - 1e-13));
    }

    /// Bookings that were refused because the book had changed.
    fn moved(&self) -> usize {
        self.books.moved.load(Ordering::Relaxed)
    }

    fn now(&self) -> Timestamp {
        self.desks[0].clock.now()
    }

    async fn next_block(&mut self, seconds: u64, rng: &mut ChaCha8Rng) {
        self.clock.advance_micros(seconds * 1_000_000);
        self.block += 1;
        let block = ObservedBlock {
            max_age_seconds: 60,
            number: self.block,
            time: self.now(),
            since: 101,
            counted_until: self.block,
            swaps: self.executed.clone(),
        };
        self.desks[0].observe(self.spec.id, &block).await.unwrap();
        self.publish();
        self.follow(rng).await;
    }
}

/// A refusal is part of the game; a bug is not.
fn allowed<T>(result: Result<T, DeskError>) -> Option<T> {
    assert!(!matches!(result, Err(DeskError::Internal(_))));
    result.ok()
}

/// How a strategy ended.
struct Played {
    before: [U256; 3],
    after: [U256; 3],
    signed: usize,
    moved: usize,
    retried: usize,
}

/// Plays one strategy.
async fn play(seed: u64, start: Start) -> Played {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut world = World::new(&mut rng, start);
    let before = world.reserves;
    for desk in &world.desks {
        desk.refresh_book(&desk.pools[0]).await.unwrap();
    }
    for _ in 0..rng.random_range(4..40) {
        match rng.random_range(0..20) {
            0..8 => world.quote(&mut rng).await,
            8..14 => world.sign(&mut rng).await,
            14..19 => world.settle(&mut rng).await,
            _ => world.lapse(&mut rng).await,
        }
        world.follow(&mut rng).await;
    }
    for _ in 0..rng.random_range(0..=world.outstanding.len()) {
        world.settle(&mut rng).await;
    }
    Played { before, after: world.reserves, signed: world.signed, moved: world.moved(), retried: world.retried }
}

/// Signs a hundred swaps that were quoted at one price, executes all that are signed, and buys back this part of what
/// they took out, in so many slices. Returns the number of signatures, and the reserves before and after.
async fn attack(seed: u64, percent: u32, slices: u32) -> (usize, [[U256; 3]; 2]) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut world = World::new(&mut rng, Start::AtTarget);
    let before = world.reserves;
    for desk in &world.desks {
        desk.refresh_book(&desk.pools[0]).await.unwrap();
    }
    let pair @ [input, output] = [[0, 1], [1, 2], [2, 0]][rng.random_range(0..3)];
    let amount = Amount::new(before[input] / U256::from(200)).unwrap();
    for number in 0..100 {
        let quote = world.request(number % 2, pair, SwapAmount::ExactInput(amount)).await;
        world.made.extend(quote);
    }
    while !world.made.is_empty() {
        world.sign(&mut rng).await;
    }
    // Those that were refused at the old price are requested anew, and signed on top.
    for number in 0..20 {
        let quote = world.request(number % 2, pair, SwapAmount::ExactInput(amount)).await;
        world.made.extend(quote);
        world.sign(&mut rng).await;
    }
    for signed in std::mem::take(&mut world.outstanding) {
        world.execute(&signed, 1_000, &mut rng).await;
    }
    let slice = (before[output] - world.reserves[output]) * U256::from(percent) / U256::from(100 * slices);
    for _ in 0..slices {
        world.follow(&mut rng).await;
        let Some(slice) = Amount::new(slice) else { break };
        let quote = world.request(0, [output, input], SwapAmount::ExactInput(slice)).await;
        world.made.extend(quote);
        world.sign(&mut rng).await;
        for signed in std::mem::take(&mut world.outstanding) {
            world.execute(&signed, 1_000, &mut rng).await;
        }
    }
    (world.signed, [before, world.reserves])
}

#[tokio::test]
async fn parallel_signatures_at_one_price_that_are_bought_back_take_nothing() {
    let mut most_signed = 0;
    for seed in 0..12 {
        for percent in [0, 25, 50, 75, 90, 100, 110, 150] {
            for slices in [1, 8] {
                let (signed, [before, after]) = attack(seed, percent, slices).await;
                assert!(
                    value(&after) + U256::from(10).pow(U256::from(21)) >= value(&before),
                    "seed {seed}, {percent} % in {slices}: {before:?}, {after:?}"
                );
                most_signed = most_signed.max(signed);
            }
        }
    }
    assert!(most_signed > 20, "{most_signed}");
}

fn strategies() -> u64 {
    env::var("FIRMQUOTE_STRATEGIES").ok().and_then(|count| count.parse().ok()).unwrap_or(STRATEGIES)
}

#[tokio::test]
async fn no_strategy_extracts_value_from_a_pool_at_its_target() {
    let (mut signatures, mut refusals, mut retries) = (0, 0, 0);
    for seed in 0..strategies() {
        let Played { before, after, signed, moved, retried } = play(seed, Start::AtTarget).await;
        // A thousandth of a US cent, for the rounding of the target.
        assert!(
            value(&after) + U256::from(10).pow(U256::from(21)) >= value(&before),
            "seed {seed}: {before:?}, {after:?}"
        );
        signatures += signed;
        refusals += moved;
        retries += retried;
    }
    println!("{signatures} signed, {retries} of them after a change of the book, {refusals} refused bookings");
    assert!(signatures > usize::try_from(strategies()).unwrap(), "{signatures}");
    assert!(retries > 0 && refusals > retries, "the copy of the book was never behind");
}

#[tokio::test]
async fn no_strategy_obtains_one_token_without_paying_another() {
    for seed in 0..strategies() {
        let Played { before, after, .. } = play(seed, Start::OffTarget).await;
        let gives_none = before.iter().zip(&after).all(|(before, after)| after <= before);
        assert!(!gives_none || before == after, "seed {seed}: {before:?}, {after:?}");
    }
}
