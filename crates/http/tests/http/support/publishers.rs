//! Publishers of prices: one that records posts, and one that is unavailable.

use std::sync::Mutex;

use async_trait::async_trait;
use firmquote_market::push::{PricePublisher, PublishError, PushedPrice};

/// A publisher that records the posted prices.
#[derive(Default)]
pub(crate) struct RecordingPublisher(pub(crate) Mutex<Vec<PushedPrice>>);

#[async_trait]
impl PricePublisher for RecordingPublisher {
    async fn publish(&self, prices: &[PushedPrice]) -> Result<(), PublishError> {
        self.0.lock().unwrap().extend_from_slice(prices);
        Ok(())
    }
}

/// A store that is unavailable.
pub(crate) struct BrokenPublisher;

#[async_trait]
impl PricePublisher for BrokenPublisher {
    async fn publish(&self, _: &[PushedPrice]) -> Result<(), PublishError> {
        Err(PublishError::Unavailable("redis://user:hunter2@10.0.0.7 is on fire".into()))
    }
}
