//! The signed swaps of a ledger with their ends. Each quote counts once, and its latest entry decides how it ended,
//! whatever the order of the entries is and however often one is repeated.

use std::collections::HashMap;

use firmquote_domain::{BasisPoints, Leg, Quote, QuoteId, Settlement, SwapOutcome, Timestamp, U256};
use firmquote_store::ledger::LedgerEvent;

use super::{
    fee_parts::FeeParts,
    figures::Figures,
    mark_out::{HORIZONS, MarkOut},
    names::TokenNames,
    options::OptionFigures,
};
use crate::{Money, PriceHistory};

/// The signed swaps of a ledger.
#[derive(Clone, Debug, Default)]
pub struct LedgerSwaps {
    signed: HashMap<QuoteId, SignedSwap>,
    /// How swaps ended, and when the service learned of it.
    outcomes: HashMap<QuoteId, (Timestamp, Option<SwapOutcome>)>,
    /// The time of the earliest entry.
    begins_at: Option<Timestamp>,
    invalid_lines: u64,
    /// The parts of the fees of quotes that are known.
    fee_parts: HashMap<QuoteId, FeeParts>,
}

#[derive(Clone, Debug)]
struct SignedSwap {
    quote: Quote,
    signed_at: Timestamp,
}

/// A signed swap.
pub(super) struct Swap<'l> {
    pub(super) quote: &'l Quote,
    signed_at: Timestamp,
    fee_parts: Option<FeeParts>,
    pub(super) outcome: Option<SwapOutcome>,
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
        let time = event.time();
        self.begins_at = Some(self.begins_at.map_or(time, |begins_at| begins_at.min(time)));
        match event {
            LedgerEvent::Signed(signed) => {
                let swap = SignedSwap { quote: signed.quote, signed_at: signed.signed_at };
                self.signed.entry(swap.quote.id).or_insert(swap);
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
        self.signed.get(&id).map(|swap| &swap.quote)
    }

    /// Adds the parts of the fees of quotes.
    pub fn add_fee_parts(&mut self, parts: impl IntoIterator<Item = (QuoteId, FeeParts)>) {
        self.fee_parts.extend(parts);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Swap<'_>> {
        self.signed.iter().map(|(id, SignedSwap { quote, signed_at })| Swap {
            quote,
            signed_at: *signed_at,
            fee_parts: self.fee_parts.get(id).copied(),
            outcome: self.outcomes.get(id).and_then(|(_, outcome)| *outcome),
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
        let signed_value = self.signed_value();
        let options = OptionFigures::given(&signed_value, self.volatility(prices, names), self.option_seconds());
        let mut of_quote = Figures { signed: 1, signed_value, options, ..Figures::default() };
        let mut of_execution = None;
        match self.outcome {
            Some(SwapOutcome::Settled(settlement)) => {
                of_quote.settled = 1;
                of_execution = Some((block_time(&settlement), self.execution(&settlement, prices, names)));
            }
            Some(SwapOutcome::Lapsed) => {
                of_quote.lapsed = 1;
                of_quote.options.not_taken = self.not_taken(prices, names);
            }
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
        let mark_outs = HORIZONS.map(|horizon| match mark_out(self.quote, settlement, horizon, prices, names) {
            Some(value) => {
                let unix_seconds = settlement.block_time.get();
                MarkOut::of(value, edge.clone(), executed_value.clone(), horizon, unix_seconds)
            }
            None => MarkOut::missing(),
        });
        let fee = executed_value.share(self.quote.fee);
        let share = |part: BasisPoints| executed_value.share(part);
        let parts = self.fee_parts.unwrap_or_default();
        let (base, breakers) = (share(parts.base), share(parts.breaker));
        let levels_margin = parts.levels_margin.map(share).unwrap_or_default();
        let adjustment = share(parts.client_adjustment.size());
        let client_adjustments =
            if parts.client_adjustment.is_discount() { &Money::default() - &adjustment } else { adjustment };
        let rest = [&base, &levels_margin, &breakers, &client_adjustments]
            .into_iter()
            .fold(fee.clone(), |rest, part| &rest - part);
        let paid = self.fee_parts.map(|_| rest);
        // At the block, less at the quote.
        let drift = mark_out(self.quote, settlement, 0, prices, names).map(|now| &now - &edge);
        let options = OptionFigures {
            paid: paid.unwrap_or_default(),
            used: drift.map(|drift| &Money::default() - &drift).filter(Money::is_gain).unwrap_or_default(),
            ..OptionFigures::default()
        };
        Figures {
            executed: 1,
            fee,
            levels_margin,
            breakers,
            client_adjustments,
            options,
            edge,
            executed_value,
            mark_outs,
            ..Figures::default()
        }
    }

    /// The realized volatility of the pair in the hour before the signature.
    fn volatility(&self, prices: &PriceHistory, names: &TokenNames) -> Option<f64> {
        let symbol = |leg: &Leg| names.symbol(self.quote.pool.chain_id, leg.token);
        prices.realized_volatility([symbol(&self.quote.input)?, symbol(&self.quote.output)?], self.signed_at)
    }

    /// How long the client had, or took, to execute.
    fn option_seconds(&self) -> u32 {
        let end = match self.outcome {
            Some(SwapOutcome::Settled(settlement)) => settlement.block_time,
            Some(SwapOutcome::Lapsed) | None => self.quote.good_until.expires_at(),
        };
        end.get().saturating_sub(self.signed_at.seconds().get())
    }

    /// What the client would have gained at the expiry.
    fn not_taken(&self, prices: &PriceHistory, names: &TokenNames) -> Money {
        let (input, output) = (self.quote.input.amount.base_units(), self.quote.output.amount.base_units());
        let expiry = Timestamp::from_seconds(self.quote.good_until.expires_at().get());
        let earned = value_at(self.quote, [input, output], expiry, 0, prices, names);
        earned.map(|earned| &Money::default() - &earned).filter(Money::is_gain).unwrap_or_default()
    }
}

/// The value of the paid input less that of the paid output, at the prices `horizon` seconds after the block; `None` if one
/// of them is not known.
pub(crate) fn mark_out(
    quote: &Quote,
    settlement: &Settlement,
    horizon: u32,
    prices: &PriceHistory,
    names: &TokenNames,
) -> Option<Money> {
    let amounts = [settlement.input_amount, settlement.output_amount];
    value_at(quote, amounts, block_time(settlement), horizon, prices, names)
}

/// The value of an input less that of an output, at the prices `seconds` after `time`.
fn value_at(
    quote: &Quote,
    [input, output]: [U256; 2],
    time: Timestamp,
    seconds: u32,
    prices: &PriceHistory,
    names: &TokenNames,
) -> Option<Money> {
    let value = |leg: &Leg, amount| {
        let symbol = names.symbol(quote.pool.chain_id, leg.token)?;
        Some(Money::of(amount, leg.decimals, prices.after(symbol, time, seconds)?))
    };
    Some(&value(&quote.input, input)? - &value(&quote.output, output)?)
}

fn block_time(settlement: &Settlement) -> Timestamp {
    Timestamp::from_seconds(settlement.block_time.get())
}
