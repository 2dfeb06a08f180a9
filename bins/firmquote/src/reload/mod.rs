//! Puts a changed configuration in force while the service runs: all of it, or nothing.
//!
//! Whoever is being answered goes on with what was in force when the request came. Listeners, store, log, nodes and price
//! sources cannot be changed this way; a configuration that differs in one of them is refused by its key. The credentials
//! file and the certificate of TLS count for themselves: a key is revoked at once, whatever else is being edited or asked.
//! What is refused is tried again: the reason may pass without any file being touched.

mod origin;
mod outcome;
mod prepared;
mod reading;
mod served;
mod watch;

use std::time::Duration;

use tokio::{
    signal::unix::Signal,
    task::{JoinError, JoinHandle},
    time::{Instant, interval},
};

use self::{origin::Change, outcome::Outcome, prepared::Prepared, reading::Reading, watch::LOOK_EVERY};
pub(crate) use self::{origin::Origin, served::Served};

/// How long after a refusal it is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Puts what changed in force, at every SIGHUP and whenever a file of `origin` changed, until the runtime ends.
pub(crate) async fn keep(served: Served, origin: Option<Origin>, mut hangups: Signal) {
    let Some(origin) = origin else {
        while hangups.recv().await.is_some() {
            tracing::info!("there is no file to read again");
        }
        return;
    };
    let mut reloads = Reloads {
        served,
        origin,
        pending: None,
        next: None,
        together: Outcome::new("the configuration", "is in force"),
        credentials: Outcome::new("the credentials", "are in force"),
        certificate: Outcome::new("the certificate", "is shown from now on"),
        reading: Reading::CHANGED,
        tried_at: None,
    };
    let mut looks = interval(LOOK_EVERY);
    loop {
        tokio::select! {
            _ = hangups.recv() => reloads.take(Change { apart: true, together: Some(Reading::ASKED) }),
            _ = looks.tick() => {
                let change = reloads.due();
                reloads.take(change);
            }
            prepared = finished(&mut reloads.pending) => reloads.finish(prepared),
        }
    }
}

/// A configuration that is being read, and held against what it names.
type Pending = JoinHandle<anyhow::Result<Prepared>>;

/// What became of the configuration that is pending; never, if there is none.
async fn finished(pending: &mut Option<Pending>) -> Result<anyhow::Result<Prepared>, JoinError> {
    match pending {
        Some(pending) => pending.await,
        None => std::future::pending().await,
    }
}

/// What is served, what is on its way to be, and what was refused.
struct Reloads {
    served: Served,
    origin: Origin,
    pending: Option<Pending>,
    /// What is to be read once that has come to its end.
    next: Option<Reading>,
    together: Outcome,
    credentials: Outcome,
    certificate: Outcome,
    /// How the configuration was read last.
    reading: Reading,
    /// When something was tried last.
    tried_at: Option<Instant>,
}

impl Reloads {
    /// What has to be read: what has changed, and now and then what was refused.
    fn due(&mut self) -> Change {
        let mut change = self.origin.change();
        if self.tried_at.is_some_and(|tried| tried.elapsed() >= RETRY_AFTER) {
            change.apart |= self.credentials.is_refused() || self.certificate.is_refused();
            change.together = change.together.or(self.together.is_refused().then_some(self.reading.again()));
        }
        change
    }

    fn take(&mut self, change: Change) {
        self.origin.begin(&change);
        if change.apart {
            let because = change.together.map_or(Reading::CHANGED.because, |reading| reading.because);
            self.credentials.tell(because, self.served.apply_credentials());
            self.certificate.tell(because, self.served.apply_certificate());
            self.tried_at = Some(Instant::now());
        }
        let Some(reading) = change.together else { return };
        match self.pending {
            // What is on its way came first, and was whole as well.
            Some(_) => self.next = Some(self.next.map_or(reading, |earlier| earlier.and(reading))),
            None => self.begin(reading),
        }
    }

    fn finish(&mut self, prepared: Result<anyhow::Result<Prepared>, JoinError>) {
        self.pending = None;
        let finished = self.served.finish(prepared);
        let is_applied = finished.is_ok();
        if self.together.tell(self.reading.because, finished) {
            self.served.metrics.count(is_applied);
        }
        self.tried_at = Some(Instant::now());
        if let Some(reading) = self.next.take() {
            self.begin(reading);
        }
    }

    fn begin(&mut self, reading: Reading) {
        self.reading = reading;
        self.pending = Some(Prepared::begin(&self.origin, &self.served, reading.keys));
    }
}
