//! The log of the server, line by line as it is said: no secret, no panic, no mistake of its own, one line a request.

use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
};

use serde_json::Value;

use super::secrets;

/// What the names of a storm's requests begin with.
pub(super) const NAMED: &str = "storm-";

/// Said of a configuration that is in force, and why it was read.
const IN_FORCE: &str = "the configuration read again: is in force";

/// Said of one that is refused, and why it was read. What becomes of the credentials is said before, once it is so.
const REFUSED: &str = "the configuration refused: what was in force stays, and it is tried again";

/// What an error in the log may be about: files that are refused.
const ERRORS: [&str; 2] = [REFUSED, "the credentials refused: what was in force stays, and it is tried again"];

/// What came of a reload: nothing, or the line that says why it was refused.
pub(super) type Reload = Result<(), String>;

/// What was heard.
pub(super) struct Log {
    heard: Mutex<Heard>,
    reloads: Mutex<Sender<Reload>>,
}

#[derive(Default)]
struct Heard {
    /// How many lines there are about each request, by its name.
    lines: HashMap<String, u32>,
    faults: Vec<String>,
    is_whole: bool,
}

impl Log {
    /// An empty one, and what tells of each reload at the operator's signal whether the configuration is in force.
    pub(super) fn new() -> (Self, Receiver<Reload>) {
        let (sender, reloads) = channel();
        (Self { heard: Mutex::default(), reloads: Mutex::new(sender) }, reloads)
    }

    /// Takes a line. It never panics, so that the next ones are heard too.
    pub(super) fn receive(&self, line: &str) {
        let fault = fault(line);
        let told: Value = serde_json::from_str(line).unwrap_or_default();
        let mut heard = self.lock();
        heard.faults.extend(fault);
        if let Some(id) = told["request_id"].as_str().filter(|id| id.starts_with(NAMED)) {
            *heard.lines.entry(id.to_owned()).or_default() += 1;
        }
        heard.is_whole |= told["message"] == "stopped";
        let is_asked_for = told["because"] == "SIGHUP";
        drop(heard);
        let reload = match told["message"].as_str() {
            Some(IN_FORCE) if is_asked_for => Some(Ok(())),
            Some(REFUSED) if is_asked_for => Some(Err(line.to_owned())),
            _ => None,
        };
        if let Some(reload) = reload {
            let reloads = self.reloads.lock().unwrap_or_else(PoisonError::into_inner);
            // Nobody waits for it when the storm has ended.
            reloads.send(reload).unwrap_or_default();
        }
    }

    /// What must not stand in it, until now.
    pub(super) fn faults(&self) -> Vec<String> {
        self.lock().faults.clone()
    }

    /// How many lines there are about a request.
    pub(super) fn lines_about(&self, id: &str) -> u32 {
        self.lock().lines.get(id).copied().unwrap_or_default()
    }

    /// The most lines that there are about any request.
    pub(super) fn most_lines(&self) -> u32 {
        self.lock().lines.values().copied().max().unwrap_or_default()
    }

    /// Whether the server has said its last line.
    pub(super) fn is_whole(&self) -> bool {
        self.lock().is_whole
    }

    /// Nobody panics holding it.
    fn lock(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is wrong with a line.
fn fault(line: &str) -> Option<String> {
    let Ok(told) = serde_json::from_str::<Value>(line) else { return Some(format!("no JSON: {line}")) };
    // What is no HTTP is an error to the HTTP library, which is heard at this level of the log only.
    let is_of_library = told["target"].as_str().is_some_and(|target| target.starts_with("actix_http"));
    // A store that is full and a price that is not trusted are the operator's to look at.
    let is_outage = told["status"] == 503 && (told["error"] == "store" || told["error"] == "market");
    let is_known = is_of_library || is_outage || ERRORS.iter().any(|error| told["message"] == *error);
    let is_strange = told["level"] == "ERROR" && !is_known;
    let is_mistake = told["status"] == 500 || told["error"] == "internal" || line.contains("panic");
    let is_secret = secrets::told_in(line).is_some();
    (is_strange || is_mistake || is_secret).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_not_be_logged_is_a_fault() {
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
