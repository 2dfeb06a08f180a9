//! One price of several sources.

use firmquote_domain::{InvalidValue, Price, Symbol, Timestamp};

use super::{AssetStatus, Choice, Deviation, Observation, PriceRules, Rejection, Trusted, feed::Feed};

/// The sources of one asset, in the order of their priority, and the rules they have to keep to.
#[derive(Clone, Debug)]
pub struct CompositePrice {
    rules: PriceRules,
    feeds: Vec<Feed>,
}

impl CompositePrice {
    /// A panel of so many sources, all silent.
    pub fn new(rules: PriceRules, sources: usize) -> Self {
        Self { rules, feeds: vec![Feed::default(); sources] }
    }

    /// Goes on with other rules. What was refused as a jump, or as too unsure, is held against them at once; what was trusted
    /// stays so, as far as its age and the other sources allow.
    pub fn set_rules(&mut self, rules: PriceRules, now: Timestamp) {
        self.rules = rules;
        self.feeds.iter_mut().for_each(|feed| feed.apply(&rules, now));
    }

    /// Lets the source at `position` say `price` from now on and for ever; it is not heard any more.
    ///
    /// Where every source is fixed, the first counts. Beside others a fixed price is only a bound for them: it never
    /// stands in for a source that is silent, and is no voice of a median.
    pub fn fix(&mut self, position: usize, price: Price) {
        if let Some(feed) = self.feeds.get_mut(position) {
            feed.fix(price);
        }
    }

    /// Takes what the source at `position` says; one that is not of this panel is not heard.
    pub fn receive(&mut self, position: usize, update: Result<Observation, InvalidValue>, now: Timestamp) {
        if let Some(feed) = self.feeds.get_mut(position) {
            feed.receive(update, &self.rules, now);
        }
    }

    /// The price of the asset, if it is trusted at `now`, or why it is not: where no source is trusted, what is wrong
    /// with the first.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn price(&self, now: Timestamp) -> Result<Trusted<Price>, Rejection> {
        let bounds = self.feeds.iter().filter(|feed| feed.is_fixed());
        let bounds: Vec<Price> = bounds.filter_map(|feed| Some(feed.price(&self.rules, now).ok()?.value)).collect();
        let live_feeds = self.feeds.iter().filter(|feed| !feed.is_fixed() || bounds.len() == self.feeds.len());
        let prices: Vec<_> = live_feeds.clone().map(|feed| feed.price(&self.rules, now)).collect();
        let mut trusted: Vec<Trusted<Price>> = prices.iter().filter_map(|feed| feed.as_ref().ok().copied()).collect();
        let Some(first) = trusted.first().copied() else {
            return Err(prices.into_iter().find_map(Result::err).unwrap_or(Rejection::Silent));
        };
        let jumped = live_feeds.filter_map(|feed| feed.jumped(&self.rules, now));
        self.check_deviation(trusted.iter().map(|feed| feed.value).chain(bounds.iter().copied()).chain(jumped))?;
        trusted.sort_unstable_by_key(|feed| feed.value);
        match self.rules.choice {
            Choice::Priority => Ok(first),
            Choice::Median { least } if trusted.len() < least => {
                Err(Rejection::TooFew { trusted: trusted.len(), least })
            }
            Choice::Median { .. } => Ok(median(&trusted).unwrap_or(first)),
        }
    }

    /// All that is to be shown of the asset, which is called `symbol`, at `now`.
    pub(crate) fn status(&self, symbol: Symbol, now: Timestamp) -> AssetStatus {
        let feeds = self.feeds.iter().map(|feed| feed.status(&self.rules, now)).collect();
        AssetStatus { symbol, rules: self.rules, price: self.price(now), feeds }
    }

    fn check_deviation(&self, prices: impl Iterator<Item = Price> + Clone) -> Result<(), Rejection> {
        let (Some(lowest), Some(highest)) = (prices.clone().min(), prices.max()) else { return Ok(()) };
        let apart = Deviation::from(lowest.steps(), highest.steps());
        let most = self.rules.max_deviation;
        if apart > most { Err(Rejection::Deviation { apart, most }) } else { Ok(()) }
    }
}

/// The median, for as long as every one of them is trusted.
fn median(sorted: &[Trusted<Price>]) -> Option<Trusted<Price>> {
    let soonest = sorted.iter().min_by_key(|feed| feed.until)?;
    let upper = sorted.get(sorted.len() / 2)?.value;
    let lower = sorted.get(sorted.len().saturating_sub(1) / 2)?.value;
    Some(Trusted { value: Price::new(u64::midpoint(lower.steps(), upper.steps()))?, ..*soonest })
}
