//! The port to whoever tells prices, and the adapters behind it.

#[cfg(feature = "chain")]
pub mod chainlink;
#[cfg(feature = "exchange")]
pub mod exchange;
#[cfg(feature = "push")]
pub mod push;
#[cfg(feature = "pyth")]
pub mod pyth;
#[cfg(any(feature = "chain", feature = "exchange", feature = "pyth"))]
pub(crate) mod web;
#[cfg(feature = "exchange")]
pub(crate) mod web_socket;

use async_trait::async_trait;
use firmquote_domain::{InvalidValue, Symbol};

use crate::Observation;

/// Whoever wants to know prices. Takes what is said as it comes and returns at once; never waits.
pub trait PriceListener: Send + Sync {
    /// Takes what a source says of `symbol`: an observation, or that what it says is no price.
    fn receive(&self, symbol: &Symbol, update: Result<Observation, InvalidValue>);
}

/// Tells prices of some assets for as long as it can.
#[async_trait]
pub trait PriceSource: Send + Sync {
    /// What the source is, for people: its kind and where it is, without credentials.
    fn name(&self) -> &str;

    /// Tells `listener` prices until it cannot go on; whoever runs it starts it again after a pause. Dropping the
    /// future ends it.
    async fn run(&self, listener: &dyn PriceListener) -> SourceError;
}

/// Why a source cannot go on; a variant per reaction.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It could not be reached, went silent, or closed the connection: to be started again after a short pause.
    #[error("{0}")]
    Gone(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It asks to be left alone for a while (HTTP 429).
    #[error("asks to be left alone for {seconds} s")]
    Busy {
        /// How long, in seconds.
        seconds: u64,
    },
    /// It answers what its protocol does not know, or refuses what it is asked: to be started again after a long pause.
    #[error("answers against its protocol: {reason}")]
    Protocol {
        /// What is wrong, shortened.
        reason: String,
    },
}
