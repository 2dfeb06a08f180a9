//! Keeps live prices coming: runs every source, again and again, and has the market looked at between their words.

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use firmquote_desk::PriceDesk;
use firmquote_domain::{Clock, InvalidValue, Symbol};
use firmquote_market::{
    LiveMarket, LivePool, Market, Observation, Panel, PriceListener, PriceOrigin, PriceSource, Reserves, SourceError,
    Trusted, exchange::ExchangeSource, pyth::PythSource,
};
use firmquote_store::redis::Board;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::{
    clock::SystemClock,
    config::{Config, PoolConfig, PriceSourceConfig},
    pushed::{self, BoardFollower},
};

/// How often the market is looked at without anybody saying anything: another source may have to step in.
const REFRESH_EVERY: Duration = Duration::from_millis(100);
/// The pause after a source that was lost, and after one that speaks another language.
const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(30)];

/// What tells prices, ready to run.
pub(crate) struct Prices {
    live: Arc<LiveMarket>,
    sources: Vec<(Box<dyn PriceSource>, Ears)>,
    /// Takes the prices that are sent.
    pub(crate) desk: Arc<PriceDesk>,
}

/// Passes what one source says on to its place in the panels.
#[derive(Clone)]
struct Ears {
    live: Arc<LiveMarket>,
    /// The place of the source among those of each of its assets.
    places: Vec<(Symbol, usize)>,
}

impl PriceListener for Ears {
    fn hear(&self, symbol: &Symbol, said: Result<Observation, InvalidValue>) {
        if let Some((_, place)) = self.places.iter().find(|(known, _)| known == symbol) {
            self.live.hear(symbol, *place, said, SystemClock.now());
        }
    }
}

/// The market of a configuration, and what keeps it up to date. Prices that are sent are posted on `board`, or heard by
/// this process alone.
///
/// # Errors
/// For a source that nothing can be asked with: its address, its names, its certificates.
pub(crate) fn open(config: &Config, board: Option<&Arc<Board>>) -> anyhow::Result<(Arc<Market>, Prices)> {
    let sources = &config.prices.sources;
    let count = |symbol: &Symbol| sources.iter().filter(|source| source.symbols().any(|known| known == symbol)).count();
    let panels = config.prices.assets.iter();
    let panels = panels.map(|(symbol, rules)| (symbol.clone(), Panel::new(*rules, count(symbol)))).collect();
    let pools = config.pools.iter().map(|pool| live_pool(pool, config)).collect();
    let market = Arc::new(Market::default());
    let live = Arc::new(LiveMarket::new(Arc::clone(&market), panels, pools, SystemClock.now()));
    let (mut running, mut desk) = (Vec::new(), PriceDesk::closed(Arc::new(SystemClock)));
    for (position, source) in sources.iter().enumerate() {
        let place = |symbol: &Symbol| {
            let earlier = sources.iter().take(position);
            earlier.filter(|earlier| earlier.symbols().any(|known| known == symbol)).count()
        };
        let places = source.symbols().map(|symbol| (symbol.clone(), place(symbol))).collect();
        let ears = Ears { live: Arc::clone(&live), places };
        if let PriceSourceConfig::Push(symbols) = source {
            desk = pushed::desk(symbols, board, Arc::new(ears.clone()));
        }
        if let Some(opened) = open_source(source, board).with_context(|| format!("price_source[{position}]"))? {
            running.push((opened, ears));
        }
    }
    Ok((market, Prices { live, sources: running, desk: Arc::new(desk) }))
}

/// What tells the prices of a source; nothing for prices that are sent to this process alone.
fn open_source(config: &PriceSourceConfig, board: Option<&Arc<Board>>) -> anyhow::Result<Option<Box<dyn PriceSource>>> {
    Ok(Some(match config {
        PriceSourceConfig::Pyth(feed) => Box::new(PythSource::new(feed.clone())?),
        PriceSourceConfig::Exchange(feed) => Box::new(ExchangeSource::new(feed.clone(), Arc::new(SystemClock))?),
        PriceSourceConfig::Push(symbols) => match board {
            Some(board) => Box::new(BoardFollower::new(Arc::clone(board), symbols)),
            None => return Ok(None),
        },
    }))
}

/// A pool whose reserves are those of the file, and so are the prices that no source tells.
fn live_pool(pool: &PoolConfig, config: &Config) -> LivePool {
    let spec = pool.pool.spec();
    let is_live = |symbol: &Symbol| config.prices.assets.iter().any(|(known, _)| known == symbol);
    let price = |(asset, (price, _)): (&firmquote_domain::Asset, &(_, _))| match is_live(&asset.symbol) {
        true => PriceOrigin::Live(asset.symbol.clone()),
        false => PriceOrigin::Fixed(*price),
    };
    let amounts = pool.assets.iter().map(|(_, reserve)| reserve.base_units()).collect();
    LivePool {
        id: spec.id,
        prices: spec.assets.iter().zip(&pool.assets).map(price).collect(),
        reserves: Ok(Trusted::for_ever(Reserves { amounts, pool_tokens: pool.pool_tokens })),
        pairs: Vec::new(),
    }
}

impl Prices {
    /// Runs every source until the runtime ends.
    pub(crate) fn spawn(self) {
        if self.sources.is_empty() && self.desk.symbols.is_empty() {
            return;
        }
        for (source, ears) in self.sources {
            tokio::spawn(keep(source, ears));
        }
        let live = self.live;
        tokio::spawn(async move {
            let mut ticks = interval(REFRESH_EVERY);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                live.refresh(SystemClock.now());
            }
        });
    }
}

/// Runs a source again whenever it ends, after a pause of its kind.
async fn keep(source: Box<dyn PriceSource>, ears: Ears) {
    let [lost, foreign] = PAUSES;
    loop {
        let error = source.run(&ears).await;
        let pause = match &error {
            SourceError::Gone(_) => lost,
            SourceError::Busy { seconds } => Duration::from_secs((*seconds).max(1)),
            SourceError::Protocol { .. } => foreign,
        };
        let (source, pause_s) = (source.name(), pause.as_secs());
        tracing::warn!(source, %error, pause_s, "a source of prices ended and is started again");
        sleep(pause).await;
    }
}
