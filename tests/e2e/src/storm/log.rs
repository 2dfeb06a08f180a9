//! Checks the server's log line by line as it is written: no secrets, no panics, no internal errors, one line per
//! request.

use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
};

use serde_json::Value;

use super::secrets;

/// The prefix of the request IDs in a storm.
pub(super) const REQUEST_ID_PREFIX: &str = "storm-";

/// The log message after a successful reload.
const RELOADED: &str = "configuration reloaded";

/// The log message after a refused reload. The result for the credentials file is logged before.
const REFUSED: &str = "configuration rejected: the previous version stays active, retrying";

/// The allowed log messages at level ERROR: refused files.
const ERRORS: [&str; 2] = [REFUSED, "credentials rejected: the previous version stays active, retrying"];

/// The result of a reload; the error is the log line with the reason.
pub(super) type Reload = Result<(), String>;

/// The results of checking the log.
pub(super) struct Log {
    entries: Mutex<LogEntries>,
    reloads: Mutex<Sender<Reload>>,
}

#[derive(Default)]
struct LogEntries {
    /// Number of lines by request ID.
    lines: HashMap<String, u32>,
    faults: Vec<String>,
    is_whole: bool,
}

impl Log {
    /// Creates an empty log, and a channel that receives the result of each reload triggered by SIGHUP.
    pub(super) fn new() -> (Self, Receiver<Reload>) {
        let (sender, reloads) = channel();
        (Self { entries: Mutex::default(), reloads: Mutex::new(sender) }, reloads)
    }

    /// Processes a line. Never panics, so that later lines are processed too.
    pub(super) fn receive(&self, line: &str) {
        let fault = fault(line);
        let entry: Value = serde_json::from_str(line).unwrap_or_default();
        let mut entries = self.lock();
        entries.faults.extend(fault);
        if let Some(id) = entry["request_id"].as_str().filter(|id| id.starts_with(REQUEST_ID_PREFIX)) {
            *entries.lines.entry(id.to_owned()).or_default() += 1;
        }
        entries.is_whole |= entry["message"] == "stopped";
        let is_requested = entry["because"] == "SIGHUP";
        drop(entries);
        let reload = match entry["message"].as_str() {
            Some(RELOADED) if is_requested => Some(Ok(())),
            Some(REFUSED) if is_requested => Some(Err(line.to_owned())),
            _ => None,
        };
        if let Some(reload) = reload {
            let reloads = self.reloads.lock().unwrap_or_else(PoisonError::into_inner);
            // The receiver is gone once the storm has ended.
            reloads.send(reload).unwrap_or_default();
        }
    }

    /// Returns the forbidden lines so far.
    pub(super) fn faults(&self) -> Vec<String> {
        self.lock().faults.clone()
    }

    /// Returns the number of lines about a request.
    pub(super) fn lines_about(&self, id: &str) -> u32 {
        self.lock().lines.get(id).copied().unwrap_or_default()
    }

    /// Returns the maximum number of lines about any request.
    pub(super) fn most_lines(&self) -> u32 {
        self.lock().lines.values().copied().max().unwrap_or_default()
    }

    /// Whether the server has written its last line.
    pub(super) fn is_whole(&self) -> bool {
        self.lock().is_whole
    }

    /// Ignores poisoning: no code panics while holding the lock.
    fn lock(&self) -> MutexGuard<'_, LogEntries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a description of what is wrong with a line, if anything.
fn fault(line: &str) -> Option<String> {
    let Ok(entry) = serde_json::from_str::<Value>(line) else { return Some(format!("no JSON: {line}")) };
    // The HTTP library logs invalid HTTP as an error, which is visible only at this log level.
    let is_of_library = entry["target"].as_str().is_some_and(|target| target.starts_with("actix_http"));
    // A full store and an untrusted price are legitimate errors for the operator.
    let is_outage = entry["status"] == 503 && (entry["error"] == "store" || entry["error"] == "market");
    let is_known = is_of_library || is_outage || ERRORS.iter().any(|error| entry["message"] == *error);
    let is_strange = entry["level"] == "ERROR" && !is_known;
    let is_mistake = entry["status"] == 500 || entry["error"] == "internal" || line.contains("panic");
    let is_secret = secrets::told_in(line).is_some();
    (is_strange || is_mistake || is_secret).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_log_content_is_a_fault() {
        for line in [
            r#"{"level":"INFO","message":"the key is storm-acme-key-5f21c0"}"#,
            r#"{"level":"INFO","request_id":"a","status":500}"#,
            r#"{"level":"ERROR","message":"anything"}"#,
            "thread 'main' panicked at src/main.rs",
        ] {
            assert_eq!(fault(line).as_deref().map(|fault| fault.contains(line)), Some(true), "{line}");
        }
        assert_eq!(fault(r#"{"level":"INFO","request_id":"a","status":200}"#), None);
    }
}
