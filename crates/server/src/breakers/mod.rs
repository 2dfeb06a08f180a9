//! Breakers: what stops a pool that loses value.
//!
//! Every replica computes the figures at every block that it reads and every second. The first one that sees a cause trips
//! the breaker in the store, for all of them. Samples of what pools hold are in the store, too, so that a window outlives
//! the process.

mod holdings;
mod monitor;
#[cfg(test)]
mod simulation;
mod swaps;
mod window;

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use arc_swap::ArcSwap;
use firmquote_config::{BreakerPolicy, Config};
use firmquote_desk::{Desk, ObservedBlock, Pauses, ServedPool};
use firmquote_domain::{BasisPoints, Clock, PoolId, Timestamp};
use firmquote_http::LiveService;
use firmquote_market::{MarketWriter, PoolState};
use firmquote_store::{Breaker, BreakerStep, PoolSample, Store, StoreError, Trip, TripKey};
use parking_lot::Mutex;
use prometheus::{IntCounterVec, Registry, register_int_counter_vec_with_registry};
use tokio::{
    sync::Notify,
    time::{sleep, timeout},
};

use self::{
    holdings::AssetPrice,
    monitor::{Cause, Conditions, PoolMonitor},
    swaps::RecentSwaps,
};
use crate::{
    metrics::{FamilySet, ScrapeMetrics, float, set},
    supervise::Outage,
};

/// The longest time between two evaluations.
const INTERVAL: Duration = Duration::from_secs(1);

/// The timeout of reading or storing samples.
const SAMPLE_TIMEOUT: Duration = Duration::from_secs(1);

/// The most blocks of a pool that wait for its samples.
const MAX_WAITING: usize = 100;

/// The breakers of all pools.
pub(crate) struct Breakers {
    parts: BreakerParts,
    /// The policies of the pools that have one.
    policies: ArcSwap<HashMap<PoolId, BreakerPolicy>>,
    monitors: Mutex<HashMap<PoolId, PoolMonitor>>,
    /// The blocks of pools whose samples are not read yet.
    waiting: Mutex<HashMap<PoolId, VecDeque<(PoolSample, RecentSwaps)>>>,
    /// Samples that are not stored yet.
    unstored: Mutex<Vec<(PoolId, PoolSample)>>,
    observed: Notify,
    trips: IntCounterVec,
    /// Of the store of samples, and of that of trips.
    outages: [Outage<()>; 2],
}

/// What breakers read and change.
pub(crate) struct BreakerParts {
    pub(crate) live: Arc<LiveService>,
    pub(crate) pauses: Arc<Pauses>,
    pub(crate) market: Arc<MarketWriter>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Breakers {
    /// Creates the breakers with these policies.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn new(
        policies: HashMap<PoolId, BreakerPolicy>,
        parts: BreakerParts,
        registry: &Registry,
    ) -> prometheus::Result<Self> {
        let trips = register_int_counter_vec_with_registry!(
            "firmquote_breaker_trips_total",
            "Steps of breakers that this replica took first.",
            &["chain_id", "pool", "breaker", "step"],
            registry
        )?;
        Ok(Self {
            parts,
            policies: ArcSwap::from_pointee(policies),
            monitors: Mutex::default(),
            waiting: Mutex::default(),
            unstored: Mutex::default(),
            observed: Notify::new(),
            trips,
            outages: [Outage::new(), Outage::new()],
        })
    }

    /// Replaces the policies.
    pub(crate) fn replace(&self, policies: HashMap<PoolId, BreakerPolicy>) {
        self.monitors.lock().retain(|pool, _| policies.contains_key(pool));
        self.waiting.lock().retain(|pool, _| policies.contains_key(pool));
        self.policies.store(Arc::new(policies));
    }

    /// Receives a block that was read for `pool`, with what the pool holds in it.
    pub(crate) fn observe(&self, served: &ServedPool, sample: PoolSample, block: &ObservedBlock) {
        let pool = served.id();
        let now = self.parts.clock.now();
        let desk = self.parts.live.desk();
        let prices = desk.market.snapshot().pool(pool).and_then(|state| prices(served, state, now));
        let swaps = RecentSwaps::new(block, served.signer().pool().spec());
        match self.monitors.lock().get_mut(&pool) {
            Some(monitor) => {
                let confirmed = monitor.observe(sample, swaps, prices.as_deref(), now);
                self.unstored.lock().extend(confirmed.into_iter().map(|sample| (pool, sample)));
            }
            None if self.policies.load().contains_key(&pool) => {
                let mut waiting = self.waiting.lock();
                let blocks = waiting.entry(pool).or_default();
                blocks.push_back((sample, swaps));
                while blocks.len() > MAX_WAITING {
                    blocks.pop_front();
                }
            }
            None => {}
        }
        self.observed.notify_one();
    }

