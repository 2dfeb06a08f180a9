//! Sources that run and restart as in a service, and recorders of their updates.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use firmquote_domain::{InvalidValue, PoolId, Symbol};
use firmquote_market::{
    Observation, PriceListener, PriceSource, PriceUpdate, SourceError,
    chain::{PoolReserves, ReserveError, ReserveListener, ReserveSource},
    chainlink::ChainlinkSource,
};
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};

use crate::source_run::TEST_TIMEOUT;

/// The time between two polls, and between two attempts.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Waits until `attempt` returns a value. `condition` is the condition in the message of the panic.
pub(crate) async fn wait_until<T>(condition: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let attempts = async {
        loop {
            if let Some(done) = attempt() {
                return done;
            }
            sleep(POLL_INTERVAL).await;
        }
    };
    timeout(TEST_TIMEOUT, attempts).await.unwrap_or_else(|_| panic!("waited in vain until {condition}"))
}

/// A recorder of updates or errors.
pub(crate) struct Recorder<T>(Mutex<Vec<T>>);

impl<T: Clone> Recorder<T> {
    pub(crate) fn all(&self) -> Vec<T> {
        self.0.lock().unwrap().clone()
    }

    /// Waits for a matching value after the first `skipped` ones.
    pub(crate) async fn next(&self, condition: &str, skipped: usize, matches: impl Fn(&T) -> bool) -> T {
        wait_until(condition, || self.all().into_iter().skip(skipped).find(&matches)).await
    }
}

impl RecordedReserves {
    /// Waits until an update after the first `skipped` ones matches.
    pub(crate) async fn wait(
        &self,
        condition: &str,
        skipped: usize,
        matches: impl Fn(&Result<PoolReserves, ReserveError>) -> bool,
    ) {
        drop(self.next(condition, skipped, matches).await);
    }

    /// Waits for the reserves of the block `number`.
    pub(crate) async fn wait_for_block(&self, condition: &str, number: u64) -> PoolReserves {
        let is_of_block =
            |update: &Result<PoolReserves, _>| update.as_ref().is_ok_and(|reserves| reserves.block_number == number);
        self.next(condition, 0, is_of_block).await.unwrap()
    }
}

impl<T> Default for Recorder<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

pub(crate) type RecordedReserves = Recorder<Result<PoolReserves, ReserveError>>;
pub(crate) type RecordedPrices = Recorder<(Symbol, Result<Observation, InvalidValue>)>;

impl ReserveListener for RecordedReserves {
    fn receive(&self, _: PoolId, update: Result<PoolReserves, ReserveError>) {
        self.0.lock().unwrap().push(update);
    }
}

impl PriceListener for RecordedPrices {
    fn receive(&self, updates: &[PriceUpdate<'_>]) {
        self.0.lock().unwrap().extend(updates.iter().map(|(symbol, update)| ((*symbol).clone(), *update)));
    }
}

/// A source that publishes to a listener until it fails.
#[async_trait]
pub(crate) trait Source<L>: Send + Sync + 'static {
    async fn run(&self, listener: &L) -> SourceError;
}

#[async_trait]
impl Source<RecordedReserves> for ReserveSource {
    async fn run(&self, listener: &RecordedReserves) -> SourceError {
        Self::run(self, listener).await
    }
}

#[async_trait]
impl Source<RecordedPrices> for ChainlinkSource {
    async fn run(&self, listener: &RecordedPrices) -> SourceError {
        PriceSource::run(self, listener).await
    }
}

/// A source that is restarted whenever it ends, as in a service.
pub(crate) struct RunningSource<L> {
    pub(crate) updates: Arc<L>,
    pub(crate) errors: Arc<Recorder<String>>,
    task: JoinHandle<()>,
}

impl<L: Default + Send + Sync + 'static> RunningSource<L> {
    pub(crate) fn start(source: impl Source<L>) -> Self {
        let (updates, errors) = (Arc::new(L::default()), Arc::new(Recorder::default()));
        let (listener, recorder) = (Arc::clone(&updates), Arc::clone(&errors));
        let task = tokio::spawn(async move {
            loop {
                let error = source.run(&listener).await;
                recorder.0.lock().unwrap().push(format!("{error:?} {error}"));
                sleep(POLL_INTERVAL).await;
            }
        });
        Self { updates, errors, task }
    }
}

impl<L> Drop for RunningSource<L> {
    fn drop(&mut self) {
        self.task.abort();
    }
}
