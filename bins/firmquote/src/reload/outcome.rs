//! What became of something that was read again, told once.

use super::reading::SIGNAL;

/// What became of something that was read again, the last time.
pub(super) struct Outcome {
    what: &'static str,
    done: &'static str,
    /// Why it was refused.
    refused: Option<String>,
}

impl Outcome {
    /// That of `what`, which is in force; `done` is what is said once it was read again.
    pub(super) const fn new(what: &'static str, done: &'static str) -> Self {
        Self { what, done, refused: None }
    }

    /// Whether what is written is not in force.
    pub(super) const fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// Writes it into the log, unless it was refused for the same reason before and nobody asked. Says whether it was
    /// written.
    pub(super) fn tell(&mut self, because: &'static str, outcome: anyhow::Result<()>) -> bool {
        let Self { what, done, .. } = self;
        match outcome {
            Ok(()) => {
                self.refused = None;
                tracing::info!(because, "{what} read again: {done}");
                true
            }
            Err(error) => {
                let error = format!("{error:#}");
                if self.refused.as_ref() == Some(&error) && because != SIGNAL {
                    return false;
                }
                tracing::error!(because, error, "{what} refused: what was in force stays, and it is tried again");
                self.refused = Some(error);
                true
            }
        }
    }
}
