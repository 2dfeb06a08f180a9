//! Prices pushed by the operator's own backend.

use std::sync::Arc;

use firmquote_desk::PriceDesk;
use firmquote_domain::{Clock, Symbol};
use firmquote_market::{
    PriceListener,
    push::{LocalPublisher, PricePublisher},
};

use crate::redis::SharedPrices;

/// Accepts pushed prices of `symbols` and shares them with other replicas, or, where they are not `shared`, passes them to `listener` directly.
pub(super) fn price_desk(
    symbols: &[Symbol],
    shared: Option<&Arc<SharedPrices>>,
    listener: Arc<dyn PriceListener>,
    clock: Arc<dyn Clock>,
) -> PriceDesk {
    let publisher: Arc<dyn PricePublisher> = match shared {
        Some(shared) => shared.publisher(),
        None => Arc::new(LocalPublisher::new(listener)),
    };
    PriceDesk { symbols: symbols.to_vec(), publisher, clock }
}
