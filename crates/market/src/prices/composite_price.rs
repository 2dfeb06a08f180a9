//! One price from several sources.

use std::sync::Arc;

use firmquote_domain::{InvalidValue, Price, Symbol, Timestamp};

use super::{Aggregation, Deviation, FeedStatus, Observation, PriceRules, Rejection, Trusted, feed::Feed};

/// A live asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetStatus {
    /// The symbol of the asset.
    pub symbol: Symbol,
    /// The rules that its prices must satisfy.
    pub rules: PriceRules,
    /// The price that quotes use, or why the asset is not quoted.
    pub price: Result<Trusted<Price>, Rejection>,
    /// Its sources, in order of priority.
    pub feeds: Vec<FeedStatus>,
}

/// The price of a live asset: its rules and its sources, in order of priority.
#[derive(Clone, Debug)]
pub struct LivePrice {
    /// The symbol of the asset.
    pub symbol: Symbol,
    /// The rules that its prices must satisfy.
    pub rules: PriceRules,
    /// The name of each source, and where its price comes from.
    pub feeds: Vec<(Arc<str>, FeedInput)>,
}

/// Where the price of one source of an asset comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedInput {
    /// Updates, none of which was received yet.
    New,
    /// Updates; those of the source that was at this position before still count.
    Existing(usize),
    /// A price that never changes: see [`CompositePrice::set_fixed_price`].
    Fixed(Price),
}

/// The sources of one asset in order of priority, and the rules that their prices must satisfy.
#[derive(Clone, Debug)]
pub struct CompositePrice {
    rules: PriceRules,
    feeds: Vec<Feed>,
}

impl CompositePrice {
    /// Creates a price from this number of sources, all silent so far.
    pub fn new(rules: PriceRules, sources: usize) -> Self {
        Self { rules, feeds: vec![Feed::default(); sources] }
    }

    /// Creates a price from the sources of `price`; those that are kept are the ones of `previous`.
    pub(crate) fn replacing(previous: Option<&Self>, price: &LivePrice, now: Timestamp) -> Self {
        let feed = |(source, input): &(Arc<str>, FeedInput)| {
            let kept = |position: &usize| previous?.feeds.get(*position).cloned();
            let new = || Feed::new(Arc::clone(source));
            match input {
                FeedInput::New => new(),
                FeedInput::Existing(position) => kept(position).unwrap_or_else(new),
                FeedInput::Fixed(price) => {
                    let mut feed = new();
                    feed.set_fixed_price(*price);
                    feed
                }
            }
        };
        let rules = previous.map_or(price.rules, |previous| previous.rules);
        let mut replacing = Self { rules, feeds: price.feeds.iter().map(feed).collect() };
        replacing.set_rules(price.rules, now);
        replacing
    }

    /// Replaces the rules. An observation that was rejected for a jump or for its confidence is checked against them at
    /// once; a trusted one stays trusted, as far as its age and the other sources allow.
    pub fn set_rules(&mut self, rules: PriceRules, now: Timestamp) {
        self.rules = rules;
        self.feeds.iter_mut().for_each(|feed| feed.set_rules(&rules, now));
    }

    /// Fixes the source at `position` to `price` permanently; its updates no longer count.
    ///
    /// If every source is fixed, their prices are treated like live ones. Beside live sources a fixed price is only a
    /// bound on them: it never replaces a silent source, and does not count toward a median.
    pub fn set_fixed_price(&mut self, position: usize, price: Price) {
        if let Some(feed) = self.feeds.get_mut(position) {
            feed.set_fixed_price(price);
        }
    }

    /// Receives an update of the source at `position`; unknown positions are ignored.
    pub fn receive(&mut self, position: usize, update: Result<Observation, InvalidValue>, now: Timestamp) {
        if let Some(feed) = self.feeds.get_mut(position) {
            feed.receive(update, &self.rules, now);
        }
    }

    /// Returns the price of the asset, if it is trusted at `now`.
    ///
    /// # Errors
    /// The [`Rejection`] with the broken rule; that of the first source if no source is trusted.
    pub fn price(&self, now: Timestamp) -> Result<Trusted<Price>, Rejection> {
        let bounds = self.feeds.iter().filter(|feed| feed.is_fixed());
        let bounds: Vec<Price> = bounds.filter_map(|feed| Some(feed.price(&self.rules, now).ok()?.value)).collect();
        let live_feeds = self.feeds.iter().filter(|feed| !feed.is_fixed() || bounds.len() == self.feeds.len());
        let prices: Vec<_> = live_feeds.clone().map(|feed| feed.price(&self.rules, now)).collect();
        let mut trusted: Vec<Trusted<Price>> = prices.iter().filter_map(|feed| feed.as_ref().ok().copied()).collect();
        let Some(first) = trusted.first().copied() else {
            return Err(prices.into_iter().find_map(Result::err).unwrap_or(Rejection::Silent));
        };
        let jumped_prices = live_feeds.filter_map(|feed| feed.jumped_price(&self.rules, now));
        self.check_deviation(trusted.iter().map(|feed| feed.value).chain(bounds.iter().copied()).chain(jumped_prices))?;
        trusted.sort_unstable_by_key(|feed| feed.value);
        match self.rules.aggregation {
            Aggregation::Priority => Ok(first),
            Aggregation::Median { min_sources } if trusted.len() < min_sources => {
                Err(Rejection::TooFew { trusted: trusted.len(), min_sources })
            }
            Aggregation::Median { .. } => Ok(median(&trusted).unwrap_or(first)),
        }
    }

    /// Returns the status of the asset, which is called `symbol`, at `now`.
    pub(crate) fn status(&self, symbol: Symbol, now: Timestamp) -> AssetStatus {
        let feeds = self.feeds.iter().map(|feed| feed.status(&self.rules, now)).collect();
        AssetStatus { symbol, rules: self.rules, price: self.price(now), feeds }
    }

    fn check_deviation(&self, prices: impl Iterator<Item = Price> + Clone) -> Result<(), Rejection> {
        let (Some(lowest), Some(highest)) = (prices.clone().min(), prices.max()) else { return Ok(()) };
        let deviation = Deviation::relative_to(lowest.steps(), highest.steps());
        let max_deviation = self.rules.max_deviation;
        if deviation > max_deviation { Err(Rejection::Deviation { deviation, max_deviation }) } else { Ok(()) }
    }
}

/// Returns the median, trusted for as long as all of its inputs are.
fn median(sorted: &[Trusted<Price>]) -> Option<Trusted<Price>> {
    let soonest = sorted.iter().min_by_key(|feed| feed.until)?;
    let upper = sorted.get(sorted.len() / 2)?.value;
    let lower = sorted.get(sorted.len().saturating_sub(1) / 2)?.value;
    Some(Trusted { value: Price::new(u64::midpoint(lower.steps(), upper.steps()))?, ..*soonest })
}
