//! Exchanges volatility estimates with other replicas, and with the next start, through the store: a quote is priced
//! with one estimate and signed with another, by any replica.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use firmquote_domain::Clock;
use firmquote_market::MarketWriter;
use firmquote_store::{Store, StoreError};
use tokio::time::sleep;

use crate::supervise::{Outage, in_time};

/// The delay between two exchanges: estimates are sampled once a second.
const INTERVAL: Duration = Duration::from_secs(1);
/// Timeout of an exchange.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Exchanges the estimates of a market.
pub(crate) struct EstimateExchange {
    market: Arc<MarketWriter>,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    outage: Outage<()>,
}

impl EstimateExchange {
    /// Creates the exchange and reads the estimates once, if the store responds: the first quote is priced with them.
    pub(crate) async fn start(market: Arc<MarketWriter>, store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        let exchange = Self { market, store, clock, outage: Outage::new() };
        exchange.report().await;
        exchange
    }

    /// Exchanges estimates until the runtime ends.
    pub(crate) async fn run(self) {
        loop {
            sleep(INTERVAL).await;
            self.report().await;
        }
    }

    /// Exchanges once; logs the start and the end of an outage.
    async fn report(&self) {
        self.outage.record(
            in_time(TIMEOUT, self.exchange()).await,
            |error| tracing::warn!(error, "cannot exchange volatility estimates: replicas may differ in their fees"),
            || tracing::info!("volatility estimates are exchanged again"),
        );
    }

    /// Continues the stored estimates that take precedence, and stores the others.
    async fn exchange(&self) -> Result<(), StoreError> {
        if self.market.estimates().is_empty() {
            return Ok(());
        }
        let stored = self.store.estimates().await?;
        let parsed = stored.iter().filter_map(|(name, text)| Some((name.clone(), text.parse().ok()?))).collect();
        self.market.continue_estimates(&parsed, self.clock.now());
        let own = self.market.estimates().into_iter();
        let own: BTreeMap<_, _> = own.filter_map(|(name, state)| Some((name, state?.to_string()))).collect();
        match own.iter().all(|(name, text)| stored.get(name) == Some(text)) {
            true => Ok(()),
            false => self.store.store_estimates(&own, self.clock.now()).await,
        }
    }
}
