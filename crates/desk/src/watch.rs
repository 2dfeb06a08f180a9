//! What is kept for the operator to look at, beside what quotes are made of. It outlives a desk that is replaced.

use std::{collections::HashMap, sync::Arc};

use firmquote_domain::{Price, Symbol, Timestamp};
use firmquote_market::{FeedStatus, LiveMarket};

use crate::{Known, RecentSignatures};

/// What is kept for the operator to look at. The default has seen nothing and knows of no sources.
#[derive(Debug, Default)]
pub struct Watch {
    /// What was signed last.
    pub signatures: RecentSignatures,
    /// The sources of prices, where there are any.
    pub sources: Option<PriceSources>,
}

/// The sources of live prices, by name.
#[derive(Debug)]
pub struct PriceSources {
    /// The market that they write.
    pub live: Arc<LiveMarket>,
    /// What the source at each place of each asset calls itself.
    pub names: HashMap<(Symbol, usize), String>,
}

/// What one source says of one asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceView {
    /// What it calls itself.
    pub name: String,
    /// The last price it told, trusted or not.
    pub said: Known<Price>,
}

impl Watch {
    /// What the sources of each asset say at `now`, in the order of their priority. Assets whose price is the file's are
    /// not among them. Writers of the market wait while it is copied; quotes do not.
    pub(crate) fn sources(&self, now: Timestamp) -> HashMap<Symbol, Vec<SourceView>> {
        let Some(sources) = &self.sources else { return HashMap::new() };
        let assets = sources.live.status(now).assets.into_iter();
        let of_asset = assets.map(|asset| {
            let view = |(position, feed): (usize, FeedStatus)| SourceView {
                name: sources.names.get(&(asset.symbol.clone(), position)).cloned().unwrap_or_default(),
                said: Known {
                    value: feed.said.map(|(price, _)| price),
                    since: feed.said.and_then(|(_, since)| since),
                    distrust: feed.distrust,
                },
            };
            (asset.symbol.clone(), asset.feeds.into_iter().enumerate().map(view).collect())
        });
        of_asset.collect()
    }
}