    /// Evaluates the figures until the runtime ends.
    pub(crate) async fn run(self: Arc<Self>) {
        loop {
            tokio::select! {
                () = self.observed.notified() => {}
                () = sleep(INTERVAL) => {}
            }
            let desk = self.parts.live.desk();
            self.load_monitors(&desk).await;
            for served in &desk.pools {
                self.evaluate(&desk, served).await;
            }
            self.store_samples().await;
        }
    }

    /// Creates the monitors of pools that have none yet, with the samples of the store.
    async fn load_monitors(&self, desk: &Desk) {
        let (policies, now) = (self.policies.load_full(), self.parts.clock.now());
        for (pool, policy) in policies.iter() {
            let Some(served) = desk.pool(*pool) else { continue };
            let confirmations = served.policy.outstanding.confirmations;
            if let Some(monitor) = self.monitors.lock().get_mut(pool) {
                monitor.set_policy(*policy, confirmations);
                continue;
            }
            let since = now.minus_seconds(policy.longest_window_seconds());
            let samples = timeout(SAMPLE_TIMEOUT, self.parts.store.samples(*pool, since)).await;
            let samples = samples.unwrap_or_else(|elapsed| Err(StoreError::Unavailable(Box::new(elapsed))));
            match samples {
                Ok(samples) => {
                    let mut monitor = PoolMonitor::new(*policy, confirmations, &samples);
                    let mut monitors = self.monitors.lock();
                    for (sample, swaps) in self.waiting.lock().remove(pool).unwrap_or_default() {
                        let confirmed = monitor.observe(sample, swaps, None, now);
                        self.unstored.lock().extend(confirmed.into_iter().map(|sample| (*pool, sample)));
                    }
                    monitors.insert(*pool, monitor);
                    drop(monitors);
                    self.record_samples(Ok(()));
                }
                // The next call tries again.
                Err(error) => self.record_samples(Err(error)),
            }
        }
    }

    /// Takes the steps that the figures of a pool call for, and applies those that are in effect to its fees.
    async fn evaluate(&self, desk: &Desk, served: &ServedPool) {
        let (pool, now, pauses) = (served.id(), self.parts.clock.now(), &self.parts.pauses);
        let resumed_at = pauses.resumed_at(pool, now);
        let causes = self.causes(desk, served, resumed_at, now);
        for Cause { breaker, token, step, figures } in &causes {
            let key = TripKey { pool, breaker: *breaker, token: *token };
            let trip = Trip { key, step: *step, figures: figures.clone(), at: now };
            // A resume during an earlier trip ends what these figures counted.
            let is_current = pauses.resumed_at(pool, now) == resumed_at;
            if is_current && trip.exceeds(pauses.trips(now).iter().find(|current| current.key == key)) {
                self.trip(trip).await;
            }
        }
        let in_effect: Vec<Trip> = pauses.trips(now).into_iter().filter(|trip| trip.key.pool == pool).collect();
        for trip in in_effect.iter().filter(|trip| trip.step == BreakerStep::Widen) {
            let TripKey { breaker, token, .. } = trip.key;
            let has_cause = causes.iter().any(|cause| (cause.breaker, cause.token) == (breaker, token));
            let may_end = match self.monitors.lock().get(&pool) {
                Some(monitor) => monitor.may_end(breaker, token, trip.at, now),
                // Unknown until its samples are read.
                None => !self.policies.load().contains_key(&pool),
            };
            if !has_cause && may_end {
                self.end(trip, now).await;
            }
        }
        let is_widened = pauses.trips(now).iter().any(|trip| trip.key.pool == pool && trip.step == BreakerStep::Widen);
        let widen = self.policies.load().get(&pool).map(|policy| policy.widen).unwrap_or_default();
        let fee_increase = if is_widened { widen } else { BasisPoints::default() };
        self.parts.market.set_fee_increase(pool, fee_increase, now);
    }

    /// Returns the steps that the figures of a pool call for; none while its prices are not known.
    fn causes(&self, desk: &Desk, served: &ServedPool, resumed_at: Option<Timestamp>, now: Timestamp) -> Vec<Cause> {
        let (pool, snapshot) = (served.id(), desk.market.snapshot());
        let Some(prices) = snapshot.pool(pool).and_then(|state| prices(served, state, now)) else { return Vec::new() };
        let mut monitors = self.monitors.lock();
        let Some(monitor) = monitors.get_mut(&pool) else { return Vec::new() };
        let block = monitor.confirmed_block();
        let assets = &served.signer().pool().spec().assets;
        let outstanding = assets
            .iter()
            .map(|asset| (asset.address, served.outstanding_flows(asset.address, block).with_push_excess().outflow));
        let outstanding: Vec<_> = outstanding.collect();
        monitor.evaluate(&Conditions { prices: &prices, outstanding: &outstanding, resumed_at }, now)
    }

