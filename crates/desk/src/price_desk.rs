//! The use case of an operator's own pricing backend: it sends prices, which are posted for all replicas.

use std::sync::Arc;

use firmquote_domain::{Clock, Price, Symbol, Timestamp};
use firmquote_market::{
    Observation, PriceListener, PriceUpdate,
    push::{InvalidPrices, LocalPublisher, PricePublisher, PushedPrice, read_list},
};

use crate::{DeskError, UnsupportedInput};

/// Accepts prices sent by the operator. Whether they are trusted is decided on receipt, by the rules of each asset.
pub struct PriceDesk {
    /// The assets whose prices are accepted.
    pub symbols: Vec<Symbol>,
    /// Where prices are posted.
    pub publisher: Arc<dyn PricePublisher>,
    /// Supplies the time of prices that have none.
    pub clock: Arc<dyn Clock>,
}

/// Why no price was accepted.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The input is not a valid list of prices.
    #[error(transparent)]
    Invalid(#[from] InvalidPrices),
    /// The desk does not accept the prices: [`DeskError::Unsupported`] for an asset that is not one of its own,
    /// [`DeskError::Publish`] if they could not be posted.
    #[error(transparent)]
    Desk(#[from] DeskError),
}

impl PriceDesk {
    /// Creates a desk that accepts no prices.
    pub fn disabled(clock: Arc<dyn Clock>) -> Self {
        Self { symbols: Vec::new(), publisher: Arc::new(LocalPublisher::new(Arc::new(DiscardingListener))), clock }
    }

    /// Posts all prices of a JSON list (see [`read_list`]), or none. Returns the number of prices.
    ///
    /// # Errors
    /// [`PostError`] if no price was posted. After [`DeskError::Publish`] the prices may have been received
    /// nevertheless; sending them again is harmless.
    pub async fn post(&self, list: &[u8]) -> Result<usize, PostError> {
        let prices = read_list(list, self.clock.now())?;
        self.publish(&prices).await?;
        Ok(prices.len())
    }

    /// Posts prices observed now, all or none of them.
    ///
    /// # Errors
    /// Those of [`Self::post`] but for malformed lists.
    pub async fn publish_now(&self, prices: &[(Symbol, Price)]) -> Result<(), DeskError> {
        // Prices that are posted have times of whole milliseconds.
        let now = Timestamp::from_micros(self.clock.now().as_micros() / 1_000 * 1_000);
        let pushed = |(symbol, price): &(Symbol, Price)| PushedPrice {
            symbol: symbol.clone(),
            observation: Observation { price: *price, confidence_steps: 0, observed_at: now },
            has_time: false,
        };
        self.publish(&prices.iter().map(pushed).collect::<Vec<_>>()).await
    }

    async fn publish(&self, prices: &[PushedPrice]) -> Result<(), DeskError> {
        if let Some(foreign) = prices.iter().find(|price| !self.symbols.contains(&price.symbol)) {
            return Err(DeskError::Unsupported { input: UnsupportedInput::Asset, value: foreign.symbol.to_string() });
        }
        self.publisher.publish(prices).await.map_err(DeskError::Publish)
    }
}

/// A listener that discards all prices.
struct DiscardingListener;

impl PriceListener for DiscardingListener {
    fn receive(&self, _: &[PriceUpdate<'_>]) {}
}
