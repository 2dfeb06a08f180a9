//! The signed swaps of a ledger with their ends. Each quote counts once, and its latest entry decides how it ended,
//! whatever the order of the entries is and however often one is repeated.

use std::collections::HashMap;

use firmquote_domain::{Leg, Quote, QuoteId, Settlement, SwapOutcome, Timestamp, U256};
use firmquote_store::ledger::LedgerEvent;

use super::{
    figures::Figures,
    mark_out::{HORIZONS, MarkOut},
    names::TokenNames,
};
use crate::{Money, PriceHistory};

/// The signed swaps of a ledger.
#[derive(Clone, Debug, Default)]
pub struct LedgerSwaps {
    signed: HashMap<QuoteId, Quote>,
    /// How swaps ended, and when the service learned of it.
    outcomes: HashMap<QuoteId, (Timestamp, Option<SwapOutcome>)>,
    /// The time of the earliest entry.
    begins_at: Option<Timestamp>,
    invalid_lines: u64,
}

/// A signed swap.
pub(super) struct Swap<'l> {
    pub(super) quote: &'l Quote,
    outcome: Option<SwapOutcome>,
}

/// How much the clocks of replicas may differ, in microseconds.
const CLOCK_TOLERANCE_US: u64 = 5_000_000;

impl LedgerSwaps {
    /// Adds a line of the ledger.
    pub fn add_line(&mut self, line: &[u8]) {
        match LedgerEvent::parse(line) {
            Some(event) => self.add(event),
            None => self.invalid_lines += 1,
        }
    }

    /// Adds an entry of the ledger.
    pub fn add(&mut self, event: LedgerEvent) {
        let time = match &event {
            LedgerEvent::Signed(signed) => signed.signed_at,
            LedgerEvent::Outcome { recorded_at, .. } => *recorded_at,
        };
        self.begins_at = Some(self.begins_at.map_or(time, |begins_at| begins_at.min(time)));
        match event {
            LedgerEvent::Signed(signed) => {
                self.signed.entry(signed.quote.id).or_insert(signed.quote);
            }
            LedgerEvent::Outcome { quote_id, outcome, recorded_at } => {
                let latest = self.outcomes.entry(quote_id).or_insert((recorded_at, outcome));
                // The clocks of replicas differ a little: then the later entry counts.
                if latest.0 <= recorded_at.plus_micros(CLOCK_TOLERANCE_US) {
                    *latest = (recorded_at, outcome);
                }
            }
        }
    }

    /// The number of lines that are not entries of this version: swaps in them are missing from every figure.
    pub const fn invalid_lines(&self) -> u64 {
        self.invalid_lines
    }

    /// The time of the earliest entry: swaps from before are missing. `None` without entries.
    pub const fn begins_at(&self) -> Option<Timestamp> {
        self.begins_at
    }

    /// The number of executions whose signatures are not on the ledger: they are missing from every figure.
    pub fn executions_without_signature(&self) -> usize {
        let is_unsigned = |(id, (_, outcome)): &(&QuoteId, &(Timestamp, Option<SwapOutcome>))| {
            matches!(outcome, Some(SwapOutcome::Settled(_))) && !self.signed.contains_key(*id)
        };
        self.outcomes.iter().filter(is_unsigned).count()
    }

    /// Returns how each signed quote ended: `None` if it may still be executed.
    pub(crate) fn outcomes(&self) -> HashMap<QuoteId, Option<SwapOutcome>> {
        self.signed.keys().map(|id| (*id, self.outcomes.get(id).and_then(|(_, outcome)| *outcome))).collect()
    }

    /// Returns a signed quote.
    pub(crate) fn signed(&self, id: QuoteId) -> Option<&Quote> {
        self.signed.get(&id)
    }

    /// Returns the value of the paid input less that of the paid output of a signed quote, at the prices `horizon` seconds
    /// after the block; `None` if one of them is not known.
    pub(crate) fn mark_out(
        quote: &Quote,
        settlement: &Settlement,
        horizon: u32,
        prices: &PriceHistory,
        names: &TokenNames,
    ) -> Option<Money> {
        Swap { quote, outcome: None }.mark_out(settlement, horizon, prices, names)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Swap<'_>> {
        self.signed.values().map(|quote| {
            let outcome = self.outcomes.get(&quote.id).and_then(|(_, outcome)| *outcome);
            Swap { quote, outcome }
        })
    }
}

impl Swap<'_> {
    /// The value of the signed input.
    pub(super) fn signed_value(&self) -> Money {
        self.value_in(self.quote.input.amount.base_units())
    }

    fn value_in(&self, input: U256) -> Money {
        Money::of(input, self.quote.input.decimals, self.quote.input.price)
    }

    fn edge(&self, input: U256, output: U256) -> Money {
        &self.value_in(input) - &Money::of(output, self.quote.output.decimals, self.quote.output.price)
    }

    /// Returns what the swap adds to the figures: at the time of its quote, and of the block in which it was executed.
    pub(super) fn figures(&self, prices: &PriceHistory, names: &TokenNames) -> Vec<(Timestamp, Figures)> {
        let mut of_quote = Figures { signed: 1, signed_value: self.signed_value(), ..Figures::default() };
        let mut of_execution = None;
        match self.outcome {
            Some(SwapOutcome::Settled(settlement)) => {
                of_quote.settled = 1;
                of_execution = Some((block_time(&settlement), self.execution(&settlement, prices, names)));
            }
            Some(SwapOutcome::Lapsed) => of_quote.lapsed = 1,
            // Configured reserves: no node is asked for executions.
            None if self.quote.block.is_none() => {
                of_quote.unobserved = 1;
                of_quote.unobserved_edge =
                    self.edge(self.quote.input.amount.base_units(), self.quote.output.amount.base_units());
            }
            None => of_quote.open = 1,
        }
        [(self.quote.created_at, of_quote)].into_iter().chain(of_execution).collect()
    }

    /// The figures of an execution, with the amounts that were paid.
    fn execution(&self, settlement: &Settlement, prices: &PriceHistory, names: &TokenNames) -> Figures {
        let executed_value = self.value_in(settlement.input_amount);
        let edge = self.edge(settlement.input_amount, settlement.output_amount);
        let mark_outs = HORIZONS.map(|horizon| match self.mark_out(settlement, horizon, prices, names) {
            Some(value) => {
                let unix_seconds = settlement.block_time.get();
                MarkOut::of(value, edge.clone(), executed_value.clone(), horizon, unix_seconds)
            }
            None => MarkOut::missing(),
        });
        Figures {
            executed: 1,
            fee: executed_value.share(self.quote.fee),
            edge,
            executed_value,
            mark_outs,
            ..Figures::default()
        }
    }

    /// The value of the paid input less that of the paid output, at the prices `horizon` seconds after the block; `None`
    /// if one of them is not known.
    fn mark_out(
        &self,
        settlement: &Settlement,
        horizon: u32,
        prices: &PriceHistory,
        names: &TokenNames,
    ) -> Option<Money> {
        let value = |leg: &Leg, amount| {
            let symbol = names.symbol(self.quote.pool.chain_id, leg.token)?;
            let price = prices.after(symbol, block_time(settlement), horizon)?;
            Some(Money::of(amount, leg.decimals, price))
        };
        let input = value(&self.quote.input, settlement.input_amount)?;
        Some(&input - &value(&self.quote.output, settlement.output_amount)?)
    }
}

fn block_time(settlement: &Settlement) -> Timestamp {
    Timestamp::from_seconds(settlement.block_time.get())
}