    async fn trip(&self, trip: Trip) {
        let (TripKey { pool, breaker, token }, step, figures) = (trip.key, trip.step.name(), trip.figures.clone());
        let token = token.map(tracing::field::display);
        let (chain_id, address) = (pool.chain_id.to_string(), pool.address.to_string());
        match self.parts.pauses.trip(trip).await {
            Ok(false) => {}
            Ok(true) => {
                self.trips.with_label_values(&[&chain_id, &address, breaker.name(), step]).inc();
                self.outages[1].recover();
                tracing::error!(%pool, breaker = breaker.name(), token, step, figures, "a breaker tripped");
            }
            Err(error) => {
                self.outages[1].fail(());
                tracing::error!(
                    %pool, breaker = breaker.name(), token, step, figures, %error,
                    "a breaker tripped on this replica, and cannot be stored for the others yet"
                );
            }
        }
    }

    async fn end(&self, trip: &Trip, now: Timestamp) {
        let TripKey { pool, breaker, .. } = trip.key;
        match self.parts.pauses.end_trip(trip, now).await {
            Ok(is_ended) => {
                self.outages[1].recover();
                if is_ended {
                    tracing::warn!(%pool, breaker = breaker.name(), "the raised fee of a breaker has ended");
                }
            }
            Err(error) if self.outages[1].fail(()) => {
                tracing::warn!(%pool, breaker = breaker.name(), %error, "the raised fee of a breaker cannot be ended");
            }
            Err(_) => {}
        }
    }

    /// Stores the samples that were confirmed; those that cannot be stored are lost to a restart.
    async fn store_samples(&self) {
        let samples = std::mem::take(&mut *self.unstored.lock());
        for (pool, sample) in samples {
            let stored = timeout(SAMPLE_TIMEOUT, self.parts.store.store_sample(pool, &sample)).await;
            self.record_samples(stored.unwrap_or_else(|elapsed| Err(StoreError::Unavailable(Box::new(elapsed)))));
        }
    }

    fn record_samples(&self, result: Result<(), StoreError>) {
        self.outages[0].record(
            result,
            |error| tracing::warn!(%error, "the samples of breakers can be neither read nor stored: retrying"),
            || tracing::info!("the samples of breakers are stored again"),
        );
    }
}

impl ScrapeMetrics for Arc<Breakers> {
    fn collect(&self, families: &mut FamilySet) -> prometheus::Result<()> {
        let pool_labels = &["chain_id", "pool"];
        let steps = families.gauge(
            "firmquote_breaker_step",
            "The step of the breaker that is in effect: 0 none, 1 raised fees, 2 paused.",
            &["chain_id", "pool", "breaker"],
        )?;
        let losses = families.gauge(
            "firmquote_pool_loss_bps",
            "The largest loss of value per pool token against holding in the window of the breaker.",
            pool_labels,
        )?;
        let (now, desk) = (self.parts.clock.now(), self.parts.live.desk());
        let trips = self.parts.pauses.trips(now);
        for pool in self.policies.load().keys() {
            let (chain_id, address) = (pool.chain_id.to_string(), pool.address.to_string());
            for breaker in Breaker::ALL {
                let of_breaker = trips.iter().filter(|trip| trip.key.pool == *pool && trip.key.breaker == breaker);
                let step = of_breaker.map(|trip| if trip.step == BreakerStep::Pause { 2.0 } else { 1.0 });
                set(&steps, &[&chain_id, &address, breaker.name()], step.fold(0.0, f64::max));
            }
            let snapshot = desk.market.snapshot();
            let known = desk.pool(*pool).zip(snapshot.pool(*pool));
            let loss = known
                .and_then(|(served, state)| self.monitors.lock().get(pool)?.loss(&prices(served, state, now)?, now));
            if let Some(loss) = loss {
                set(&losses, &[&chain_id, &address], float(loss));
            }
        }
        Ok(())
    }
}

/// Returns the policies of `config` that take any step.
pub(crate) fn policies(config: &Config) -> HashMap<PoolId, BreakerPolicy> {
    let policies = config.pools.iter().map(|pool| (pool.id(), pool.breakers));
    policies.filter(|(_, policy)| policy.is_on()).collect()
}

/// Returns the trusted price of each asset; `None` unless all have one.
fn prices(served: &ServedPool, state: &PoolState, now: Timestamp) -> Option<Vec<AssetPrice>> {
    let assets = served.signer().pool().spec().assets.iter();
    let price = |(position, asset): (usize, &firmquote_domain::Asset)| {
        let price = state.assets.get(position)?.price_at(now).ok()?;
        Some(AssetPrice { price, decimals: asset.decimals })
    };
    assets.enumerate().map(price).collect()
}
