//! What a test may want of a Redis server.

use std::time::Duration;

/// How a server is started. The default one is open, in plain TCP, and forgets everything when it ends.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether it keeps its data in an append-only file that is flushed before each answer (`appendfsync always`), so that
    /// a killed process loses nothing that it answered.
    pub append_only: bool,
    /// Flushes that file once a second in the background (`appendfsync everysec`), and by this much more slowly, as a busy
    /// disk does: a killed process loses what it answered meanwhile. Needs a C compiler.
    pub slow_fsync: Option<Duration>,
    /// Who may use it.
    pub access: Access,
    /// Whether its port speaks TLS, and nothing else. A client has to show its certificate, unless a directive sets
    /// `tls-auth-clients` to `no` or `optional`. Only for a [`Server`](super::Server) alone.
    pub has_tls: bool,
    /// Whether it listens on a Unix socket as well, which its URL then names. Only for a
    /// [`Server`](super::Server) alone.
    pub has_unix_socket: bool,
    /// Further directives and their values, as `redis.conf` has them; they come last, so they win.
    pub directives: Vec<(String, String)>,
}

impl Options {
    /// The same with one more directive, such as `maxmemory-policy` and `noeviction`.
    #[must_use]
    pub fn with(mut self, directive: &str, value: &str) -> Self {
        self.directives.push((directive.to_owned(), value.to_owned()));
        self
    }
}

/// Who may use a server.
#[derive(Clone, Debug, Default)]
pub enum Access {
    /// Everybody.
    #[default]
    Open,
    /// Who knows this password of the default user.
    Password(String),
    /// This user alone, who may do everything; the default user is off.
    User {
        /// Letters and digits, without spaces.
        name: String,
        /// Anything but a line break.
        password: String,
    },
}

impl Access {
    /// The password that clients have to know.
    pub(crate) fn password(&self) -> Option<&str> {
        match self {
            Self::Open => None,
            Self::Password(password) | Self::User { password, .. } => Some(password),
        }
    }

    /// The user that clients have to name.
    pub(crate) fn user(&self) -> Option<&str> {
        match self {
            Self::User { name, .. } => Some(name),
            Self::Open | Self::Password(_) => None,
        }
    }
}
