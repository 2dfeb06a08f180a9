//! The use case of the operator's own pricing backend: it sends prices, and they are posted for all replicas.

use std::sync::Arc;

use firmquote_domain::{Clock, InvalidValue, Symbol};
use firmquote_market::{
    Observation, PriceListener,
    push::{DirectBoard, InvalidPrices, PriceBoard, read_list},
};

use crate::DeskError;

/// Takes prices that the operator sends. Whether they are trusted is decided when they are heard, by the rules of each
/// asset.
pub struct PriceDesk {
    /// The assets whose prices are taken.
    pub symbols: Vec<Symbol>,
    /// Where they are posted.
    pub board: Arc<dyn PriceBoard>,
    /// The time of prices that tell none.
    pub clock: Arc<dyn Clock>,
}

/// Why no price was taken.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// What was sent is no list of prices.
    #[error(transparent)]
    Invalid(#[from] InvalidPrices),
    /// The desk does not take them: [`DeskError::Unsupported`] for an asset that is not one of its own,
    /// [`DeskError::Board`] when they could not be posted.
    #[error(transparent)]
    Desk(#[from] DeskError),
}

impl PriceDesk {
    /// A desk that takes no prices, of whichever asset.
    pub fn closed(clock: Arc<dyn Clock>) -> Self {
        Self { symbols: Vec::new(), board: Arc::new(DirectBoard::new(Arc::new(DiscardingListener))), clock }
    }

    /// Posts all prices of a list in JSON (see [`read_list`]), or none, and returns how many.
    ///
    /// # Errors
    /// [`PostError`] when none was posted. After [`DeskError::Board`] they may be heard nevertheless: sending them again
    /// does no harm.
    pub async fn post(&self, list: &[u8]) -> Result<usize, PostError> {
        let prices = read_list(list, self.clock.now())?;
        if let Some(foreign) = prices.iter().find(|price| !self.symbols.contains(&price.symbol)) {
            return Err(DeskError::Unsupported { field: "symbol", value: foreign.symbol.to_string() }.into());
        }
        self.board.post(&prices).await.map_err(DeskError::Board)?;
        Ok(prices.len())
    }
}

/// Hears nothing.
struct DiscardingListener;

impl PriceListener for DiscardingListener {
    fn receive(&self, _: &Symbol, _: Result<Observation, InvalidValue>) {}
}
