//! The price sources that are open: each delivers to its positions among the sources of its assets, which a reload
//! changes.

use std::{collections::BTreeMap, error::Error as StdError, sync::Arc};

use arc_swap::ArcSwapOption;
use firmquote_config::{Config, ConfigText, PriceSourceConfig, SourceText};
use firmquote_domain::{Clock, Price, Symbol};
use firmquote_market::{FeedInput, LivePrice, MarketWriter, PriceListener, PriceSource, PriceUpdate};
use parking_lot::Mutex;
use tokio::task::JoinSet;

use super::feed_faults::FeedFaults;
use crate::{Error, chain::Chains, error::Context as _, host::HostParts, redis::SharedPrices, supervise::Supervisor};

/// A source that runs, unless it is static or its prices are pushed to this process.
pub(super) struct OpenSource {
    text: SourceText,
    name: Arc<str>,
    pub(super) listener: SourceListener,
    failure: LastFailure,
    /// Its task.
    pub(super) tasks: JoinSet<()>,
}

/// Why a source ended last, until it delivers again.
type LastFailure = Arc<ArcSwapOption<String>>;

/// Forwards the updates of one source to its position in the composite prices.
#[derive(Clone)]
pub(super) struct SourceListener {
    writer: Arc<MarketWriter>,
    clock: Arc<dyn Clock>,
    /// The position of the source among the sources of each of its assets.
    ranks: Arc<Mutex<Vec<(Symbol, usize)>>>,
}

