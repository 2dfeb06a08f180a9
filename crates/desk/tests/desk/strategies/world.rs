//! A pool and its chain, with two replicas of the service of which the second lags.

use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use firmquote_calldata::SwappedEvent;
use firmquote_desk::{Desk, DeskError, ExecutedSwap, ObservedBlock, QuoteRequest, SignRequest};
use firmquote_domain::{
    Address, Amount, B256, BasisPoints, Client, FeeCurve, GoodUntilKind, ManualClock, Pair, PoolConstant, PoolSpec,
    Price, Quote, SignedQuote, SwapAmount, Timestamp, U256, Volatility, Weight,
};
use firmquote_market::{Market, PoolState, Snapshot};
use firmquote_store::{
    BookingRefusal, CommitOutcome, CommitRefusal, LayeredStore, Store, StoreCall, StoreError, StoreLayer,
};
use rand::{RngExt, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use crate::pool::{Bench, bench, chain, replica_of, spec, terms};

/// Prices of ETH, USDC and DAI in steps of 1e-8 US dollars, and their decimals.
const PRICES: [u64; 3] = [208_052_700_000, 100_000_000, 99_990_000];
const DECIMALS: [u32; 3] = [18, 6, 18];
const SYMBOLS: [&str; 3] = ["ETH", "USDC", "DAI"];

/// What a pool holds at the start.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    AtTarget,
    /// Of each token between 30 % and 300 % of the target.
    OffTarget,
}

/// The store of several replicas, which counts the swaps that were refused because the book had changed.
#[derive(Default)]
struct Shared {
    moved: AtomicUsize,
}

impl StoreLayer for Shared {
    async fn around<T: Send + 'static>(
        &self,
        _call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        let done = work.await?;
        let moved = CommitOutcome::Refused(CommitRefusal::Booking(BookingRefusal::Moved));
        let is_moved = (&done as &dyn Any).downcast_ref() == Some(&moved);
        self.moved.fetch_add(usize::from(is_moved), Ordering::Relaxed);
        Ok(done)
    }

    fn is_shared(&self, _is_shared: bool) -> bool {
        true
    }
}

/// A pool and its chain, with two replicas of the service. The second may be a block behind, and its copy of the book
/// lags.
pub(super) struct World {
    spec: PoolSpec,
    pub(super) desks: [Desk; 2],
    markets: [Arc<Market>; 2],
    store: Arc<LayeredStore<dyn Store, Shared>>,
    clock: Arc<ManualClock>,
    pub(super) reserves: [U256; 3],
    block: u64,
    /// The reserves of the block before.
    previous: [U256; 3],
    executed: Vec<ExecutedSwap>,
    pub(super) outstanding: Vec<SignedQuote>,
    pub(super) made: Vec<Quote>,
    pub(super) signed: usize,
    /// Swaps that were signed after a refusal because the book had changed.
    pub(super) retried: usize,
    /// The least invariant that any swap may leave.
    floor: f64,
}

fn spec_of(rng: &mut ChaCha8Rng) -> PoolSpec {
    let mut pool = PoolSpec { good_until: GoodUntilKind::Plain, single_use: true, ..spec() };
    pool.assets.retain(|asset| SYMBOLS.contains(&asset.symbol.as_str()));
    for asset in &mut pool.assets {
        asset.weight = Weight::new(rng.random_range(50..500)).unwrap();
    }
    pool.k = ["0.02", "0.06", "0.2", "0.5", "0.9"][rng.random_range(0..5)].parse::<PoolConstant>().unwrap();
    let base = BasisPoints::from_hundredths(rng.random_range(100..3_000)).unwrap();
    let fee = FeeCurve { base, annual_volatility: Volatility::default() };
    let symbols: Vec<_> = pool.assets.iter().map(|asset| asset.symbol.clone()).collect();
    let pair = |[one, other]: [usize; 2]| Pair { assets: [symbols[one].clone(), symbols[other].clone()], fee };
    pool.pairs = [[0, 1], [0, 2], [1, 2]].map(pair).into();
    pool
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
pub(super) fn value(reserves: &[U256; 3]) -> U256 {
    let worth = |asset: usize| {
        reserves[asset] * U256::from(PRICES[asset]) * U256::from(10).pow(U256::from(18 - DECIMALS[asset]))
    };
    worth(0) + worth(1) + worth(2)
}

impl World {
    pub(super) fn new(rng: &mut ChaCha8Rng, start: Start) -> Self {
        let spec = spec_of(rng);
        let mut reserves = at_target(&spec);
        if start == Start::OffTarget {
            for reserve in &mut reserves {
                *reserve = *reserve * U256::from(rng.random_range(30..300_u32)) / U256::from(100);
            }
        }
        let Bench { mut desk, clock, market } = bench(vec![spec.clone()]);
        let store = Arc::new(LayeredStore { layer: Shared::default(), store: Arc::clone(&desk.store) });
        desk.store = Arc::clone(&store) as _;
        let lagging = Arc::new(Market::new(Snapshot::default()));
        let second = replica_of(&desk, &lagging);
        let mut world = Self {
            spec,
            desks: [desk, second],
            markets: [market, lagging],
            store,
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
    pub(super) async fn follow(&self, rng: &mut ChaCha8Rng) {
        let count = if rng.random_bool(0.25) { 2 } else { 1 };
        for desk in &self.desks[..count] {
            desk.refresh_book(&desk.pools[0]).await.unwrap();
        }
    }

    /// Asks either replica for a quote of up to 5 % of a reserve.
    pub(super) async fn quote(&mut self, rng: &mut ChaCha8Rng) {
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
    pub(super) async fn request(&self, desk: usize, [input, output]: [usize; 2], amount: SwapAmount) -> Option<Quote> {
        let request = QuoteRequest {
            client: Client::Anonymous,
            source_network: None,
            chain_id: chain(),
            input: SYMBOLS[input].into(),
            output: SYMBOLS[output].into(),
            amount,
            time_in_seconds: None,
            pool_address: None,
            levels_id: None,
            quote_id: None,
        };
        allowed(self.desks[desk].quote(&request).await)
    }

    /// Has a quote signed by either replica, wherever it was made.
    pub(super) async fn sign(&mut self, rng: &mut ChaCha8Rng) {
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
    pub(super) async fn settle(&mut self, rng: &mut ChaCha8Rng) {
        self.outstanding.shuffle(rng);
        let Some(signed) = self.outstanding.pop() else { return };
        let thousandths = [1_000, 1_000, 1_005, rng.random_range(1..1_000_u32)][rng.random_range(0..4)];
        self.execute(&signed, thousandths, rng).await;
    }

    /// Executes a swap with this part of its input, in thousandths.
    pub(super) async fn execute(&mut self, signed: &SignedQuote, thousandths: u32, rng: &mut ChaCha8Rng) {
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
        let event = SwappedEvent { input_amount: input, output_amount: output, ..SwappedEvent::from(&offer) };
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
    pub(super) async fn lapse(&mut self, rng: &mut ChaCha8Rng) {
        self.previous = self.reserves;
        self.next_block(700, rng).await;
        self.outstanding.clear();
        self.made.clear();
        self.floor = self.floor.max(self.invariant() * (1.0 - 1e-13));
    }

    /// Bookings that were refused because the book had changed.
    pub(super) fn moved(&self) -> usize {
        self.store.layer.moved.load(Ordering::Relaxed)
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
            since: 0,
            counted_until: self.block,
            swaps: self.executed.clone(),
            is_confirmed: true,
            is_deeply_reorganized: false,
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
