//! Options of a Redis server.

use std::time::Duration;

/// Start options of a server. By default it uses plain TCP without authentication and has no persistence.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether data is persisted in an append-only file that is synced before each reply (`appendfsync always`), so
    /// that a killed process loses no acknowledged write.
    pub append_only: bool,
    /// Syncs that file once per second in the background instead (`appendfsync everysec`), and delays each fsync by
    /// this much, like a busy disk: a killed process loses the writes acknowledged in between. Needs a C compiler.
    pub slow_fsync: Option<Duration>,
    /// Authentication.
    pub access: Access,
    /// Whether the port accepts TLS only. Clients must present their certificate, unless a directive sets
    /// `tls-auth-clients` to `no` or `optional`. Supported only by a standalone [`Server`](super::Server).
    pub has_tls: bool,
    /// Whether the server also listens on a Unix socket, which its URL then refers to. Supported only by a standalone
    /// [`Server`](super::Server).
    pub has_unix_socket: bool,
    /// Additional directives and their values in `redis.conf` syntax. They come last, so they take precedence.
    pub directives: Vec<(String, String)>,
}

impl Options {
    /// Adds a directive, such as `maxmemory-policy` with `noeviction`.
    #[must_use]
    pub fn with(mut self, directive: &str, value: &str) -> Self {
        self.directives.push((directive.to_owned(), value.to_owned()));
        self
    }
}

/// Authentication of clients.
#[derive(Clone, Debug, Default)]
pub enum Access {
    /// No authentication.
    #[default]
    Open,
    /// The default user with this password.
    Password(String),
    /// This user only, with all permissions; the default user is disabled.
    User {
        /// Letters and digits, without spaces.
        name: String,
        /// Anything but a line break.
        password: String,
    },
}

impl Access {
    /// Returns the password that clients must use.
    pub(crate) fn password(&self) -> Option<&str> {
        match self {
            Self::Open => None,
            Self::Password(password) | Self::User { password, .. } => Some(password),
        }
    }

    /// Returns the username that clients must use.
    pub(crate) fn user(&self) -> Option<&str> {
        match self {
            Self::User { name, .. } => Some(name),
            Self::Open | Self::Password(_) => None,
        }
    }
}
