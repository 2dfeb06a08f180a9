//! The last steps of a storm, for whoever has to replay a failed one.

use std::{
    collections::VecDeque,
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Steps that are kept.
const KEPT: usize = 60;

/// Of each request and answer, in bytes.
const SHOWN: usize = 800;

/// The last steps of all clients, and whether any of them has failed.
#[derive(Debug, Default)]
pub(super) struct Trail {
    steps: Mutex<VecDeque<String>>,
    has_failed: AtomicBool,
}

impl Trail {
    /// A step is about to be taken.
    pub(super) fn note(&self, who: &str, bytes: &[u8]) {
        let shown = bytes.get(..SHOWN).unwrap_or(bytes);
        self.say(format!("{who} > {}", shown.escape_ascii()));
    }

    /// What came of it.
    pub(super) fn note_answer(&self, who: &str, status: u16, text: &str) {
        self.say(format!("{who} < {status} {}", text.chars().take(SHOWN).collect::<String>()));
    }

    /// What the operator does.
    pub(super) fn say(&self, line: String) {
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        steps.push_back(line);
        if steps.len() > KEPT {
            steps.pop_front();
        }
    }

    /// Whether a client has failed: then nobody goes on, and the trail ends with what it did.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::SeqCst)
    }

    /// Something that tells the others if its thread panics.
    pub(super) const fn guard(&self) -> Guard<'_> {
        Guard(self)
    }
}

impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}

/// Of one thread.
pub(super) struct Guard<'t>(&'t Trail);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.has_failed.store(true, Ordering::SeqCst);
        }
    }
}
