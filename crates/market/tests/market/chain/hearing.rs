//! Running sources, their listeners, and waiting for updates.

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

/// Between two polls, and between two attempts.
pub(crate) const MOMENT: Duration = Duration::from_millis(5);

/// Longer than anything takes; only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until `attempt` gives something.
pub(crate) async fn until<T>(what: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let attempts = async {
        loop {
            if let Some(done) = attempt() {
                return done;
            }
            sleep(MOMENT).await;
        }
    };
    timeout(PATIENCE, attempts).await.unwrap_or_else(|_| panic!("waited in vain until {what}"))
}

/// Everything that was said.
pub(crate) struct Received<T>(Mutex<Vec<T>>);

impl<T: Clone> Received<T> {
    pub(crate) fn all(&self) -> Vec<T> {
        self.0.lock().unwrap().clone()
    }

    /// Waits for something after the first `skipped` that fits.
    pub(crate) async fn next(&self, what: &str, skipped: usize, fits: impl Fn(&T) -> bool) -> T {
        until(what, || self.all().into_iter().skip(skipped).find(&fits)).await
    }
}

impl Reserves {
    /// Waits until something after the first `skipped` fits.
    pub(crate) async fn wait(
        &self,
        what: &str,
        skipped: usize,
        fits: impl Fn(&Result<PoolReserves, ReserveError>) -> bool,
    ) {
        drop(self.next(what, skipped, fits).await);
    }
}

impl<T> Default for Received<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

pub(crate) type Reserves = Received<Result<PoolReserves, ReserveError>>;
pub(crate) type Prices = Received<(Symbol, Result<Observation, InvalidValue>)>;

impl ReserveListener for Reserves {
    fn receive(&self, _: PoolId, said: Result<PoolReserves, ReserveError>) {
        self.0.lock().unwrap().push(said);
    }
}

impl PriceListener for Prices {
    fn receive(&self, updates: &[PriceUpdate<'_>]) {
        self.0.lock().unwrap().extend(updates.iter().map(|(symbol, said)| ((*symbol).clone(), *said)));
    }
}

/// Anything that tells something to a listener until it cannot go on.
#[async_trait]
pub(crate) trait Source<L>: Send + Sync + 'static {
    async fn run(&self, listener: &L) -> SourceError;
}

#[async_trait]
impl Source<Reserves> for ReserveSource {
    async fn run(&self, listener: &Reserves) -> SourceError {
        Self::run(self, listener).await
    }
}

#[async_trait]
impl Source<Prices> for ChainlinkSource {
    async fn run(&self, listener: &Prices) -> SourceError {
        PriceSource::run(self, listener).await
    }
}

/// A source that is started again whenever it ends, as a service does.
pub(crate) struct Running<L> {
    pub(crate) updates: Arc<L>,
    pub(crate) ends: Arc<Received<String>>,
    task: JoinHandle<()>,
}

impl<L: Default + Send + Sync + 'static> Running<L> {
    pub(crate) fn start(source: impl Source<L>) -> Self {
        let (updates, ends) = (Arc::new(L::default()), Arc::new(Received::default()));
        let (listener, ended) = (Arc::clone(&updates), Arc::clone(&ends));
        let task = tokio::spawn(async move {
            loop {
                let error = source.run(&listener).await;
                ended.0.lock().unwrap().push(format!("{error:?} {error}"));
                sleep(MOMENT).await;
            }
        });
        Self { updates, ends, task }
    }
}

impl<L> Drop for Running<L> {
    fn drop(&mut self) {
        self.task.abort();
    }
}
