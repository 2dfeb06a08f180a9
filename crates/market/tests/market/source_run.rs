//! One run of a price source, with its updates and its error.

use std::{sync::Arc, time::Duration};

use firmquote_domain::{InvalidValue, Symbol};
use firmquote_market::{Observation, PriceListener, PriceSource, PriceUpdate, SourceError};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::JoinHandle,
    time::timeout,
};

/// The timeout of every wait; only a failing test reaches it.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A timeout that tests wait for: longer than a busy machine takes for a first message.
pub(crate) const SHORT_TIMEOUT: Duration = Duration::from_secs(1);

type Update = (Symbol, Result<Observation, InvalidValue>);

/// The feed that a fault names, and the fault.
type Fault = (Option<String>, String);

struct ChannelListener {
    updates: UnboundedSender<Update>,
    faults: UnboundedSender<Fault>,
}

impl PriceListener for ChannelListener {
    fn receive(&self, updates: &[PriceUpdate<'_>]) {
        for (symbol, update) in updates {
            // The receiver is gone when the test is over.
            drop(self.updates.send(((*symbol).clone(), *update)));
        }
    }

    fn report(&self, feed: Option<&str>, fault: &str) {
        drop(self.faults.send((feed.map(str::to_owned), fault.to_owned())));
    }
}

/// One run of a source.
pub(crate) struct SourceRun {
    updates: UnboundedReceiver<Update>,
    faults: UnboundedReceiver<Fault>,
    task: JoinHandle<SourceError>,
}

impl SourceRun {
    pub(crate) fn start(source: &Arc<impl PriceSource + 'static>) -> Self {
        let ((update_sender, updates), (fault_sender, faults)) = (unbounded_channel(), unbounded_channel());
        let (source, listener) = (Arc::clone(source), ChannelListener { updates: update_sender, faults: fault_sender });
        Self { updates, faults, task: tokio::spawn(async move { source.run(&listener).await }) }
    }

    /// Returns the next fault of one feed or message.
    pub(crate) async fn fault(&mut self) -> (Option<String>, String) {
        timeout(TEST_TIMEOUT, self.faults.recv()).await.expect("a fault is reported").expect("the source runs")
    }

    /// Returns the next update: the symbol, and the price with its confidence and its time in microseconds.
    pub(crate) async fn next(&mut self) -> (String, Result<(String, u64, u64), InvalidValue>) {
        let (symbol, update) =
            timeout(TEST_TIMEOUT, self.updates.recv()).await.expect("an update arrives").expect("the source runs");
        let price_update =
            update.map(|update| (update.price.to_string(), update.confidence_steps, update.observed_at.as_micros()));
        (symbol.to_string(), price_update)
    }

    /// Returns the error that ended the run; panics if there was an unexpected update.
    pub(crate) async fn error(mut self) -> SourceError {
        let error =
            timeout(TEST_TIMEOUT, self.task).await.expect("the source ends").expect("the source does not panic");
        let update = self.updates.try_recv();
        assert!(update.is_err(), "unexpected: {update:?}");
        error
    }

    /// Skips all remaining updates, which must be prices, and returns the text of [`SourceError::Disconnected`].
    pub(crate) async fn disconnected_after_prices(mut self) -> String {
        while let Some((_, update)) = timeout(TEST_TIMEOUT, self.updates.recv()).await.expect("the source ends") {
            update.expect("a price");
        }
        self.disconnected().await
    }

    /// Aborts the run.
    pub(crate) fn abort(self) {
        self.task.abort();
    }

    /// Returns the text of [`SourceError::Disconnected`].
    pub(crate) async fn disconnected(self) -> String {
        match self.error().await {
            SourceError::Disconnected(cause) => cause.to_string(),
            other => panic!("{other:?}"),
        }
    }

    /// Returns the reason of [`SourceError::Protocol`].
    pub(crate) async fn protocol_error(self) -> String {
        match self.error().await {
            SourceError::Protocol { reason } => reason,
            other => panic!("{other:?}"),
        }
    }

    /// Returns the seconds of [`SourceError::RateLimited`].
    pub(crate) async fn rate_limit_seconds(self) -> u64 {
        match self.error().await {
            SourceError::RateLimited { seconds } => seconds,
            other => panic!("{other:?}"),
        }
    }
}
