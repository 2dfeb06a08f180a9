//! What learns of the blocks of a chain.

use std::sync::Arc;

use firmquote_domain::Clock;
use firmquote_http::LiveService;
use firmquote_market::MarketWriter;

use crate::{
    breakers::Breakers,
    metrics::SwapOutcomeMetrics,
    records::{BlockTape, Ledger},
};

/// The components that are notified of each block of a pool's chain.
#[derive(Clone)]
pub(crate) struct Observers {
    pub(crate) market: Arc<MarketWriter>,
    pub(crate) live: Arc<LiveService>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) metrics: SwapOutcomeMetrics,
    pub(crate) tape: BlockTape,
    pub(crate) breakers: Arc<Breakers>,
    /// Where signatures are looked up that the book no longer has; `None` if they are not recorded.
    pub(crate) ledger: Option<Arc<Ledger>>,
}
