//! Keeps live prices up to date: supervises every source, and refreshes the market between their updates.

mod config_prices;
mod estimates;
mod feed_faults;
mod push;

use std::{collections::HashMap, error::Error as StdError, sync::Arc, time::Duration};

use firmquote_config::{Config, PriceSourceConfig};
use firmquote_desk::{OperatorView, PriceDesk, PriceSources};
use firmquote_domain::{Clock, Symbol, Timestamp};
use firmquote_market::{
    CompositePrice, Market, MarketWriter, PriceListener, PriceSettings, PriceSource, PriceUpdate,
    chainlink::ChainlinkSource, exchange::ExchangeSource, pyth::PythSource,
};
use firmquote_store::redis::Board;
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};

use self::{config_prices::rank, feed_faults::FeedFaults, push::BoardSource};
use crate::{
    Error,
    chain::Chains,
    error::Context as _,
    metrics::{MarketMetrics, PairNames, SourceNames},
    supervise::Supervisor,
};
pub(crate) use estimates::EstimateExchange;
pub(crate) use push::board;

/// How often the market is refreshed without an update: another source may have to take over.
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);

/// The price sources, ready to run.
pub(crate) struct PriceFeeds {
    writer: Arc<MarketWriter>,
    clock: Arc<dyn Clock>,
    sources: Vec<(Box<dyn PriceSource>, SourceListener)>,
    names: SourceNames,
    /// Accepts pushed prices.
    pub(crate) desk: Arc<PriceDesk>,
}

/// Forwards the updates of one source to its position in the composite prices.
#[derive(Clone)]
struct SourceListener {
    writer: Arc<MarketWriter>,
    clock: Arc<dyn Clock>,
    /// The position of the source among the sources of each of its assets.
    ranks: Vec<(Symbol, usize)>,
}

impl PriceListener for SourceListener {
    fn receive(&self, updates: &[PriceUpdate<'_>]) {
        let ranked = updates.iter().filter_map(|(symbol, update)| {
            let (_, rank) = self.ranks.iter().find(|(other, _)| other == *symbol)?;
            Some((*symbol, *rank, *update))
        });
        self.writer.receive(ranked, self.clock.now());
    }
}

/// Forwards the updates of a source, reports each to its supervisor, and logs faults of its feeds.
struct SupervisedListener<'s> {
    supervisor: &'s Supervisor<'s>,
    source: &'s str,
    listener: SourceListener,
    faults: FeedFaults,
}

impl PriceListener for SupervisedListener<'_> {
    fn receive(&self, updates: &[PriceUpdate<'_>]) {
        if !updates.is_empty() {
            self.supervisor.report_delivery();
            self.listener.receive(updates);
        }
    }

    fn report(&self, feed: Option<&str>, fault: &str) {
        self.faults.log(self.source, feed, fault);
    }
}

/// Passes the prices of `source` to `listener`, and restarts the source whenever it ends.
async fn run(source: Box<dyn PriceSource>, listener: SourceListener) {
    let supervisor = Supervisor::new("price", source.name());
    let listener =
        SupervisedListener { supervisor: &supervisor, source: source.name(), listener, faults: FeedFaults::default() };
    loop {
        supervisor.back_off(source.run(&listener).await).await;
    }
}

/// Creates the market of a configuration and the sources that keep it up to date. Pushed prices are posted on `board`,
/// or, without one, seen by this process alone.
///
/// # Errors
/// For a source that cannot be created: its address, its names, its certificates.
pub(crate) fn open(
    config: &Config,
    chains: &Chains,
    board: Option<&Arc<Board>>,
    clock: &Arc<dyn Clock>,
) -> Result<(Arc<Market>, PriceFeeds), Error> {
    let sources = &config.prices.sources;
    let count = |symbol: &Symbol| sources.iter().filter(|source| source.symbols().any(|other| other == symbol)).count();
    let composite_prices = config.prices.assets.iter();
    let composite_prices =
        composite_prices.map(|(symbol, rules)| (symbol.clone(), CompositePrice::new(*rules, count(symbol)))).collect();
    let market = Arc::new(Market::default());
    let writer = Arc::new(MarketWriter::new(Arc::default(), composite_prices, Vec::new(), clock.now()));
    write_pools(&writer, config, &market, clock.now());
    let (mut running, mut names) = (Vec::new(), HashMap::new());
    let mut desk = PriceDesk::disabled(Arc::clone(clock));
    for (position, source) in sources.iter().enumerate() {
        let ranks: Vec<_> = source.symbols().map(|symbol| (symbol.clone(), rank(sources, position, symbol))).collect();
        let opened = open_source(source, chains, board, clock).with_context(|| format!("price_source[{position}]"))?;
        let name = opened.as_ref().map_or(if source.is_static() { "static" } else { "push" }, |opened| opened.name());
        names.extend(ranks.iter().map(|rank| (rank.clone(), name.to_owned())));
        let listener = SourceListener { writer: Arc::clone(&writer), clock: Arc::clone(clock), ranks };
        if let PriceSourceConfig::Push(symbols) = source {
            desk = push::price_desk(symbols, board, Arc::new(listener.clone()), Arc::clone(clock));
        }
        running.extend(opened.map(|opened| (opened, listener)));
    }
    Ok((market, PriceFeeds { writer, clock: Arc::clone(clock), sources: running, names, desk: Arc::new(desk) }))
}

