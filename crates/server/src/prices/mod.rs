//! Keeps live prices coming: runs every source, again and again, and has the market looked at between their words.

mod config_prices;
mod push;
mod supervise;

use std::{collections::HashMap, error::Error as StdError, sync::Arc, time::Duration};

use firmquote_config::{Config, PriceSourceConfig};
use firmquote_desk::{OperatorView, PriceDesk, PriceSources};
use firmquote_domain::{Clock, InvalidValue, Symbol, Timestamp};
use firmquote_market::{
    CompositePrice, Market, MarketWriter, Observation, PriceListener, PriceSource, chainlink::ChainlinkSource,
    exchange::ExchangeSource, pyth::PythSource,
};
use firmquote_store::redis::Board;
use prometheus::Registry;
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};

use self::{config_prices::place, push::BoardSource};
use crate::{
    Error,
    chain::Chains,
    error::Context as _,
    metrics::{MarketMetrics, PairNames, SourceNames},
};
pub(crate) use push::board;
pub(crate) use supervise::{PROTOCOL_ERROR_PAUSE, pause_after};

/// How often the market is looked at without anybody saying anything: another source may have to step in.
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);

/// What tells prices, ready to run.
pub(crate) struct PriceFeeds {
    live: Arc<MarketWriter>,
    clock: Arc<dyn Clock>,
    sources: Vec<(Box<dyn PriceSource>, SourceListener)>,
    names: SourceNames,
    /// Takes the prices that are sent.
    pub(crate) desk: Arc<PriceDesk>,
}

/// Passes what one source says on to its place in the panels.
#[derive(Clone)]
struct SourceListener {
    live: Arc<MarketWriter>,
    clock: Arc<dyn Clock>,
    /// The place of the source among those of each of its assets.
    places: Vec<(Symbol, usize)>,
}

impl PriceListener for SourceListener {
    fn receive(&self, symbol: &Symbol, update: Result<Observation, InvalidValue>) {
        if let Some((_, place)) = self.places.iter().find(|(known, _)| known == symbol) {
            self.live.receive(symbol, *place, update, self.clock.now());
        }
    }
}

/// The market of a configuration, and what keeps it up to date. Prices that are sent are posted on `board`, or heard by
/// this process alone.
///
/// # Errors
/// For a source that nothing can be asked with: its address, its names, its certificates.
pub(crate) fn open(
    config: &Config,
    chains: &Chains,
    board: Option<&Arc<Board>>,
    clock: &Arc<dyn Clock>,
) -> Result<(Arc<Market>, PriceFeeds), Error> {
    let sources = &config.prices.sources;
    let count = |symbol: &Symbol| sources.iter().filter(|source| source.symbols().any(|known| known == symbol)).count();
    let panels = config.prices.assets.iter();
    let panels = panels.map(|(symbol, rules)| (symbol.clone(), CompositePrice::new(*rules, count(symbol)))).collect();
    let market = Arc::new(Market::default());
    let live = Arc::new(MarketWriter::new(Arc::default(), panels, Vec::new(), clock.now()));
    write_pools(&live, config, &market, clock.now());
    let (mut running, mut names) = (Vec::new(), HashMap::new());
    let mut desk = PriceDesk::closed(Arc::clone(clock));
    for (position, source) in sources.iter().enumerate() {
        let places: Vec<_> =
            source.symbols().map(|symbol| (symbol.clone(), place(sources, position, symbol))).collect();
        let opened = open_source(source, chains, board, clock).with_context(|| format!("price_source[{position}]"))?;
        let name = opened.as_ref().map_or(if source.is_static() { "static" } else { "push" }, |opened| opened.name());
        names.extend(places.iter().map(|place| (place.clone(), name.to_owned())));
        let listener = SourceListener { live: Arc::clone(&live), clock: Arc::clone(clock), places };
        if let PriceSourceConfig::Push(symbols) = source {
            desk = push::price_desk(symbols, board, Arc::new(listener.clone()), Arc::clone(clock));
        }
        running.extend(opened.map(|opened| (opened, listener)));
    }
    Ok((market, PriceFeeds { live, clock: Arc::clone(clock), sources: running, names, desk: Arc::new(desk) }))
}

/// Has `live` go on with the pools and prices that are written in `config`, and write to `market`.
pub(crate) fn write_pools(live: &MarketWriter, config: &Config, market: &Arc<Market>, now: Timestamp) {
    let (pools, fixed) = (config_prices::pools(config), config_prices::fixed_prices(config));
    live.replace_pools(Arc::clone(market), pools, (&fixed, &config.prices.assets), now);
}

/// The source to run, or `None` for one that has nothing to say but the file's prices, or is told them in this process.
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
    /// The market as it is written.
    pub(crate) const fn live(&self) -> &Arc<MarketWriter> {
        &self.live
    }

    /// The sources by name, for people.
    pub(crate) fn sources(&self) -> PriceSources {
        PriceSources { live: Arc::clone(&self.live), names: self.names.clone() }
    }

    /// What the operator is shown of the sources, and a list of signatures that is empty still.
    pub(crate) fn operator_view(&self) -> OperatorView {
        OperatorView { sources: Some(self.sources()), ..OperatorView::default() }
    }

    /// Has the market shown in `registry` for as long as it is there, with the pairs of its pools as `pairs` tells them.
    ///
    /// # Errors
    /// When a metric of that name is there already; a mistake in this program.
    pub(crate) fn show(&self, pairs: Arc<PairNames>, registry: &Registry) -> prometheus::Result<()> {
        let metrics = MarketMetrics::new(Arc::clone(&self.live), self.names.clone(), pairs, Arc::clone(&self.clock))?;
        registry.register(Box::new(metrics))
    }

    /// Runs every source, and has the market looked at in between, until the tasks are dropped.
    #[must_use = "the sources end with their tasks"]
    pub(crate) fn spawn(self) -> JoinSet<()> {
        let mut tasks = JoinSet::new();
        if self.sources.is_empty() && self.desk.symbols.is_empty() {
            return tasks;
        }
        for (source, listener) in self.sources {
            tasks.spawn(supervise::run(source, listener));
        }
        let (live, clock) = (self.live, self.clock);
        tasks.spawn(async move {
            let mut ticks = interval(REFRESH_INTERVAL);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                live.refresh(clock.now());
            }
        });
        tasks
    }
}
