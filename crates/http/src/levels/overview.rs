//! The streamed books, for the operator's page.

use std::collections::BTreeMap;

use firmquote_desk::{LevelBookKey, LevelState};
use firmquote_domain::{Address, PoolId, Symbol, Timestamp};
use serde::Serialize;

use super::topic::Topic;
use crate::wire::Text;

/// The streamed books of each pool, input and output, for every time and number of knots.
#[derive(Default)]
pub(super) struct StreamedBooks(BTreeMap<(PoolId, Symbol, Symbol), Summary>);

#[derive(Default)]
struct Summary {
    streams: usize,
    has_live: bool,
    has_indicative: bool,
    withdrawn: Option<&'static str>,
    oldest_as_of: Option<Timestamp>,
    earliest_valid_until: Option<Timestamp>,
}

/// The streamed books of a pool in one direction.
#[derive(Debug, Serialize)]
pub(crate) struct LevelBookOverview {
    chain_id: u64,
    pool_address: Text<Address>,
    input_asset: String,
    output_asset: String,
    streams: usize,
    firm: Option<bool>,
    withdrawn: Option<&'static str>,
    age_ms: Option<u64>,
    valid_for_ms: Option<u64>,
}

impl StreamedBooks {
    /// Adds a book, unless no stream reads it.
    pub(super) fn add(&mut self, key: &LevelBookKey, topic: &Topic) {
        let streams = topic.subscriptions();
        if streams == 0 {
            return;
        }
        let summary = self.0.entry((key.pool, key.input.clone(), key.output.clone())).or_default();
        summary.streams += streams;
        match topic.current().as_ref().map(|published| &published.state) {
            None => {}
            Some(LevelState::Withdrawn(reason)) => {
                let name = reason.name();
                summary.withdrawn = Some(summary.withdrawn.map_or(name, |other| other.min(name)));
            }
            Some(LevelState::Live(book, validity)) => {
                let earlier = |other: Option<Timestamp>, time| other.map_or(time, |other| other.min(time));
                summary.has_live = true;
                summary.has_indicative |= book.firm_budget.is_none();
                summary.oldest_as_of = Some(earlier(summary.oldest_as_of, validity.as_of));
                summary.earliest_valid_until = Some(earlier(summary.earliest_valid_until, validity.valid_until));
            }
        }
    }

    /// Returns the books as of `now`, in the order of their pools and symbols.
    pub(super) fn into_overviews(self, now: Timestamp) -> Vec<LevelBookOverview> {
        let overview = |((pool, input, output), summary): ((PoolId, Symbol, Symbol), Summary)| LevelBookOverview {
            chain_id: pool.chain_id.get(),
            pool_address: Text(pool.address),
            input_asset: input.as_str().to_owned(),
            output_asset: output.as_str().to_owned(),
            streams: summary.streams,
            firm: summary.has_live.then_some(!summary.has_indicative),
            withdrawn: summary.withdrawn.filter(|_| !summary.has_live),
            age_ms: summary.oldest_as_of.map(|as_of| now.millis_since(as_of)),
            valid_for_ms: summary.earliest_valid_until.map(|end| end.millis_since(now)),
        };
        self.0.into_iter().map(overview).collect()
    }
}
