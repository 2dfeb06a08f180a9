//! Outages of dependencies: the start and the end of each are logged once, and a source that ended is restarted after a
//! delay that depends on the error.

use std::{
    error::Error,
    mem::{Discriminant, discriminant},
    time::Duration,
};

use firmquote_market::SourceError;
use firmquote_outbound::error_chain;
use parking_lot::Mutex;
use tokio::time::{sleep, timeout};

/// The delay after a lost connection.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);
/// The delay after a violation of the source's protocol, or of the requirements on a pool.
pub(crate) const PROTOCOL_ERROR_DELAY: Duration = Duration::from_secs(5);

/// The current outage, if any, identified by the kind of failure that was logged last.
pub(crate) struct Outage<K>(Mutex<Option<K>>);

impl<K: PartialEq> Outage<K> {
    /// No outage.
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Records a failure. Returns whether to log it: it starts an outage, or differs in kind from the failure before.
    pub(crate) fn fail(&self, kind: K) -> bool {
        let mut current = self.0.lock();
        let is_new = current.as_ref() != Some(&kind);
        *current = Some(kind);
        is_new
    }

    /// Records a success. Returns whether it ends an outage.
    pub(crate) fn recover(&self) -> bool {
        self.0.lock().take().is_some()
    }
}

impl Outage<()> {
    /// Records the result of an attempt: reports the error if it starts an outage, and the success if it ends one.
    pub(crate) fn record<E>(
        &self,
        result: Result<(), E>,
        report_failure: impl FnOnce(E),
        report_recovery: impl FnOnce(),
    ) {
        match result {
            Err(error) if self.fail(()) => report_failure(error),
            Ok(()) if self.recover() => report_recovery(),
            Ok(()) | Err(_) => {}
        }
    }
}

/// Waits for an attempt, no longer than `limit`.
///
/// # Errors
/// Its error with all causes, or that it took too long.
pub(crate) async fn in_time<E: Error + 'static>(
    limit: Duration,
    attempt: impl Future<Output = Result<(), E>>,
) -> Result<(), String> {
    match timeout(limit, attempt).await {
        Ok(result) => result.map_err(|error| error_chain(&error)),
        Err(elapsed) => Err(error_chain(&elapsed)),
    }
}

/// A source of prices or reserves that is restarted whenever it ends.
pub(crate) struct Supervisor<'s> {
    /// The kind of data that the source delivers, in the singular.
    data: &'static str,
    source: &'s str,
    outage: Outage<Discriminant<SourceError>>,
}

impl<'s> Supervisor<'s> {
    /// Supervises the source called `source`; `data` is the kind of data that it delivers, in the singular.
    pub(crate) const fn new(data: &'static str, source: &'s str) -> Self {
        Self { data, source, outage: Outage::new() }
    }

    /// Logs that the source ended with `error`, once per outage and kind of error, and waits until it may be restarted.
    pub(crate) async fn back_off(&self, error: SourceError) {
        self.report_end(&error);
        sleep(restart_delay(&error)).await;
    }

    /// Records that the source delivered data, and logs the end of an outage.
    pub(crate) fn report_delivery(&self) {
        if self.outage.recover() {
            let Self { data, source, .. } = self;
            tracing::info!(source, "a {data} source delivers {data}s again");
        }
    }

    fn report_end(&self, error: &SourceError) {
        if self.outage.fail(discriminant(error)) {
            let Self { data, source, .. } = self;
            tracing::warn!(source, %error, pause_s = restart_delay(error).as_secs(), "a {data} source ended and is restarted");
        }
    }
}

/// Returns the delay before a source that ended with `error` is restarted; a source that requests a delay gets it.
fn restart_delay(error: &SourceError) -> Duration {
    match error {
        SourceError::Disconnected(_) => RECONNECT_DELAY,
        SourceError::RateLimited { seconds } => RECONNECT_DELAY.max(Duration::from_secs(*seconds)),
        SourceError::Protocol { .. } => PROTOCOL_ERROR_DELAY,
    }
}

/// Returns the log lines of `act`, from the message on.
#[cfg(test)]
pub(crate) fn captured_log(act: impl FnOnce()) -> Vec<String> {
    use std::{io::Write, sync::Arc};

    use tracing_subscriber::{fmt, layer::SubscriberExt as _, registry};

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let lines = Lines::default();
    let writer = lines.clone();
    let log = registry().with(fmt::layer().with_ansi(false).with_writer(move || writer.clone()));
    // With a single subscriber, tracing asks that of the thread which reaches a callsite first: maybe none.
    let _another = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::new());
    tracing::subscriber::with_default(log, act);
    let text = String::from_utf8_lossy(&lines.0.lock()).into_owned();
    let message = |line: &str| line.split_once(": ").map_or_else(String::new, |(_, message)| message.to_owned());
    text.lines().map(message).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_logged_at_its_start_its_end_and_when_its_kind_changes() {
        let (gone, busy) = (SourceError::Disconnected("away".into()), SourceError::RateLimited { seconds: 7 });
        let logged = captured_log(|| {
            let supervisor = Supervisor::new("price", "push");
            supervisor.report_delivery();
            [&gone, &gone, &gone, &busy, &busy].into_iter().for_each(|error| supervisor.report_end(error));
            supervisor.report_delivery();
            supervisor.report_delivery();
            supervisor.report_end(&busy);
        });
        let (ended, back) = ("a price source ended and is restarted", "a price source delivers prices again");
        let busy = format!("{ended} source=\"push\" error=rate limited for 7 s pause_s=7");
        let gone = format!("{ended} source=\"push\" error=away pause_s=1");
        assert_eq!(logged, [gone, busy.clone(), format!("{back} source=\"push\""), busy]);
    }
}
