//! The service of a pool on an in-memory chain, without HTTP: a desk with an in-memory store and its own clock.
#![expect(clippy::expect_used, reason = "a pool that cannot be served is a failed test")]

use std::{collections::BTreeSet, sync::Arc};

use firmquote_desk::{Desk, FirmLevelsState, Pauses, ServedPool, SigningPolicy};
use firmquote_domain::{
    Amount, BasisPoints, FeeCurve, ManualClock, Pair, Pool, PoolSpec, Symbol, Timestamp, U256, Volatility,
};
use firmquote_market::{Market, PoolState, Snapshot};
use firmquote_signer::PoolSigner;
use firmquote_store::MemoryStore;

use crate::exchange::{NOW, PoolHarness};

/// A desk beside its pool.
pub struct DeskHarness {
    /// The pool on its chain.
    pub exchange: PoolHarness,
    /// The desk that signs for it.
    pub desk: Desk,
    /// The prices and reserves that the desk reads.
    pub market: Arc<Market>,
    /// The clock of the desk, at [`NOW`].
    pub clock: Arc<ManualClock>,
}

impl DeskHarness {
    /// Serves the pool of `exchange` as `spec` describes it, with its prices and its reserves of block `block`.
    pub fn new(exchange: PoolHarness, spec: PoolSpec, policy: SigningPolicy, block: u64) -> Self {
        let pool = Arc::new(Pool::new(spec).expect("a consistent pool"));
        let mut served = ServedPool::from(PoolSigner::new(pool, exchange.key.clone()));
        served.policy = policy;
        let (market, store) = (Arc::new(Market::new(Snapshot::default())), Arc::new(MemoryStore::new(100_000)));
        let clock = Arc::new(ManualClock::at(Timestamp::from_seconds(NOW)));
        let desk = Desk {
            pools: vec![served],
            pauses: Arc::new(Pauses::with_paused(store.clone(), BTreeSet::new())),
            market: Arc::clone(&market),
            firm_levels: Arc::new(FirmLevelsState::new(Timestamp::from_micros(0))),
            store,
            clock: clock.clone(),
            operator_view: Arc::default(),
            recorder: None,
        };
        let mut harness = Self { exchange, desk, market, clock };
        publish(&harness.market, &mut harness.exchange, block);
        harness
    }
}

/// Publishes the prices and reserves of `exchange` to `market`, as those of block `block`.
pub fn publish(market: &Market, exchange: &mut PoolHarness, block: u64) {
    let reserves = exchange.reserves();
    let prices = exchange.listings.iter().map(|listing| listing.price);
    let assets = prices.zip(reserves).map(|(price, reserve)| (price, Amount::new(reserve).expect("a reserve")));
    let state = PoolState { block: Some(block), ..PoolState::fixed(assets.collect::<Vec<_>>(), U256::ZERO) };
    market.replace(Snapshot::default().with(exchange.spec().id, state));
}

/// Describes the pool of `exchange` with a fixed fee between any two of its first three tokens, and each signature used
/// once.
pub fn single_use(exchange: &PoolHarness, base: BasisPoints) -> PoolSpec {
    let fee = FeeCurve { base, annual_volatility: Volatility::default() };
    let symbol = |position: usize| Symbol::new(&format!("T{position}")).expect("a symbol");
    let pair = |positions: [usize; 2]| Pair { assets: positions.map(symbol), fee };
    PoolSpec { single_use: true, pairs: [[0, 1], [0, 2], [1, 2]].map(pair).into(), ..exchange.spec().clone() }
}
