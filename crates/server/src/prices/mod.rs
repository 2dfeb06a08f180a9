//! Keeps live prices up to date: opens and supervises the sources, and refreshes the market between their updates.

mod config_prices;
mod estimates;
mod feed_faults;
mod price_outages;
mod push;
mod sources;

use std::{sync::Arc, time::Duration};

use firmquote_config::{Config, PriceSourceConfig, SourceText};
use firmquote_desk::{OperatorView, PriceDesk};
use firmquote_domain::Clock;
use firmquote_market::{Market, MarketWriter};
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};

use self::{
    price_outages::PriceOutages,
    sources::{NewSources, NextSources, OpenSource},
};
use crate::{
    Error,
    chain::Chains,
    host::HostParts,
    metrics::{MarketMetrics, PairNames},
    redis::SharedPrices,
};
pub(crate) use estimates::EstimateExchange;

/// How often the market is refreshed without an update: another source may have to take over.
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);

/// How many refreshes pass between two looks for assets without a price: a second.
const REFRESHES_PER_LOOK: u64 = 10;

/// The market and the price sources that keep it up to date until they are dropped.
pub(crate) struct PriceFeeds {
    writer: Arc<MarketWriter>,
    clock: Arc<dyn Clock>,
    /// Where pushed prices are posted; `None` if this process alone receives them.
    pushed_prices: Option<Arc<SharedPrices>>,
    sources: Vec<OpenSource>,
    /// Accepts pushed prices.
    desk: Arc<PriceDesk>,
    /// The task that refreshes the market.
    refresh: JoinSet<()>,
}

/// The sources that a configuration adds to the open ones.
pub(crate) struct NewFeeds {
    pushed_prices: Option<Arc<SharedPrices>>,
    sources: NewSources,
}

impl NewFeeds {
    /// Creates the sources of `config` that are not among the `open` ones. Pushed prices are shared through `pushed_prices`, or
    /// through a new one if there is none and replicas share the store.
    ///
    /// # Errors
    /// For a source that cannot be created: its address, its names, its certificates.
    pub(crate) async fn create(
        config: &Config,
        open: &[SourceText],
        chains: &Chains,
        pushed_prices: Option<Arc<SharedPrices>>,
        host: &HostParts,
        clock: &Arc<dyn Clock>,
    ) -> Result<Self, Error> {
        let pushed_prices = match pushed_prices {
            Some(pushed_prices) => Some(pushed_prices),
            None => SharedPrices::connect(config).await?,
        };
        let sources = sources::create(config, open, chains, pushed_prices.as_ref(), host, clock)?;
        Ok(Self { pushed_prices, sources })
    }
}

impl PriceFeeds {
    /// Creates a market without prices.
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            writer: Arc::new(MarketWriter::new(Arc::default(), Vec::new(), Vec::new(), clock.now())),
            pushed_prices: None,
            sources: Vec::new(),
            desk: Arc::new(PriceDesk::disabled(Arc::clone(&clock))),
            refresh: JoinSet::new(),
            clock,
        }
    }

    /// Replaces prices and pools with those of `config`, and the market that is written with `market`. The sources that
    /// are not in `config` end, and the `new` ones start.
    pub(crate) fn replace(&mut self, config: &Config, new: NewFeeds, market: &Arc<Market>) {
        let Self { writer, clock, .. } = self;
        self.pushed_prices = new.pushed_prices;
        let next = NextSources::new(config, std::mem::take(&mut self.sources), new.sources, writer, clock);
        self.sources = next.take_effect(|prices| {
            writer.replace(Arc::clone(market), prices, config_prices::pools(config), clock.now());
        });
        let mut pushed = config.prices.sources.iter().zip(&self.sources);
        let pushed = pushed.find_map(|(source, open)| match source {
            PriceSourceConfig::Push(symbols) => Some((symbols, Arc::new(open.listener.clone()))),
            _ => None,
        });
        self.desk = Arc::new(match pushed {
            Some((symbols, listener)) => {
                push::price_desk(symbols, self.pushed_prices.as_ref(), listener, Arc::clone(&self.clock))
            }
            None => PriceDesk::disabled(Arc::clone(&self.clock)),
        });
        if self.refresh.is_empty() && !self.sources.is_empty() {
            self.refresh.spawn(refresh(Arc::clone(&self.writer), Arc::clone(&self.clock)));
        }
    }

    /// Returns the tables of the open sources.
    pub(crate) fn texts(&self) -> Vec<SourceText> {
        self.sources.iter().map(|source| source.text().clone()).collect()
    }

    /// Returns where pushed prices are posted.
    pub(crate) fn pushed_prices(&self) -> Option<Arc<SharedPrices>> {
        self.pushed_prices.clone()
    }

    /// Returns the desk that accepts pushed prices.
    pub(crate) const fn desk(&self) -> &Arc<PriceDesk> {
        &self.desk
    }

    /// Returns the writer of the market.
    pub(crate) const fn writer(&self) -> &Arc<MarketWriter> {
        &self.writer
    }

    /// Returns why sources of `symbol` ended that have not delivered since.
    pub(crate) fn failures(&self, symbol: &str) -> impl Iterator<Item = String> {
        self.sources.iter().filter_map(|source| source.failure_of(symbol))
    }

    /// Returns the operator's view of the sources, with an empty list of signatures.
    pub(crate) fn operator_view(&self) -> OperatorView {
        OperatorView { market: Some(Arc::clone(&self.writer)), ..OperatorView::default() }
    }

    /// Returns the metrics of the market, whose pools have these `pairs`.
    pub(crate) fn metrics(&self, pairs: Arc<PairNames>) -> MarketMetrics {
        MarketMetrics { writer: Arc::clone(&self.writer), pairs, clock: Arc::clone(&self.clock) }
    }

    /// Returns the tasks; none of them ends on its own.
    pub(crate) fn tasks(&mut self) -> impl Iterator<Item = &mut JoinSet<()>> {
        self.sources.iter_mut().map(|source| &mut source.tasks).chain([&mut self.refresh])
    }
}

/// Refreshes the market periodically, and logs which assets have lost or regained their price.
async fn refresh(writer: Arc<MarketWriter>, clock: Arc<dyn Clock>) {
    let mut outages = PriceOutages::default();
    let mut ticks = interval(REFRESH_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for tick in 0_u64.. {
        ticks.tick().await;
        writer.refresh(clock.now());
        if tick.is_multiple_of(REFRESHES_PER_LOOK) {
            let now = clock.now();
            outages.log_changes(&writer.status(now).assets, now);
        }
    }
}
