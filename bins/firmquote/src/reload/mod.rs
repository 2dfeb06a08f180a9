//! Puts a changed configuration in force while the service runs: all of it, or nothing.
//!
//! Whoever is being answered goes on with what was in force when the request came. Listeners, store, log, nodes and price
//! sources cannot be changed this way; a configuration that differs in one of them is refused by its key. The credentials
//! file and the certificate of TLS count for themselves: a key is revoked at once, whatever else is being edited or asked.
//! What is refused is tried again: the reason may pass without any file being touched.

mod origin;
mod outcome;
mod prepared;
mod price_edits;
mod served;
mod watch;

use tokio::{
    signal::unix::Signal,
    task::{JoinError, JoinHandle, block_in_place},
    time::{Instant, interval},
};

use self::{
    origin::Change,
    outcome::Outcome,
    prepared::{Keys, Prepared},
    watch::LOOK_EVERY,
};
pub(crate) use self::{origin::Origin, served::Served};

/// Why something is read again, as the log says it.
const CHANGED: &str = "a file changed";
const SIGNAL: &str = "SIGHUP";
const AGAIN: &str = "it was refused before";

/// Puts what changed in force, at every SIGHUP and whenever a file of `origin` changed, until the runtime ends, which has
/// several threads.
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
        owed: Keys::Kept,
        because: CHANGED,
        together: Outcome::new("the configuration", "is in force"),
        credentials: Outcome::new("the credentials", "are in force"),
        certificate: Outcome::new("the certificate", "is shown from now on"),
    };
    let mut looks = interval(LOOK_EVERY);
    loop {
        tokio::select! {
            // Files may be on a mount that hangs: the thread's other tasks go on elsewhere.
            _ = hangups.recv() => block_in_place(|| reloads.take(Change::ALL, Keys::Anew, SIGNAL)),
            _ = looks.tick() => block_in_place(|| reloads.look()),
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
    /// The keys that somebody has asked for since a configuration came into force.
    owed: Keys,
    /// Why the configuration was read last.
    because: &'static str,
    together: Outcome,
    credentials: Outcome,
    certificate: Outcome,
}

impl Reloads {
    /// Reads what has changed, and now and then what was refused.
    fn look(&mut self) {
        let changed = self.origin.change();
        if changed.is_any() {
            return self.take(changed, Keys::Kept, CHANGED);
        }
        let now = Instant::now();
        let refused = Change {
            credentials: self.credentials.is_due(now),
            certificate: self.certificate.is_due(now),
            // What is still being written comes by itself.
            together: self.pending.is_none() && self.together.is_due(now) && self.origin.is_at_rest(),
        };
        if refused.is_any() {
            self.take(refused, Keys::Kept, AGAIN);
        }
    }

    fn take(&mut self, change: Change, keys: Keys, because: &'static str) {
        self.origin.begin(&change);
        if change.credentials {
            self.credentials.tell(because, self.served.apply_credentials());
        }
        if change.certificate && self.served.tls.is_some() {
            self.certificate.tell(because, self.served.apply_certificate());
        }
        if change.together {
            (self.owed, self.because) = (self.owed.max(keys), because);
            let pending = Prepared::begin(&self.origin, &self.served, self.owed);
            // What is still being asked about an earlier one is of no use.
            if let Some(earlier) = self.pending.replace(pending) {
                earlier.abort();
            }
        }
        self.show();
    }

    fn finish(&mut self, prepared: Result<anyhow::Result<Prepared>, JoinError>) {
        self.pending = None;
        let finished = self.served.finish(prepared);
        let is_applied = finished.is_ok();
        if is_applied {
            self.owed = Keys::Kept;
        }
        if self.together.tell(self.because, finished) {
            self.served.metrics.count(is_applied);
        }
        self.show();
    }

    /// Shows whether all that is written is in force.
    fn show(&self) {
        let all = [&self.together, &self.credentials, &self.certificate];
        self.served.metrics.show(!all.into_iter().any(Outcome::is_refused));
    }
}
