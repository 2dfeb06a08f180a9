//! The desk: pools with their keys, the market, the store and the clock, put together.

use std::sync::Arc;

use firmquote_domain::Clock;
use firmquote_market::Market;
use firmquote_signer::PoolSigner;
use firmquote_store::QuoteStore;

use crate::DeskError;

/// Quotes, signs, and shows pools. Shared by all requests; nothing in it is locked.
pub struct Desk {
    /// The pools it quotes for, each with its key. The first of a chain is the chain's default pool.
    pub pools: Vec<PoolSigner>,
    /// Prices and reserves.
    pub market: Arc<Market>,
    /// Where quotes are kept.
    pub store: Arc<dyn QuoteStore>,
    /// The time of day.
    pub clock: Arc<dyn Clock>,
}

impl Desk {
    /// Whether the desk could serve a request now.
    ///
    /// # Errors
    /// [`DeskError::Store`] when the store does not answer, [`DeskError::Market`] when nothing is known of a pool.
    pub async fn is_ready(&self) -> Result<(), DeskError> {
        let snapshot = self.market.snapshot();
        for pool in self.pools.iter().map(|pool| pool.pool().spec().id) {
            snapshot.pool(pool).ok_or(DeskError::Market(pool))?;
        }
        drop(snapshot);
        self.store.ping().await.map_err(DeskError::Store)
    }
}
