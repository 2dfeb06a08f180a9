//! What swaps earned: edge, its fee part and its curve part, by client, pair, size and time.

mod fee_parts;
mod figures;
mod grouping;
mod hedges;
mod mark_out;
mod names;
mod options;
mod swaps;

use std::collections::{BTreeMap, BTreeSet};

use firmquote_domain::Timestamp;
use firmquote_tape::{RequestOperation, RequestRow};

use crate::PriceHistory;

pub use self::{
    fee_parts::{FeeParts, fee_parts},
    figures::Figures,
    grouping::Grouping,
    hedges::{AssetFlows, HedgeReport},
    mark_out::{HORIZONS, MarkOut},
    names::TokenNames,
    options::OptionFigures,
    swaps::LedgerSwaps,
};
pub(crate) use self::{grouping::decade, swaps::mark_out};

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

/// The horizons at which a client may be informed, in seconds.
const INFORMED_HORIZONS: [u32; 2] = [10, 60];
/// The probability that any client of a report is called informed by chance.
const INFORMED_LEVEL: f64 = 0.05;

impl Report {
    /// Returns the clients of a report by client that trade on what the pool does not know yet: whose mark-out at 10 or 60
    /// seconds is below zero by more than chance, at 5 % over all of them together (Holm, 1979). Empty for other reports.
    pub fn informed_clients(&self) -> Vec<&str> {
        if self.groupings != [Grouping::Client] {
            return Vec::new();
        }
        let horizons = HORIZONS.iter().enumerate().filter(|(_, horizon)| INFORMED_HORIZONS.contains(horizon));
        let positions: Vec<_> = horizons.map(|(position, _)| position).collect();
        let tests = self.rows.iter().flat_map(|row| positions.iter().map(move |position| (row, *position)));
        let mut losses: Vec<(f64, &ReportRow)> = tests
            .filter_map(|(row, position)| {
                let mark_out = row.figures.mark_outs.get(position)?;
                Some((mark_out.probability_of_loss_by_chance()?, row))
            })
            .collect();
        losses.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        let hypotheses = u32::try_from(losses.len()).unwrap_or(u32::MAX);
        let is_significant = |(rejected, (probability, _)): &(u32, (f64, &ReportRow))| {
            *probability <= INFORMED_LEVEL / f64::from(hypotheses - rejected)
        };
        let informed = (0..hypotheses).zip(losses).take_while(is_significant);
        let names: BTreeSet<&str> =
            informed.filter_map(|(_, (_, row))| row.group.first().map(String::as_str)).collect();
        names.into_iter().collect()
    }
}

/// Returns what a request adds to the figures.
fn of_request(request: &RequestRow) -> Figures {
    let is_served = request.refusal.is_none();
    let is_quote = request.operation != RequestOperation::Sign;
    Figures {
        requested: u64::from(is_quote && request.operation != RequestOperation::Requote),
        quoted: u64::from(is_served && is_quote && request.operation != RequestOperation::QuoteSign),
        // A repeated request, without states, has the quote of the first.
        quote_signed: u64::from(
            is_served && request.operation == RequestOperation::QuoteSign && !request.states.is_empty(),
        ),
        refused: request.refusal.iter().map(|refusal| (refusal.clone(), 1)).collect(),
        ..Figures::default()
    }
}
