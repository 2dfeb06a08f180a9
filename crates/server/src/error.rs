//! Reasons a server cannot be built, reloaded or run.

use std::{error::Error as StdError, io};

use firmquote_config::{ConfigError, UnusableTlsFile, credentials_file::InvalidCredentialsFile};
use firmquote_http::{InvalidCredential, MetricsError, RandomnessUnavailable};
use tokio::task::JoinError;

/// An error of the server; one variant per remedy: correct the configuration, correct a resource that it names, or
/// restart.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The configuration, or one of its files, is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A credential is invalid or occurs twice.
    #[error(transparent)]
    Credentials(#[from] InvalidCredential),
    /// The credentials file cannot be edited.
    #[error(transparent)]
    CredentialsFile(#[from] InvalidCredentialsFile),
    /// The certificate or the key of the public listeners cannot be used.
    #[error(transparent)]
    Tls(#[from] UnusableTlsFile),
    /// A resource that the configuration names cannot be opened, or returns an unexpected result.
    #[error("{context}")]
    Unusable {
        /// The configuration key, or the pool, signer or endpoint.
        context: String,
        /// The cause.
        #[source]
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The configuration uses a part of the server that was not compiled in.
    #[error("{section} needs the feature {feature:?}, which this program was built without")]
    NotCompiled {
        /// The section or key of the configuration.
        section: &'static str,
        /// The Cargo feature of this crate.
        feature: &'static str,
    },
    /// The host provides a part that the configuration does not have, or another one.
    #[error("{0}")]
    HostPart(String),
    /// A pool on its chain does not match its configuration.
    #[error("{0}")]
    PoolMismatch(String),
    /// A changed configuration cannot take effect while the server runs.
    #[error("{0}")]
    NotReloadable(String),
    /// The system's source of randomness is unavailable.
    #[error(transparent)]
    Randomness(#[from] RandomnessUnavailable),
    /// A metric is registered twice; a bug.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    /// The sandbox cannot be created.
    #[cfg(feature = "sandbox")]
    #[error("cannot create the sandbox")]
    Sandbox(#[from] firmquote_sandbox::SandboxError),
    /// A listener failed.
    #[error("a listener failed")]
    Listener(#[source] io::Error),
    /// A background task ended that must run until shutdown.
    #[error("a background task ended: {0}")]
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

/// Adds a context to an error.
pub(crate) trait Context<T> {
    /// Wraps the error as the source of an [`Error::Unusable`] with this `context`.
    fn context(self, context: impl Into<String>) -> Result<T, Error>
    where
        Self: Sized,
    {
        self.with_context(|| context.into())
    }

    /// Like [`Self::context`], with a context that is built only when there is an error.
    fn with_context(self, context: impl FnOnce() -> String) -> Result<T, Error>;
}

impl<T, E: Into<Box<dyn StdError + Send + Sync>>> Context<T> for Result<T, E> {
    fn with_context(self, context: impl FnOnce() -> String) -> Result<T, Error> {
        self.map_err(|error| Error::Unusable { context: context(), source: error.into() })
    }
}
