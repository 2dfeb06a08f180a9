//! The port to where pushed prices are posted, and the board of a service that runs alone.

use std::{error::Error, sync::Arc};

use async_trait::async_trait;

use super::PushedPrice;
use crate::PriceListener;

/// Where pushed prices are posted for all who quote on them.
#[async_trait]
pub trait PriceBoard: Send + Sync {
    /// Posts all of `prices`. They are heard soon after, in this order, and held against the rules only then.
    ///
    /// # Errors
    /// [`BoardError`] when nobody hears them.
    async fn post(&self, prices: &[PushedPrice]) -> Result<(), BoardError>;
}

/// Why prices were not posted.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// The board could not be asked, and knows nothing of the prices; or its answer did not arrive, and it may.
    #[error("the price board could not be asked")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}

/// A board without a memory: what is posted is heard at once, by one listener.
pub struct DirectBoard {
    listener: Arc<dyn PriceListener>,
}

impl DirectBoard {
    /// A board that `listener` hears.
    pub fn new(listener: Arc<dyn PriceListener>) -> Self {
        Self { listener }
    }
}

#[async_trait]
impl PriceBoard for DirectBoard {
    async fn post(&self, prices: &[PushedPrice]) -> Result<(), BoardError> {
        for PushedPrice { symbol, observation } in prices {
            self.listener.receive(symbol, Ok(*observation));
        }
        Ok(())
    }
}
