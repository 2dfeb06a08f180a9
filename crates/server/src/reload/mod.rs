//! Applies a changed configuration while the service runs: all of it, or nothing.
//!
//! Requests in flight complete with the configuration that was active when they arrived. Listeners, store, log and
//! nodes cannot be changed this way; a configuration that differs in one of them is refused, naming the
//! key. The credentials file and the TLS certificate are reloaded independently: a key is revoked at once, whatever
//! else is being edited or checked. A refused change is retried: the reason may disappear without any file being
//! modified.

mod apply;
mod config_file;
mod outcome;
mod pending_config;
mod rejected_edits;
mod watched_files;

use firmquote_http::ReplicaStatus;
use firmquote_store::OperatorEvent;
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::mpsc::Receiver,
    task::{JoinError, JoinHandle, block_in_place},
    time::{Instant, interval},
};

use self::{
    config_file::ChangedFiles,
    outcome::{RETRY, ReloadOutcome, ReloadSummary},
    pending_config::{PendingConfig, SignerKeys},
    watched_files::POLL_INTERVAL,
};
use crate::{Error, assembly::ServerState, environment::host_name};
pub use config_file::ConfigFile;

/// The reasons for a reload, as logged.
const CHANGED: &str = "a file changed";
const SIGNAL: &str = "SIGHUP";

/// Reloads changed files, automatically and on every request, until a task of `state` ends. Without `reload` it only
/// follows revocations.
pub(crate) async fn run(
    mut state: ServerState,
    reload: Option<(Option<ConfigFile>, Receiver<()>)>,
) -> Result<(), JoinError> {
    let (file, mut requests) = reload.map_or((None, None), |(file, requests)| (file, Some(requests)));
    let mut polls = interval(POLL_INTERVAL);
    let Some(file) = file else {
        loop {
            tokio::select! {
                () = requested(&mut requests) => tracing::info!("no configuration file to reload"),
                _ = polls.tick() => state.end_streams_after_revocation(),
                ended = state.task_ended() => return ended,
            }
        }
    };
    let mut reloads = ReloadTask {
        state,
        file,
        pending: None,
        requested_keys: SignerKeys::Keep,
        because: CHANGED,
        config_and_lists: ReloadOutcome::new("configuration"),
        credentials: ReloadOutcome::new("credentials"),
        certificate: ReloadOutcome::new("certificate"),
    };
    loop {
        tokio::select! {
            // Files may be on a mount that hangs: the other tasks of this worker thread continue elsewhere.
            () = requested(&mut requests) => run_blocking(|| reloads.start_reload(ChangedFiles::ALL, SignerKeys::Reload, SIGNAL)),
            _ = polls.tick() => run_blocking(|| {
                reloads.state.end_streams_after_revocation();
                reloads.poll_files();
            }),
            ended = reloads.state.task_ended() => return ended,
            config = finished(&mut reloads.pending) => run_blocking(|| reloads.finish(config)),
        }
    }
}

/// Waits for the next request to reload; forever once there are no more.
async fn requested(requests: &mut Option<Receiver<()>>) {
    if let Some(requests) = requests
        && requests.recv().await.is_some()
    {
        return;
    }
    std::future::pending().await
}

/// Runs blocking work in place; in a multi-threaded runtime, the other tasks of this thread move to another one.
fn run_blocking<T>(work: impl FnOnce() -> T) -> T {
    match Handle::current().runtime_flavor() {
        RuntimeFlavor::CurrentThread => work(),
        _ => block_in_place(work),
    }
}

/// A configuration that is being read and checked.
type Pending = JoinHandle<Result<PendingConfig, Error>>;

/// Waits for the pending configuration; never completes without one.
async fn finished(pending: &mut Option<Pending>) -> Result<Result<PendingConfig, Error>, JoinError> {
    match pending {
        Some(pending) => pending.await,
        None => std::future::pending().await,
    }
}

/// The active state, the pending configuration, and the outcome of the last reloads.
struct ReloadTask {
    state: ServerState,
    file: ConfigFile,
    pending: Option<Pending>,
    /// The keys requested since the last configuration took effect.
    requested_keys: SignerKeys,
    /// The reason for the last reload of the configuration.
    because: &'static str,
    config_and_lists: ReloadOutcome,
    credentials: ReloadOutcome,
    certificate: ReloadOutcome,
}

impl ReloadTask {
    /// Reloads changed files, and retries refused ones periodically.
    fn poll_files(&mut self) {
        let changed = self.file.changed();
        if changed.is_any() {
            return self.start_reload(changed, SignerKeys::Keep, CHANGED);
        }
        let now = Instant::now();
        let refused = ChangedFiles {
            credentials: self.credentials.is_due(now),
            certificate: self.certificate.is_due(now),
            // Files that are still being written are picked up once stable.
            config_and_lists: self.pending.is_none() && self.config_and_lists.is_due(now) && self.file.is_unchanged(),
        };
        if refused.is_any() {
            self.start_reload(refused, SignerKeys::Keep, RETRY);
        }
    }

    fn start_reload(&mut self, change: ChangedFiles, keys: SignerKeys, because: &'static str) {
        self.file.mark_read(&change);
        if change.credentials {
            match self.state.apply_credentials() {
                Ok(Some(duplicate)) => self.credentials.report_partial(because, &duplicate),
                applied => {
                    let file = self.state.config.credentials_file.clone();
                    self.credentials
                        .report(because, applied.map(|_| ReloadSummary { file, ..ReloadSummary::default() }));
                }
            }
        }
        if change.certificate && self.state.tls.is_some() {
            let applied = self.state.apply_certificate();
            let file = self.state.config.server.tls.as_ref().map(|files| files.certificate_file().to_owned());
            self.certificate.report(because, applied.map(|()| ReloadSummary { file, ..ReloadSummary::default() }));
        }
        if change.config_and_lists {
            (self.requested_keys, self.because) = (self.requested_keys.max(keys), because);
            let pending = PendingConfig::spawn(&self.file, &self.state, self.requested_keys);
            // The checks of an earlier configuration are obsolete.
            if let Some(earlier) = self.pending.replace(pending) {
                earlier.abort();
            }
        }
        self.export_state();
    }

    fn finish(&mut self, config: Result<Result<PendingConfig, Error>, JoinError>) {
        self.pending = None;
        let finished = self.state.apply(config);
        let is_applied = finished.is_ok();
        if is_applied {
            self.requested_keys = SignerKeys::Keep;
            // The credentials of both files are in effect, so none of them is a duplicate.
            self.credentials.end_partial();
        }
        let file = Some(self.file.path.clone());
        if let Ok(changes) = &finished {
            let (replica, changes) = (host_name(), changes.clone());
            self.state.record(OperatorEvent::Config { replica, changes });
        }
        let finished = finished
            .map(|changed| ReloadSummary { file, changed: changed.into_iter().map(|changed| changed.key).collect() });
        if self.config_and_lists.report(self.because, finished) {
            self.state.metrics.count(is_applied);
        }
        self.export_state();
    }

    /// Exports whether all files are in effect.
    fn export_state(&self) {
        let all = [&self.config_and_lists, &self.credentials, &self.certificate];
        self.state.metrics.show(!all.into_iter().any(ReloadOutcome::is_refused));
        let rejected_files = all.into_iter().filter_map(ReloadOutcome::rejection).collect();
        self.state.live.report_replica(ReplicaStatus { name: host_name(), rejected_files });
    }
}
