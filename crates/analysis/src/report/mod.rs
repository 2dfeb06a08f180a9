//! What swaps earned: edge, its fee part and its curve part, by client, pair, size and time.

mod figures;
mod grouping;
mod mark_out;
mod names;
mod swaps;

use std::collections::BTreeMap;

use firmquote_domain::Timestamp;
use firmquote_tape::{RequestOperation, RequestRow};

use crate::PriceHistory;

pub(crate) use self::grouping::decade;
pub use self::{
    figures::Figures,
    grouping::Grouping,
    mark_out::{HORIZONS, MarkOut},
    names::TokenNames,
    swaps::LedgerSwaps,
};

/// A report over a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What the rows are grouped by, in the order of [`ReportRow::group`].
    pub groupings: Vec<Grouping>,
    /// The groups, in the order of their names.
    pub rows: Vec<ReportRow>,
    /// All of them together.
    pub total: Figures,
}

/// A group of swaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    /// Its names, one for each grouping.
    pub group: Vec<String>,
    /// Its figures.
    pub figures: Figures,
}

impl Report {
    /// Reports the quotes that were made, and the swaps whose blocks are, from `from` (inclusive) to `to` (exclusive).
    /// Mark-outs are missing for assets without a name, and without prices.
    pub fn new(
        swaps: &LedgerSwaps,
        prices: &PriceHistory,
        names: &TokenNames,
        groupings: &[Grouping],
        (from, to): (Timestamp, Timestamp),
    ) -> Self {
        let (mut groups, mut total): (BTreeMap<Vec<String>, Figures>, Figures) = Default::default();
        for swap in swaps.iter() {
            for (time, figures) in
                swap.figures(prices, names).into_iter().filter(|(time, _)| from <= *time && *time < to)
            {
                let group = groupings.iter().map(|grouping| grouping.name(&swap, time, names)).collect();
                *groups.entry(group).or_default() += figures.clone();
                total += figures;
            }
        }
        let rows = groups.into_iter().map(|(group, figures)| ReportRow { group, figures }).collect();
        Self { groupings: groupings.to_vec(), rows, total }
    }

    /// Adds the requests of a tape that were received from `from` (inclusive) to `to` (exclusive).
    #[must_use]
    pub fn with_requests(
        mut self,
        requests: impl IntoIterator<Item = RequestRow>,
        (from, to): (Timestamp, Timestamp),
    ) -> Self {
        let rows = self.rows.into_iter().map(|ReportRow { group, figures }| (group, figures));
        let mut groups: BTreeMap<Vec<String>, Figures> = rows.collect();
        for request in requests.into_iter().filter(|request| from <= request.time && request.time < to) {
            let group = self.groupings.iter().map(|grouping| grouping.name_of_request(&request)).collect();
            let figures = of_request(&request);
            *groups.entry(group).or_default() += figures.clone();
            self.total += figures;
        }
        self.rows = groups.into_iter().map(|(group, figures)| ReportRow { group, figures }).collect();
        self
    }
}

/// Returns what a request adds to the figures.
fn of_request(request: &RequestRow) -> Figures {
    let is_served = request.refusal.is_none();
    let is_quote = request.operation != RequestOperation::Sign;
    Figures {
        requested: u64::from(is_quote && request.operation != RequestOperation::Requote),
        quoted: u64::from(is_served && is_quote && request.operation != RequestOperation::QuoteSign),
        quote_signed: u64::from(is_served && request.operation == RequestOperation::QuoteSign),
        refused: request.refusal.iter().map(|refusal| (refusal.clone(), 1)).collect(),
        ..Figures::default()
    }
}