/// Replaces the pools and static prices of `writer` with those of `config`, and the market that it writes to with
/// `market`.
pub(crate) fn write_pools(writer: &MarketWriter, config: &Config, market: &Arc<Market>, now: Timestamp) {
    let (pools, fixed_prices) = (config_prices::pools(config), config_prices::fixed_prices(config));
    let settings = PriceSettings { fixed_prices: &fixed_prices, rules: &config.prices.assets };
    writer.replace_pools(Arc::clone(market), pools, settings, now);
}

/// Creates the source to run; `None` for static prices, and for pushed prices without a board, which this process
/// receives directly.
fn open_source(
    config: &PriceSourceConfig,
    chains: &Chains,
    board: Option<&Arc<Board>>,
    clock: &Arc<dyn Clock>,
) -> Result<Option<Box<dyn PriceSource>>, Box<dyn StdError + Send + Sync>> {
    Ok(Some(match config {
        PriceSourceConfig::Pyth(feed) => Box::new(PythSource::new(feed.clone())?),
        PriceSourceConfig::Exchange(feed) => Box::new(ExchangeSource::new(feed.clone(), Arc::clone(clock))?),
        PriceSourceConfig::Chainlink(chain, feeds) => {
            let rpc = chains.rpc(*chain).ok_or("a chain without nodes")?;
            Box::new(ChainlinkSource::new(Arc::clone(rpc), feeds.clone())?)
        }
        PriceSourceConfig::Push(symbols) => match board {
            Some(board) => Box::new(BoardSource::new(Arc::clone(board), symbols)),
            None => return Ok(None),
        },
        PriceSourceConfig::Static(_) => return Ok(None),
    }))
}

impl PriceFeeds {
    /// Returns the writer of the market.
    pub(crate) const fn writer(&self) -> &Arc<MarketWriter> {
        &self.writer
    }

    /// Returns the sources with their display names.
    pub(crate) fn sources(&self) -> PriceSources {
        PriceSources { writer: Arc::clone(&self.writer), names: self.names.clone() }
    }

    /// Returns the operator's view of the sources, with an empty list of signatures.
    pub(crate) fn operator_view(&self) -> OperatorView {
        OperatorView { sources: Some(self.sources()), ..OperatorView::default() }
    }

    /// Returns the metrics of the market, whose pools have these `pairs`.
    pub(crate) fn metrics(&self, pairs: Arc<PairNames>) -> MarketMetrics {
        let (writer, clock) = (Arc::clone(&self.writer), Arc::clone(&self.clock));
        MarketMetrics { writer, names: self.names.clone(), pairs, clock }
    }

    /// Runs every source, and refreshes the market in between, until the tasks are dropped.
    #[must_use = "the sources end with their tasks"]
    pub(crate) fn spawn(self) -> JoinSet<()> {
        let mut tasks = JoinSet::new();
        if self.sources.is_empty() && self.desk.symbols.is_empty() {
            return tasks;
        }
        for (source, listener) in self.sources {
            tasks.spawn(run(source, listener));
        }
        let (writer, clock) = (self.writer, self.clock);
        tasks.spawn(async move {
            let mut ticks = interval(REFRESH_INTERVAL);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                writer.refresh(clock.now());
            }
        });
        tasks
    }
}
