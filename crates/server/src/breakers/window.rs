//! The holdings of a pool over a window, and the largest losses and outflows in it.

use std::collections::VecDeque;

use firmquote_domain::{BasisPoints, Timestamp, U512};
use firmquote_store::PoolSample;

use super::holdings::{AssetPrice, Holding, share};

/// The largest figure in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Figure {
    /// The figure.
    pub(crate) share: BasisPoints,
    /// The time from which on it is the largest.
    pub(crate) since: Timestamp,
}

/// The holdings of a pool: one for each interval of samples, and the newest.
#[derive(Clone, Debug, Default)]
pub(crate) struct HoldingWindow {
    samples: VecDeque<Holding>,
    newest: Option<Holding>,
}

impl HoldingWindow {
    /// Adds a block, which follows those added before. Returns whether it is the first of its interval; blocks that are
    /// no newer than the newest, and those without pool tokens, change nothing.
    pub(crate) fn push(&mut self, sample: &PoolSample, prices: Option<&[AssetPrice]>) -> bool {
        if sample.pool_tokens.is_zero() || self.newest.as_ref().is_some_and(|newest| newest.time >= sample.block_time) {
            return false;
        }
        let Some(holding) = Holding::new(sample, self.newest.as_ref(), prices) else {
            // The assets have changed.
            *self = Self::default();
            return false;
        };
        let interval = |time: Timestamp| time.seconds().get() / PoolSample::INTERVAL_SECONDS;
        let is_first = self.samples.back().is_none_or(|last| interval(last.time) < interval(holding.time));
        if is_first {
            self.samples.push_back(holding.clone());
        }
        self.newest = Some(holding);
        is_first
    }

    /// The number of the newest block.
    pub(crate) fn newest_block(&self) -> Option<u64> {
        self.newest.as_ref().map(|newest| newest.block_number)
    }

    /// Removes what was before `since`.
    pub(crate) fn start_at(&mut self, since: Timestamp) {
        while self.samples.front().is_some_and(|first| first.time < since) {
            self.samples.pop_front();
        }
        if self.newest.as_ref().is_some_and(|newest| newest.time < since) {
            self.newest = None;
        }
    }

    /// Returns the largest loss of value per pool token against holding since any block from `since` on, at `prices`.
    pub(crate) fn loss(&self, since: Timestamp, prices: &[AssetPrice]) -> Option<Figure> {
        self.largest(since, |newest, earlier| newest.values_since(earlier, prices))
    }

    /// Returns the largest net outflow of the asset at a position since any block from `since` on, as a share of what would
    /// be held of it; `outstanding` base units of it may still leave.
    pub(crate) fn outflow(&self, since: Timestamp, position: usize, outstanding: U512) -> Option<Figure> {
        self.largest(since, |newest, earlier| Some(newest.amounts_since(earlier, position, outstanding)))
    }

    /// Returns the largest share by which the second of two values is below the first.
    fn largest(&self, since: Timestamp, values: impl Fn(&Holding, &Holding) -> Option<(U512, U512)>) -> Option<Figure> {
        let newest = self.newest.as_ref()?;
        let figure = |earlier: &Holding| {
            let (held, now) = values(newest, earlier)?;
            Some(Figure { share: share(held.saturating_sub(now), held), since: earlier.time })
        };
        let earlier = self.samples.iter().filter(|sample| sample.time >= since);
        earlier.filter_map(figure).max_by_key(|figure| figure.share)
    }
}
