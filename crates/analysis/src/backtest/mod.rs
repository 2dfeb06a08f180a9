//! What another configuration would have earned: recorded requests on recorded states, in four columns that are never one.

mod hit_curve;

use std::{
    collections::{BTreeMap, HashSet},
    path::PathBuf,
};

use firmquote_domain::{Amount, Quote, QuoteId, Settlement, SwapAmount, SwapOutcome, U256};
use firmquote_tape::{RequestOperation, RequestRow, SegmentFiles};

pub use self::hit_curve::ExpectedResult;
use self::hit_curve::{HitCurve, ObservedQuote};
use crate::{
    LedgerSwaps, Money, PriceHistory, TokenNames,
    money::decimal,
    replay::{PoolWithVolatilities, ReplayError, SegmentDesks, inquiry_of},
    report::{decade, mark_out},
};

/// What is compared, and with what.
pub struct Backtest<'i> {
    /// Directories of tapes.
    pub tapes: &'i [PathBuf],
    /// The executed swaps.
    pub swaps: &'i LedgerSwaps,
    /// The prices at which they are valued.
    pub prices: &'i PriceHistory,
    /// The symbols of tokens.
    pub names: &'i TokenNames,
    /// The pools of the other configuration.
    pub pools: &'i [PoolWithVolatilities],
    /// How many seconds after its block a swap is valued.
    pub horizon: u32,
}

/// The results of a group of swaps: what they were worth at the horizon, in US dollars.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BacktestRow {
    /// The pair as `input/output`, and the decade of the size.
    pub group: [String; 2],
    /// Executed swaps that are valued.
    pub fills: u64,
    /// Executed swaps without known prices, or without a request on the tape: in no sum.
    pub unknown: u64,
    /// What they were worth.
    pub recorded: Money,
    /// Of them, those that the other configuration refuses: in no other column.
    pub refused: u64,
    /// The same swaps at the price of the other configuration.
    pub same_fills: Money,
    /// Swaps for which that price is at least as good for the client.
    pub accepted: u64,
    /// Only those: a floor, for clients who take what they took.
    pub accepted_fills: Money,
    /// What the hit curve expects; `None` without enough quotes.
    pub expected: Option<ExpectedResult>,
}

impl BacktestRow {
    /// The change of the volume, in percent, at which [`Self::same_fills`] is the recorded result; `None` unless both are
    /// gains.
    pub fn break_even_in_percent(&self) -> Option<String> {
        if !self.recorded.is_gain() || !self.same_fills.is_gain() {
            return None;
        }
        let difference = &self.recorded - &self.same_fills;
        difference.hundredths_of_basis_points_of(&self.same_fills).map(|hundredths| decimal(&(hundredths / 100), 2))
    }

    /// What the hit curve expects: [`Self::same_fills`] times the multiple of the hits, with its interval.
    pub fn expected_result(&self) -> Option<[f64; 3]> {
        let expected = self.expected?;
        let same_fills = self.same_fills.to_f64();
        Some([expected.hits, expected.bounds[0], expected.bounds[1]].map(|hits| hits * same_fills))
    }
}

/// The quotes and the results of a group.
#[derive(Default)]
struct Group {
    row: BacktestRow,
    quotes: Vec<ObservedQuote>,
}

impl Backtest<'_> {
    /// Computes the results by pair and size.
    ///
    /// # Errors
    /// [`ReplayError`] for a tape that cannot be read.
    pub fn run(&self) -> Result<Vec<BacktestRow>, ReplayError> {
        let mut groups: BTreeMap<[String; 2], Group> = BTreeMap::new();
        let outcomes = self.swaps.outcomes();
        let mut found: HashSet<QuoteId> = HashSet::new();
        for segment in SegmentFiles::find(self.tapes)? {
            let mut desks = SegmentDesks::read(&segment)?.with_pools(self.pools);
            for row in segment.read::<RequestRow>()? {
                let (Some(id), Some(recorded)) = (row.quote_id, row.quote.as_ref()) else { continue };
                let Some(request) = inquiry_of(&row).filter(|_| row.levels_id.is_none() && !row.states.is_empty())
                else {
                    continue;
                };
                let group =
                    [format!("{}/{}", request.input, request.output), decade(&Money::from(recorded.value).to_cents())];
                let computed = desks.desk(&row)?.price(&request, row.time).ok();
                let group = groups.entry(group).or_default();
                if row.operation != RequestOperation::QuoteSign {
                    let amounts = [recorded.input_amount, recorded.output_amount];
                    group.quotes.extend(
                        computed
                            .as_ref()
                            .and_then(|quote| ObservedQuote::new(quote, amounts, outcomes.contains_key(&id))),
                    );
                }
                if let Some(Some(SwapOutcome::Settled(settlement))) = outcomes.get(&id) {
                    found.insert(id);
                    self.add_fill(&mut group.row, id, settlement, computed.as_ref());
                }
            }
        }
        let mut rows: Vec<_> = groups.into_iter().map(|(group, found)| found.finish(group)).collect();
        let is_missing = |(id, outcome): &(&QuoteId, &Option<SwapOutcome>)| {
            matches!(outcome, Some(SwapOutcome::Settled(_))) && !found.contains(*id)
        };
        let missing = outcomes.iter().filter(is_missing).count();
        if missing > 0 {
            let unknown = u64::try_from(missing).unwrap_or(u64::MAX);
            rows.push(BacktestRow { unknown, ..BacktestRow::default() });
        }
        Ok(rows)
    }

    /// Adds an executed swap, and the quote that the other configuration would have made for it, if any.
    fn add_fill(&self, row: &mut BacktestRow, id: QuoteId, settlement: &Settlement, computed: Option<&Quote>) {
        let Some((quote, recorded)) = self.swaps.signed(id).and_then(|quote| {
            let recorded = mark_out(quote, settlement, self.horizon, self.prices, self.names)?;
            Some((quote, recorded))
        }) else {
            row.unknown += 1;
            return;
        };
        row.fills += 1;
        row.recorded += recorded.clone();
        let Some(computed) = computed else {
            row.refused += 1;
            return;
        };
        // What the client fixed stays; the executed other amount moves by as much as the quoted one.
        let moved = |executed: U256, quoted: Amount, computed: Amount| {
            executed.saturating_add(computed.base_units()).saturating_sub(quoted.base_units())
        };
        let (mut input, mut output) = (settlement.input_amount, settlement.output_amount);
        match quote.fixed_amount() {
            SwapAmount::ExactInput(_) => output = moved(output, quote.output.amount, computed.output.amount),
            SwapAmount::ExactOutput(_) => input = moved(input, quote.input.amount, computed.input.amount),
        }
        let moved = Settlement { input_amount: input, output_amount: output, ..*settlement };
        let Some(result) = mark_out(quote, &moved, self.horizon, self.prices, self.names) else { return };
        row.same_fills += result.clone();
        if output >= settlement.output_amount && input <= settlement.input_amount {
            row.accepted += 1;
            row.accepted_fills += result;
        }
    }
}

impl Group {
    fn finish(self, group: [String; 2]) -> BacktestRow {
        let expected = HitCurve::fit(&self.quotes).map(|curve| curve.expected(&self.quotes));
        BacktestRow { group, expected, ..self.row }
    }
}
