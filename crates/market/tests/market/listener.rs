//! Who listens in a test, and a source that runs for it.

use std::{sync::Arc, time::Duration};

use firmquote_domain::{InvalidValue, Symbol};
use firmquote_market::{Observation, PriceListener, PriceSource, PriceUpdate, SourceError};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::JoinHandle,
    time::timeout,
};

/// Longer than anything takes; only a test that fails waits for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

type Said = (Symbol, Result<Observation, InvalidValue>);

struct Ear(UnboundedSender<Said>);

impl PriceListener for Ear {
    fn receive(&self, updates: &[PriceUpdate<'_>]) {
        for (symbol, update) in updates {
            // A test that is over does not listen.
            drop(self.0.send(((*symbol).clone(), *update)));
        }
    }
}

/// One run of a source.
pub(crate) struct Run {
    updates: UnboundedReceiver<Said>,
    task: JoinHandle<SourceError>,
}

impl Run {
    pub(crate) fn start(source: &Arc<impl PriceSource + 'static>) -> Self {
        let (ear, updates) = unbounded_channel();
        let source = Arc::clone(source);
        Self { updates, task: tokio::spawn(async move { source.run(&Ear(ear)).await }) }
    }

    /// The next update: the symbol, and the price with its confidence and its time in microseconds.
    pub(crate) async fn next(&mut self) -> (String, Result<(String, u64, u64), InvalidValue>) {
        let (symbol, update) =
            timeout(PATIENCE, self.updates.recv()).await.expect("an update arrives").expect("the source runs");
        let price_update =
            update.map(|update| (update.price.to_string(), update.confidence_steps, update.observed_at.as_micros()));
        (symbol.to_string(), price_update)
    }

    /// How it ended; fails if there was an unexpected update.
    pub(crate) async fn end(mut self) -> SourceError {
        let end = timeout(PATIENCE, self.task).await.expect("the source ends").expect("the source does not panic");
        let rest = self.updates.try_recv();
        assert!(rest.is_err(), "unexpected: {rest:?}");
        end
    }

    /// The text of [`SourceError::Disconnected`], after all updates.
    pub(crate) async fn last_gone(mut self) -> String {
        while let Some((_, update)) = timeout(PATIENCE, self.updates.recv()).await.expect("the source ends") {
            update.expect("a price");
        }
        self.gone().await
    }

    /// Drops the run in the midst of it.
    pub(crate) fn abort(self) {
        self.task.abort();
    }

    /// The text of [`SourceError::Disconnected`].
    pub(crate) async fn gone(self) -> String {
        match self.end().await {
            SourceError::Disconnected(why) => why.to_string(),
            other => panic!("{other:?}"),
        }
    }

    /// The reason of [`SourceError::Protocol`].
    pub(crate) async fn against_protocol(self) -> String {
        match self.end().await {
            SourceError::Protocol { reason } => reason,
            other => panic!("{other:?}"),
        }
    }

    /// The seconds of [`SourceError::RateLimited`].
    pub(crate) async fn busy(self) -> u64 {
        match self.end().await {
            SourceError::RateLimited { seconds } => seconds,
            other => panic!("{other:?}"),
        }
    }
}
