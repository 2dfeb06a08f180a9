//! The figures of a group of swaps.

use std::{collections::BTreeMap, ops::AddAssign};

use num_bigint::BigInt;

use super::{
    mark_out::{HORIZONS, MarkOut},
    options::OptionFigures,
};
use crate::{Money, money::decimal};

/// The figures of a group of swaps. Numbers of signatures are of the quotes of the period, whenever they ended; money is
/// of the swaps whose blocks are in the period.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Requests for quotes, signed at once or not, that the tape has.
    pub requested: u64,
    /// Quotes that the tape has: those that were requested, and those that were made to replace one that conflicts with
    /// latest prices.
    pub quoted: u64,
    /// Quotes that were signed as they were made, on the tape.
    pub quote_signed: u64,
    /// Refused requests for quotes and for signatures on the tape, by the name of the reason.
    pub refused: BTreeMap<String, u64>,
    /// Quotes that were signed.
    pub signed: u64,
    /// The value of their inputs.
    pub signed_value: Money,
    /// Of these, those that were executed.
    pub settled: u64,
    /// Those that expired unused.
    pub lapsed: u64,
    /// Those that may still be executed, or whose end is not on the ledger yet.
    pub open: u64,
    /// Those of pools with configured reserves, whose executions nobody observes.
    pub unobserved: u64,
    /// The edge of these, as if all of them were executed.
    pub unobserved_edge: Money,
    /// Executed swaps.
    pub executed: u64,
    /// The value of their inputs, at the prices of their quotes.
    pub executed_value: Money,
    /// The value of their inputs less that of their outputs, at the prices of their quotes.
    pub edge: Money,
    /// The part of it that is the fee.
    pub fee: Money,
    /// The part of the fee that is the margin of firm levels.
    pub levels_margin: Money,
    /// The part of the fee that breakers added.
    pub breakers: Money,
    /// What the terms of clients added to the fee; negative for discounts.
    pub client_adjustments: Money,
    /// The options that the signatures are.
    pub options: OptionFigures,
    /// Their mark-outs at each of [`HORIZONS`].
    pub mark_outs: [MarkOut; HORIZONS.len()],
}

impl Figures {
    /// The part of the edge that is not the fee: what the curve earned, rounding included. Negative where the pool pays
    /// to be rebalanced.
    pub fn curve(&self) -> Money {
        &self.edge - &self.fee
    }

    /// The edge in basis points of the executed value, with two decimals, rounded down.
    pub fn edge_in_basis_points(&self) -> Option<String> {
        self.edge.hundredths_of_basis_points_of(&self.executed_value).map(|hundredths| decimal(&hundredths, 2))
    }

    /// The share of the quotes that were signed later, in percent with two decimals, rounded down; `None` without quotes.
    pub fn hit_rate_in_percent(&self) -> Option<String> {
        let hits = self.signed.saturating_sub(self.quote_signed).min(self.quoted);
        let hundredths = (hits * 10_000).checked_div(self.quoted)?;
        Some(decimal(&BigInt::from(hundredths), 2))
    }

    /// The share of the signed quotes that were executed, in percent with two decimals, rounded down; without those that
    /// nobody observes.
    pub fn fill_rate_in_percent(&self) -> Option<String> {
        let observed = self.signed - self.unobserved;
        let hundredths = (self.settled * 10_000).checked_div(observed)?;
        Some(decimal(&BigInt::from(hundredths), 2))
    }
}

impl AddAssign for Figures {
    fn add_assign(&mut self, other: Self) {
        self.requested += other.requested;
        self.quoted += other.quoted;
        self.quote_signed += other.quote_signed;
        for (reason, requests) in other.refused {
            *self.refused.entry(reason).or_default() += requests;
        }
        self.signed += other.signed;
        self.signed_value += other.signed_value;
        self.settled += other.settled;
        self.lapsed += other.lapsed;
        self.open += other.open;
        self.unobserved += other.unobserved;
        self.unobserved_edge += other.unobserved_edge;
        self.executed += other.executed;
        self.executed_value += other.executed_value;
        self.edge += other.edge;
        self.fee += other.fee;
        self.levels_margin += other.levels_margin;
        self.breakers += other.breakers;
        self.client_adjustments += other.client_adjustments;
        self.options += other.options;
        self.mark_outs.iter_mut().zip(other.mark_outs).for_each(|(total, mark_out)| *total += mark_out);
    }
}
