//! Restarts a price source whenever it ends, after a pause that depends on the error, and logs the start and the end of
//! each outage once.

use std::{
    mem::{Discriminant, discriminant},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use firmquote_domain::{InvalidValue, Symbol};
use firmquote_market::{Observation, PriceListener, PriceSource, SourceError};
use tokio::time::sleep;

/// Runs a source forever, with a pause that depends on the error before each restart, and passes its prices to
/// `listener`.
pub(super) async fn run(source: Box<dyn PriceSource>, listener: impl PriceListener) {
    let mut watched = SupervisedSource::new(source.name(), listener);
    loop {
        let error = source.run(&watched.listener).await;
        watched.ended(&error);
        sleep(pause_after(&error)).await;
    }
}

/// A source with the state of its outage log.
struct SupervisedSource<'s, E> {
    listener: OutageAwareListener<'s, E>,
    /// The kind of error that was logged last.
    told: Option<Discriminant<SourceError>>,
}

impl<'s, E: PriceListener> SupervisedSource<'s, E> {
    const fn new(source: &'s str, listener: E) -> Self {
        Self { listener: OutageAwareListener { source, listener, is_out: AtomicBool::new(false) }, told: None }
    }

    /// Logs that the source ended, unless the current outage was already logged with an error of this kind.
    fn ended(&mut self, error: &SourceError) {
        let (source, pause_s, kind) = (self.listener.source, pause_after(error).as_secs(), Some(discriminant(error)));
        let is_known = self.listener.is_out.swap(true, Ordering::Relaxed) && self.told == kind;
        self.told = kind;
        if !is_known {
            tracing::warn!(source, %error, pause_s, "a price source ended and is restarted");
        }
    }
}

/// A listener that detects the end of an outage.
struct OutageAwareListener<'s, E> {
    source: &'s str,
    listener: E,
    is_out: AtomicBool,
}

impl<E: PriceListener> PriceListener for OutageAwareListener<'_, E> {
    fn receive(&self, symbol: &Symbol, update: Result<Observation, InvalidValue>) {
        if self.is_out.load(Ordering::Relaxed) && self.is_out.swap(false, Ordering::Relaxed) {
            tracing::info!(source = self.source, "a price source delivers prices again");
        }
        self.listener.receive(symbol, update);
    }
}

/// The pause after a lost connection.
const LOST_PAUSE: Duration = Duration::from_secs(1);
/// The pause after a violation of the source's protocol.
pub(crate) const PROTOCOL_ERROR_PAUSE: Duration = Duration::from_secs(5);

/// Returns the pause before a source that ended with `error` is restarted; a source that requests a delay gets it.
pub(crate) fn pause_after(error: &SourceError) -> Duration {
    match error {
        SourceError::Gone(_) => LOST_PAUSE,
        SourceError::Busy { seconds } => LOST_PAUSE.max(Duration::from_secs(*seconds)),
        SourceError::Protocol { .. } => PROTOCOL_ERROR_PAUSE,
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::Write,
        sync::{Arc, Mutex, PoisonError},
    };

    use super::*;
    use firmquote_domain::Price;
    use tracing_subscriber::{fmt, layer::SubscriberExt as _, registry};

    /// The captured log of a test.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    struct UnreachableListener;

    impl PriceListener for UnreachableListener {
        fn receive(&self, _: &Symbol, _: Result<Observation, InvalidValue>) {}
    }

    #[test]
    fn an_outage_is_told_when_it_begins_when_its_kind_changes_and_when_it_is_over() {
        let lines = Lines::default();
        let writer = lines.clone();
        let log = registry().with(fmt::layer().with_ansi(false).with_writer(move || writer.clone()));
        let (gone, busy) = (SourceError::Gone("away".into()), SourceError::Busy { seconds: 7 });
        tracing::subscriber::with_default(log, || {
            let mut watched = SupervisedSource::new("push", UnreachableListener);
            let tell = |watched: &SupervisedSource<'_, UnreachableListener>| {
                watched.listener.receive(&Symbol::new("ETH").unwrap(), Err(Price::from_decimal("x").unwrap_err()));
            };
            tell(&watched);
            [&gone, &gone, &gone, &busy, &busy].into_iter().for_each(|error| watched.ended(error));
            tell(&watched);
            tell(&watched);
            watched.ended(&busy);
        });
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        let told: Vec<_> = text.lines().map(|line| line.split_once("supervise: ").unwrap().1).collect();
        let (ended, back) = ("a price source ended and is restarted", "a price source delivers prices again");
        let busy = format!("{ended} source=\"push\" error=rate limited for 7 s pause_s=7");
        let gone = format!("{ended} source=\"push\" error=away pause_s=1");
        assert_eq!(told, [gone, busy.clone(), format!("{back} source=\"push\""), busy]);
    }
}
