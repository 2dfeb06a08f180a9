//! Reasons a server cannot be built, reloaded or run.

use std::{error::Error as StdError, io};

use firmquote_config::{ConfigError, UnusableTlsFile};
use firmquote_http::{InvalidCredential, MetricsError, RandomnessUnavailable};
use tokio::task::JoinError;

/// One variant per reaction: correct the configuration, correct what it names, or restart.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The configuration, or a file that belongs to it.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A credential that occurs twice, or is invalid.
    #[error(transparent)]
    Credentials(#[from] InvalidCredential),
    /// The certificate or the key of the public listeners.
    #[error(transparent)]
    Tls(#[from] UnusableTlsFile),
    /// Something that the configuration names cannot be opened, or answers what it should not.
    #[error("{context}")]
    Unusable {
        /// The configuration key, or the pool, signer or endpoint.
        context: String,
        /// The cause.
        #[source]
        source: Box<dyn StdError + Send + Sync>,
    },
    /// A pool is not on its chain as it is configured.
    #[error("{0}")]
    PoolMismatch(String),
    /// A changed configuration cannot come into force while the server runs.
    #[error("{0}")]
    NotReloadable(String),
    /// The system has no randomness to give.
    #[error(transparent)]
    Randomness(#[from] RandomnessUnavailable),
    /// A metric is registered twice; a mistake in this program.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    /// A listener failed.
    #[error("a listener failed")]
    Listener(#[source] io::Error),
    /// A task that never ends did.
    #[error("a task of the service ended: {0}")]
    TaskEnded(String),
    /// A task was cancelled or panicked.
    #[error(transparent)]
    Task(#[from] JoinError),
}

impl From<prometheus::Error> for Error {
    fn from(error: prometheus::Error) -> Self {
        Self::Metrics(error.into())
    }
}

/// Says what an error is about.
pub(crate) trait Context<T> {
    /// The error as the source of one about `context`.
    fn context(self, context: impl Into<String>) -> Result<T, Error>
    where
        Self: Sized,
    {
        self.with_context(|| context.into())
    }

    /// The same, with a text that is made when it is needed.
    fn with_context(self, context: impl FnOnce() -> String) -> Result<T, Error>;
}

impl<T, E: Into<Box<dyn StdError + Send + Sync>>> Context<T> for Result<T, E> {
    fn with_context(self, context: impl FnOnce() -> String) -> Result<T, Error> {
        self.map_err(|error| Error::Unusable { context: context(), source: error.into() })
    }
}
