//! Posting prices for all replicas.

use std::sync::Arc;

use async_trait::async_trait;
use firmquote_market::push::{BoardError, PriceBoard, PushedPrice, written};
use firmquote_store::redis::Board;

/// A price board in Redis: an entry of each asset, and all prices of a request in one message.
pub(crate) struct SharedBoard(pub(crate) Arc<Board>);

#[async_trait]
impl PriceBoard for SharedBoard {
    async fn post(&self, prices: &[PushedPrice]) -> Result<(), BoardError> {
        let unavailable = |error: Box<dyn std::error::Error + Send + Sync>| BoardError::Unavailable(error);
        let items = prices.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        let items = items.map_err(|error| unavailable(error.into()))?;
        let symbols = prices.iter().map(|price| price.symbol.as_str());
        let entries: Vec<_> = symbols.zip(items.iter().map(String::as_str)).collect();
        self.0.post(&entries, &written(prices)).await.map_err(|error| unavailable(error.into()))
    }
}