impl PriceListener for SourceListener {
    fn receive(&self, updates: &[PriceUpdate<'_>]) {
        // Held until the updates are received: afterwards their positions may be those of other sources.
        let ranks = self.ranks.lock();
        let ranked = updates.iter().filter_map(|(symbol, update)| {
            let (_, rank) = ranks.iter().find(|(other, _)| other == *symbol)?;
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
    failure: LastFailure,
    faults: FeedFaults,
}

impl PriceListener for SupervisedListener<'_> {
    fn receive(&self, updates: &[PriceUpdate<'_>]) {
        if !updates.is_empty() {
            self.supervisor.report_delivery();
            self.failure.store(None);
            self.listener.receive(updates);
        }
    }

    fn report(&self, feed: Option<&str>, fault: &str) {
        self.faults.log(self.source, feed, fault);
    }
}

/// Passes the prices of `source` to `listener`, and restarts the source whenever it ends.
async fn run(source: Box<dyn PriceSource>, listener: SourceListener, failure: LastFailure) {
    let supervisor = Supervisor::new("price", source.name());
    let (source, faults) = (&source, FeedFaults::default());
    let listener = SupervisedListener { supervisor: &supervisor, source: source.name(), listener, failure, faults };
    loop {
        let error = source.run(&listener).await;
        listener.failure.store(Some(Arc::new(error.to_string())));
        supervisor.back_off(error).await;
    }
}

/// The sources of a configuration that are not open yet, by their positions in it.
pub(super) type NewSources = BTreeMap<usize, Option<Box<dyn PriceSource>>>;

/// Creates the sources of `config` that are not among the `open` ones. Nothing is connected before they run.
///
/// # Errors
/// For a source that cannot be created: its address, its names, its certificates.
pub(super) fn create(
    config: &Config,
    open: &[SourceText],
    chains: &Chains,
    pushed_prices: Option<&Arc<SharedPrices>>,
    host: &HostParts,
    clock: &Arc<dyn Clock>,
) -> Result<NewSources, Error> {
    let mut open = open.to_vec();
    let mut new = NewSources::new();
    for (position, (source, text)) in config.prices.sources.iter().zip(&config.price_sources).enumerate() {
        // Each open source is one, however often its table is repeated.
        if let Some(same) = open.iter().position(|open| open == text) {
            open.swap_remove(same);
            continue;
        }
        let created = create_source(source, chains, pushed_prices, host, clock);
        new.insert(position, created.with_context(|| format!("price_source[{position}]"))?);
    }
    Ok(new)
}

/// Creates the source to run; `None` for static prices, and for pushed prices without a shared hash, which this process
/// receives directly.
fn create_source(
    config: &PriceSourceConfig,
    chains: &Chains,
    pushed_prices: Option<&Arc<SharedPrices>>,
    host: &HostParts,
    clock: &Arc<dyn Clock>,
) -> Result<Option<Box<dyn PriceSource>>, Box<dyn StdError + Send + Sync>> {
    Ok(Some(match config {
        PriceSourceConfig::Independent(settings) => settings.create(clock)?,
        PriceSourceConfig::Chainlink(chain, feeds) => chains.chainlink_source(*chain, feeds)?,
        PriceSourceConfig::Push(symbols) => match pushed_prices {
            Some(pushed_prices) => pushed_prices.source(symbols),
            None => return Ok(None),
        },
        PriceSourceConfig::Host(name, _) => {
            let source = host.price_sources.get(name);
            let unknown = || {
                let names: Vec<_> = host.price_sources.keys().map(String::as_str).collect();
                let provided = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                format!("name is {name:?}, allowed: a price source that the program provides: {provided}")
            };
            Box::new(Arc::clone(source.ok_or_else(unknown)?))
        }
        PriceSourceConfig::Static(_) => return Ok(None),
    }))
}

/// The sources of a configuration, before their positions take effect.
pub(super) struct NextSources {
    pub(super) sources: Vec<OpenSource>,
    /// The positions of each of them.
    ranks: Vec<Vec<(Symbol, usize)>>,
    /// The live prices made of them.
    pub(super) prices: Vec<LivePrice>,
    /// Those to run, by their positions among the sources.
    starting: Vec<(usize, Box<dyn PriceSource>)>,
    /// The sources that are not among them any more.
    removed: Vec<OpenSource>,
}

impl NextSources {
    /// Joins the sources of `config` that are open with the `new` ones, which run from [`Self::take_effect`] on. A source
    /// whose table is unchanged goes on. Of a source whose assets change and no other key, the prices of those assets
    /// remain whose tables are unchanged.
    pub(super) fn new(
        config: &Config,
        mut open: Vec<OpenSource>,
        mut new: NewSources,
        writer: &Arc<MarketWriter>,
        clock: &Arc<dyn Clock>,
    ) -> Self {
        let mut prices: Vec<_> = config.prices.assets.iter().map(live_price).collect();
        let (mut sources, mut all_ranks, mut removed) = (Vec::new(), Vec::new(), Vec::new());
        let mut starting = Vec::new();
        for (position, (source, text)) in config.prices.sources.iter().zip(&config.price_sources).enumerate() {
            let earlier = |is_same: &dyn Fn(&OpenSource) -> bool| open.iter().position(is_same);
            let earlier = earlier(&|open| open.text == *text)
                .or_else(|| {
                    earlier(&|open| open.text.settings == text.settings && !config.price_sources.contains(&open.text))
                })
                .map(|earlier| open.remove(earlier));
            let created = new.remove(&position);
            let name: Arc<str> = match (&created, &earlier) {
                (Some(Some(created)), _) => created.name().into(),
                (None, Some(earlier)) => Arc::clone(&earlier.name),
                _ => if source.is_static() { "static" } else { "push" }.into(),
            };
            let mut ranks = Vec::new();
            for (symbol, asset) in source.symbols().zip(&text.assets) {
                let Some(price) = prices.iter_mut().find(|price| price.symbol == *symbol) else { continue };
                let fixed = source.is_static().then(|| configured_price(config, symbol)).flatten();
                let kept = || earlier.as_ref()?.rank_of(symbol, asset);
                let input = fixed.map(FeedInput::Fixed).or_else(|| kept().map(FeedInput::Existing));
                ranks.push((symbol.clone(), price.feeds.len()));
                price.feeds.push((Arc::clone(&name), input.unwrap_or(FeedInput::New)));
            }
            all_ranks.push(ranks);
            sources.push(match (earlier, created) {
                (Some(earlier), None) => earlier,
                (earlier, created) => {
                    removed.extend(earlier);
                    let (writer, clock) = (Arc::clone(writer), Arc::clone(clock));
                    let listener = SourceListener { writer, clock, ranks: Arc::default() };
                    starting.extend(created.flatten().map(|source| (position, source)));
                    OpenSource {
                        text: text.clone(),
                        name,
                        listener,
                        failure: LastFailure::default(),
                        tasks: JoinSet::new(),
                    }
                }
            });
        }
        removed.extend(open);
        Self { sources, ranks: all_ranks, prices, starting, removed }
    }

    /// Makes the positions take effect together with `replace`, which replaces the prices of the market: no update is
    /// received in between. Starts the new sources, and returns all.
    pub(super) fn take_effect(self, replace: impl FnOnce(&[LivePrice])) -> Vec<OpenSource> {
        let Self { mut sources, ranks, prices, starting, removed } = self;
        {
            // A task that is dropped may still deliver once.
            removed.iter().for_each(|removed| removed.listener.ranks.lock().clear());
            let mut current: Vec<_> = sources.iter().map(|source| source.listener.ranks.lock()).collect();
            replace(&prices);
            current.iter_mut().zip(ranks).for_each(|(current, ranks)| **current = ranks);
        }
        drop(removed);
        for (position, source) in starting {
            if let Some(open) = sources.get_mut(position) {
                open.tasks.spawn(run(source, open.listener.clone(), Arc::clone(&open.failure)));
            }
        }
        sources
    }
}

impl OpenSource {
    /// The table it was opened from.
    pub(super) const fn text(&self) -> &SourceText {
        &self.text
    }

    /// Returns why it ended, if it delivers `symbol` and has not delivered since.
    pub(super) fn failure_of(&self, symbol: &str) -> Option<String> {
        let failure = self.failure.load_full()?;
        let delivers = self.listener.ranks.lock().iter().any(|(other, _)| other.as_str() == symbol);
        delivers.then(|| format!("{} ended: {failure}", self.name))
    }

    /// Returns its position among the sources of `symbol`, if the table of that asset was this one.
    fn rank_of(&self, symbol: &Symbol, asset: &ConfigText) -> Option<usize> {
        let ranks = self.listener.ranks.lock();
        // The assets are in the order of their tables.
        let mut same =
            ranks.iter().zip(&self.text.assets).filter(|((other, _), text)| other == symbol && *text == asset);
        same.next().map(|((_, rank), _)| *rank)
    }
}

/// Returns a price that has no sources yet.
fn live_price((symbol, rules): &(Symbol, firmquote_market::PriceRules)) -> LivePrice {
    LivePrice { symbol: symbol.clone(), rules: *rules, feeds: Vec::new() }
}

/// Returns the configured price of an asset, which is the same in all pools that list it.
fn configured_price(config: &Config, symbol: &Symbol) -> Option<Price> {
    config.pools.iter().find_map(|pool| pool.price_of(symbol))
}
