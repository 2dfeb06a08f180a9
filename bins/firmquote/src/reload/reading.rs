//! Why the configuration is read again, and with which keys.

use super::prepared::Keys;

/// Why the configuration is read again, and with which keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) keys: Keys,
    /// Why, as the log says it.
    pub(super) because: &'static str,
}

/// What the log says of an operator's signal.
pub(super) const SIGNAL: &str = "SIGHUP";

impl Reading {
    /// A file has changed.
    pub(super) const CHANGED: Self = Self { keys: Keys::Kept, because: "a file changed" };
    /// An operator asks for it.
    pub(super) const ASKED: Self = Self { keys: Keys::Anew, because: SIGNAL };

    /// The same once more.
    pub(super) const fn again(self) -> Self {
        Self { because: "it was refused before", ..self }
    }

    /// This one and a later one in one go.
    pub(super) fn and(self, later: Self) -> Self {
        if later.keys > self.keys { later } else { Self { because: later.because, ..self } }
    }
}
