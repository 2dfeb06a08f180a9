//! Puts a changed configuration in force while the service runs: all of it, or nothing.
//!
//! Whoever is being answered goes on with what was in force when the request came. Listeners, store, log, nodes and price
//! sources cannot be changed this way; a configuration that differs in one of them is refused by its key. The credentials
//! file and the certificate of TLS count for themselves: a key is revoked at once, whatever else is being edited or asked.
//! What is refused is tried again: the reason may pass without any file being touched.

mod candidate;
mod config_file;
mod outcome;
mod watched_files;

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::mpsc::Receiver,
    task::{JoinError, JoinHandle, block_in_place},
    time::{Instant, interval},
};

use self::{
    candidate::{Candidate, SignerKeys},
    config_file::ChangedFiles,
    outcome::{AGAIN, Outcome},
    watched_files::POLL_INTERVAL,
};
use crate::{Error, assembly::ServerState};
pub use config_file::ConfigFile;

/// Why something is read again, as the log says it.
const CHANGED: &str = "a file changed";
const SIGNAL: &str = "SIGHUP";
/// Puts a changed file in force, by itself and at every request, and never ends. Without `reload` it keeps `state` alive and
/// does no more.
pub(crate) async fn run(state: ServerState, reload: Option<(Option<ConfigFile>, Receiver<()>)>) {
    let Some((file, mut requests)) = reload else { return std::future::pending().await };
    let Some(file) = file else {
        while requests.recv().await.is_some() {
            tracing::info!("there is no file to read again");
        }
        return std::future::pending().await;
    };
    let mut reloads = Reloads {
        state,
        file,
        pending: None,
        owed: SignerKeys::Keep,
        because: CHANGED,
        together: Outcome::new("the configuration", "is in force"),
        credentials: Outcome::new("the credentials", "are in force"),
        certificate: Outcome::new("the certificate", "is shown from now on"),
    };
    let mut looks = interval(POLL_INTERVAL);
    loop {
        tokio::select! {
            // Files may be on a mount that hangs: the thread's other tasks go on elsewhere.
            Some(()) = requests.recv() => off_worker(|| reloads.take(ChangedFiles::ALL, SignerKeys::Reload, SIGNAL)),
            _ = looks.tick() => off_worker(|| reloads.look()),
            candidate = finished(&mut reloads.pending) => reloads.finish(candidate),
        }
    }
}

/// Does blocking work in place, with this thread's other tasks moved elsewhere where there is an elsewhere.
fn off_worker<T>(work: impl FnOnce() -> T) -> T {
    match Handle::current().runtime_flavor() {
        RuntimeFlavor::CurrentThread => work(),
        _ => block_in_place(work),
    }
}

/// A configuration that is being read, and held against what it names.
type Pending = JoinHandle<Result<Candidate, Error>>;

/// What became of the configuration that is pending; never, if there is none.
async fn finished(pending: &mut Option<Pending>) -> Result<Result<Candidate, Error>, JoinError> {
    match pending {
        Some(pending) => pending.await,
        None => std::future::pending().await,
    }
}

/// What is served, what is on its way to be, and what was refused.
struct Reloads {
    state: ServerState,
    file: ConfigFile,
    pending: Option<Pending>,
    /// The keys that somebody has asked for since a configuration came into force.
    owed: SignerKeys,
    /// Why the configuration was read last.
    because: &'static str,
    together: Outcome,
    credentials: Outcome,
    certificate: Outcome,
}

impl Reloads {
    /// Reads what has changed, and now and then what was refused.
    fn look(&mut self) {
        let changed = self.file.change();
        if changed.is_any() {
            return self.take(changed, SignerKeys::Keep, CHANGED);
        }
        let now = Instant::now();
        let refused = ChangedFiles {
            credentials: self.credentials.is_due(now),
            certificate: self.certificate.is_due(now),
            // What is still being written comes by itself.
            together: self.pending.is_none() && self.together.is_due(now) && self.file.is_at_rest(),
        };
        if refused.is_any() {
            self.take(refused, SignerKeys::Keep, AGAIN);
        }
    }

    fn take(&mut self, change: ChangedFiles, keys: SignerKeys, because: &'static str) {
        self.file.begin(&change);
        if change.credentials {
            self.credentials.tell(because, self.state.apply_credentials());
        }
        if change.certificate && self.state.tls.is_some() {
            self.certificate.tell(because, self.state.apply_certificate());
        }
        if change.together {
            (self.owed, self.because) = (self.owed.max(keys), because);
            let pending = Candidate::begin(&self.file, &self.state, self.owed);
            // What is still being asked about an earlier one is of no use.
            if let Some(earlier) = self.pending.replace(pending) {
                earlier.abort();
            }
        }
        self.show();
    }

    fn finish(&mut self, candidate: Result<Result<Candidate, Error>, JoinError>) {
        self.pending = None;
        let finished = self.state.apply(candidate);
        let is_applied = finished.is_ok();
        if is_applied {
            self.owed = SignerKeys::Keep;
        }
        if self.together.tell(self.because, finished) {
            self.state.metrics.count(is_applied);
        }
        self.show();
    }

    /// Shows whether all that is written is in force.
    fn show(&self) {
        let all = [&self.together, &self.credentials, &self.certificate];
        self.state.metrics.show(!all.into_iter().any(Outcome::is_refused));
    }
}
