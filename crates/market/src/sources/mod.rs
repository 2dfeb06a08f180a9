//! The port for price sources, and its adapters.

#[cfg(feature = "chain")]
pub mod chainlink;
#[cfg(any(feature = "exchange", feature = "pyth"))]
mod connection;
#[cfg(feature = "exchange")]
pub mod exchange;
#[cfg(any(feature = "exchange", feature = "pyth"))]
mod feed_timers;
#[cfg(feature = "push")]
pub mod push;
#[cfg(feature = "pyth")]
pub mod pyth;
#[cfg(feature = "exchange")]
mod web_socket;

use std::sync::Arc;

use async_trait::async_trait;
#[cfg(any(feature = "exchange", feature = "pyth"))]
use firmquote_domain::Clock;
use firmquote_domain::{InvalidValue, Symbol};

#[cfg(any(feature = "exchange", feature = "pyth"))]
use crate::InvalidConfig;
use crate::Observation;

/// The maximum length of a server's text in an error, in characters.
#[cfg(any(feature = "exchange", feature = "pyth"))]
const MAX_TEXT_CHARACTERS: usize = 200;

/// An update of the price of an asset: an observation, or why the value of the source is not a price.
pub type PriceUpdate<'a> = (&'a Symbol, Result<Observation, InvalidValue>);

/// A consumer of price updates. Returns at once; never blocks.
pub trait PriceListener: Send + Sync {
    /// Receives the updates, if any, that arrived together. They take effect together: nothing is quoted with some of
    /// them alone.
    fn receive(&self, updates: &[PriceUpdate<'_>]);

    /// Receives a fault that affects one feed, or one message, of a source that goes on: `feed` is the source's name of
    /// the feed, if the fault names one. May be called often for the same fault; ignored by default.
    fn report(&self, _feed: Option<&str>, _fault: &str) {}
}

/// A source of the prices of some assets.
#[async_trait]
pub trait PriceSource: Send + Sync {
    /// Returns the display name of the source: its kind and location, without credentials.
    fn name(&self) -> &str;

    /// Publishes prices to `listener` until the source fails; the caller restarts it after a delay. Dropping the future
    /// stops it.
    async fn run(&self, listener: &dyn PriceListener) -> SourceError;
}

#[async_trait]
impl<S: PriceSource + ?Sized> PriceSource for Arc<S> {
    fn name(&self) -> &str {
        (**self).name()
    }

    async fn run(&self, listener: &dyn PriceListener) -> SourceError {
        (**self).run(listener).await
    }
}

/// The settings of a source that needs a clock and nothing else to be created.
#[cfg(any(feature = "exchange", feature = "pyth"))]
pub trait PriceSourceSettings: Send + Sync {
    /// Returns the assets that the source prices, in the order of their settings.
    fn symbols(&self) -> Vec<&Symbol>;

    /// Creates the source without connecting. `clock` provides the time of prices that carry none.
    ///
    /// # Errors
    /// [`InvalidConfig`] for unusable settings, and for TLS without a certificate authority to trust.
    fn create(&self, clock: &Arc<dyn Clock>) -> Result<Box<dyn PriceSource>, InvalidConfig>;
}

/// Why a source stopped; one variant per reaction.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The source could not be reached, went silent, or closed the connection: to be restarted after a short delay.
    #[error("{0}")]
    Disconnected(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The source rate limits us (HTTP 429).
    #[error("rate limited for {seconds} s")]
    RateLimited {
        /// The time to wait, in seconds.
        seconds: u64,
    },
    /// The source violated its protocol or refused the request: to be restarted after a long delay.
    #[error("protocol error: {reason}")]
    Protocol {
        /// What is wrong, shortened.
        reason: String,
    },
}

#[cfg(any(feature = "exchange", feature = "pyth"))]
impl SourceError {
    /// Creates a [`Self::Disconnected`].
    pub(crate) fn disconnected(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Disconnected(cause.into())
    }

    /// Creates a [`Self::Protocol`] whose reason, which may contain a server's text, is shortened.
    pub(crate) fn protocol(reason: &str) -> Self {
        Self::Protocol { reason: excerpt(reason) }
    }
}

/// Strips control characters from a server's text and truncates it, so that it fits into a log.
#[cfg(any(feature = "exchange", feature = "pyth"))]
fn excerpt(text: &str) -> String {
    firmquote_outbound::excerpt(text, MAX_TEXT_CHARACTERS)
}

/// Returns the first symbol that occurs a second time.
#[cfg(any(feature = "chain", feature = "exchange", feature = "pyth"))]
pub(crate) fn first_duplicate<'s>(symbols: impl IntoIterator<Item = &'s Symbol>) -> Option<&'s Symbol> {
    let mut unique = std::collections::HashSet::new();
    symbols.into_iter().find(|symbol| !unique.insert(*symbol))
}
