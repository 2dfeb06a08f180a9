//! The outcome of reloading one part of the configuration, logged once.

use std::{path::PathBuf, time::Duration};

use firmquote_outbound::error_chain;
use tokio::time::Instant;

use crate::Error;

/// The reason for a retry, as logged.
pub(super) const RETRY: &str = "retry";

/// Delay before a refused reload is retried.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The maximum number of changed keys in the log: a table that is inserted changes the keys of all that follow.
const MAX_LISTED: usize = 20;

/// What a reload changed, for the log.
#[derive(Debug, Default)]
pub(super) struct ReloadSummary {
    /// The file that was read.
    pub(super) file: Option<PathBuf>,
    /// The keys or entries that changed; without values, which may be secrets.
    pub(super) changed: Vec<String>,
}

/// The outcome of the last reload of one part.
pub(super) struct ReloadOutcome {
    part: &'static str,
    refused: Option<RejectedReload>,
}

/// Why the current files are not in effect, or not all of them.
struct RejectedReload {
    reason: String,
    /// When they are tried again; `None` if that would change nothing.
    retry_at: Option<Instant>,
}

/// Lists the first of these keys; `None` without any.
fn list(keys: &[String]) -> Option<String> {
    let (first, rest) = keys.split_at(keys.len().min(MAX_LISTED));
    let more = (!rest.is_empty()).then(|| format!("{} more", rest.len()));
    let all: Vec<String> = first.iter().cloned().chain(more).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

impl ReloadOutcome {
    /// Creates the outcome of a part that is in effect.
    pub(super) const fn new(part: &'static str) -> Self {
        Self { part, refused: None }
    }

    /// Whether the current files were refused.
    pub(super) const fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// Returns why the current files are not in effect, or not all of them.
    pub(super) fn rejection(&self) -> Option<String> {
        self.refused.as_ref().map(|refused| format!("{}: {}", self.part, refused.reason))
    }

    /// Whether it was refused and is due for a retry.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.refused.as_ref().and_then(|refusal| refusal.retry_at).is_some_and(|retry_at| now >= retry_at)
    }

    /// Logs the outcome, unless a retry was refused for the same reason as before. Returns whether it was logged.
    pub(super) fn report(&mut self, because: &'static str, outcome: Result<ReloadSummary, Error>) -> bool {
        let part = self.part;
        let error = match outcome {
            Ok(ReloadSummary { file, changed }) => {
                let file = file.map(|file| file.display().to_string());
                let changed = list(&changed);
                tracing::info!(because, file, changed, "{part} reloaded");
                self.refused = None;
                return true;
            }
            Err(error) => error,
        };
        let error = error_chain(&error);
        let is_logged = self.refused.as_ref().is_some_and(|logged| logged.reason == error) && because == RETRY;
        if !is_logged {
            tracing::error!(because, error, "{part} rejected: the previous version stays active, retrying");
        }
        self.refused = Some(RejectedReload { reason: error, retry_at: Some(Instant::now() + RETRY_AFTER) });
        !is_logged
    }

    /// Records that nothing is ignored any more.
    pub(super) fn end_partial(&mut self) {
        self.refused.take_if(|refusal| refusal.retry_at.is_none());
    }

    /// Logs that the files are in effect but for `ignored`, until they change again.
    pub(super) fn report_partial(&mut self, because: &'static str, ignored: &Error) {
        let (part, error) = (self.part, error_chain(ignored));
        tracing::error!(because, error, "{part} reloaded; duplicates are ignored, the first entry counts");
        self.refused = Some(RejectedReload { reason: error, retry_at: None });
    }
}
