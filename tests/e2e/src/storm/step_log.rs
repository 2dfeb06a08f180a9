//! The last steps of a storm, for the analysis of a failure.

use std::{
    collections::VecDeque,
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Number of steps to keep.
const MAX_STEPS: usize = 60;

/// Bytes to keep of each request, and characters of each response.
const MAX_LENGTH: usize = 800;

/// The last steps of all clients, and whether any of them has failed.
#[derive(Debug, Default)]
pub(super) struct StepLog {
    steps: Mutex<VecDeque<String>>,
    has_failed: AtomicBool,
}

impl StepLog {
    /// Records a request that is about to be sent.
    pub(super) fn record_request(&self, sender: &str, bytes: &[u8]) {
        let prefix = bytes.get(..MAX_LENGTH).unwrap_or(bytes);
        self.record(format!("{sender} > {}", prefix.escape_ascii()));
    }

    /// Records the response to a request.
    pub(super) fn record_response(&self, sender: &str, status: u16, text: &str) {
        self.record(format!("{sender} < {status} {}", text.chars().take(MAX_LENGTH).collect::<String>()));
    }

    /// Records a line, such as an action of the operator.
    pub(super) fn record(&self, line: String) {
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        steps.push_back(line);
        if steps.len() > MAX_STEPS {
            steps.pop_front();
        }
    }

    /// Whether a client has failed. All others then stop, so that the trail ends with the steps of the failed one.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::SeqCst)
    }

    /// Returns a guard that reports a panic of its thread to the other clients.
    pub(super) const fn guard(&self) -> Guard<'_> {
        Guard(self)
    }
}

impl fmt::Display for StepLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}

/// The panic guard of one thread.
pub(super) struct Guard<'t>(&'t StepLog);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.has_failed.store(true, Ordering::SeqCst);
        }
    }
}
