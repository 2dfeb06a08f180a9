//! The port that publishes pushed prices, and its adapter for a single instance.

use std::{error::Error, sync::Arc};

use async_trait::async_trait;

use super::PushedPrice;
use crate::PriceListener;

/// A publisher of pushed prices to all instances that quote with them.
#[async_trait]
pub trait PricePublisher: Send + Sync {
    /// Publishes all of `prices`. They are delivered soon after, in this order, and checked against the rules on
    /// delivery.
    ///
    /// # Errors
    /// [`PublishError`] if they are not delivered.
    async fn publish(&self, prices: &[PushedPrice]) -> Result<(), PublishError>;
}

/// Why prices were not published.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PublishError {
    /// The prices could not be shared; or the response was lost, and they may have been.
    #[error("the shared prices are unavailable")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}

/// A publisher without storage: prices are delivered at once, to one listener.
pub struct LocalPublisher {
    listener: Arc<dyn PriceListener>,
}

impl LocalPublisher {
    /// Creates a publisher that delivers to `listener`.
    pub fn new(listener: Arc<dyn PriceListener>) -> Self {
        Self { listener }
    }
}

#[async_trait]
impl PricePublisher for LocalPublisher {
    async fn publish(&self, prices: &[PushedPrice]) -> Result<(), PublishError> {
        let updates: Vec<_> = prices.iter().map(|price| (&price.symbol, Ok(price.observation))).collect();
        self.listener.receive(&updates);
        Ok(())
    }
}
