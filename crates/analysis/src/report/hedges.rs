//! Swaps and hedges together: what they left of each asset, and what that is worth.

use std::collections::{BTreeMap, BTreeSet};

use firmquote_domain::{Decimals, Hedge, HedgeName, Leg, Quantity, SwapOutcome, Symbol, Timestamp, U256};
use num_bigint::{BigInt, Sign};

use super::{names::TokenNames, swaps::LedgerSwaps};
use crate::{
    Money, PriceHistory,
    money::{decimal, power_of_ten},
};

/// The hedges of a period, and what is left of each asset after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HedgeReport {
    /// The number of hedges that were executed in the period.
    pub hedges: usize,
    /// The fees of their venues.
    pub fees: Money,
    /// The assets that executed swaps or hedges moved, by the names of their tokens.
    pub assets: BTreeMap<String, AssetFlows>,
    /// The value of what is left of all assets, at the last prices of the period, less the fees; `None` if a price of an
    /// asset of which anything is left is not on the tape.
    pub net_value: Option<Money>,
    /// The assets without such a price.
    pub unpriced: Vec<String>,
}

/// What moved of an asset, in whole units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssetFlows {
    swapped: BigInt,
    hedged: BigInt,
}

/// The decimals of flows: those of the most precise token.
const FLOW_DECIMALS: u8 = 24;

impl AssetFlows {
    /// What swaps paid into pools, less what they paid out.
    pub fn swapped(&self) -> String {
        written(&self.swapped)
    }

    /// What hedges bought, less what they sold.
    pub fn hedged(&self) -> String {
        written(&self.hedged)
    }

    /// The sum of both.
    pub fn net(&self) -> String {
        written(&self.total())
    }

    fn total(&self) -> BigInt {
        &self.swapped + &self.hedged
    }
}

impl HedgeReport {
    /// Reports the hedges that were executed, and the swaps whose blocks are, from `from` (inclusive) to `to` (exclusive). A
    /// hedge that is listed repeatedly counts once.
    pub fn new(
        hedges: &[Hedge],
        swaps: &LedgerSwaps,
        prices: &PriceHistory,
        names: &TokenNames,
        (from, to): (Timestamp, Timestamp),
    ) -> Self {
        let is_in_period = |time: Timestamp| from <= time && time < to;
        let (mut report, mut seen) = (Self::default(), BTreeSet::<&HedgeName>::new());
        for hedge in hedges.iter().filter(|hedge| is_in_period(hedge.executed_at)) {
            if seen.insert(&hedge.id) {
                report.hedges += 1;
                report.fees += Money::from(hedge.fee);
                report.flows(hedge.bought.0.as_str()).hedged += steps(hedge.bought.1.steps(), Quantity::DECIMALS);
                report.flows(hedge.sold.0.as_str()).hedged -= steps(hedge.sold.1.steps(), Quantity::DECIMALS);
            }
        }
        for swap in swaps.iter() {
            let Some(SwapOutcome::Settled(settlement)) = swap.outcome else { continue };
            if is_in_period(Timestamp::from_seconds(settlement.block_time.get())) {
                let name = |leg: &Leg| names.name(swap.quote.pool.chain_id, leg.token);
                let (input, output) = (&swap.quote.input, &swap.quote.output);
                report.flows(&name(input)).swapped += steps(settlement.input_amount, input.decimals.get());
                report.flows(&name(output)).swapped -= steps(settlement.output_amount, output.decimals.get());
            }
        }
        report.value_at(prices, to);
        report
    }

    fn flows(&mut self, asset: &str) -> &mut AssetFlows {
        self.assets.entry(asset.to_owned()).or_default()
    }

    /// Values what is left of each asset at the last prices before `at`.
    fn value_at(&mut self, prices: &PriceHistory, at: Timestamp) {
        let Some(decimals) = Decimals::new(FLOW_DECIMALS) else { return };
        let mut value = Money::default();
        for (name, left) in self.assets.iter().map(|(name, flows)| (name, flows.total())) {
            match Symbol::new(name).ok().and_then(|symbol| prices.last(&symbol, at)) {
                Some((_, price)) => value += Money::of_integer(&left, decimals, price),
                None if left == BigInt::ZERO => {}
                None => self.unpriced.push(name.clone()),
            }
        }
        self.net_value = self.unpriced.is_empty().then(|| &value - &self.fees);
    }
}

/// Returns an amount of whole units in steps of flows.
fn steps(amount: U256, decimals: u8) -> BigInt {
    let amount = BigInt::from_bytes_le(Sign::Plus, &amount.to_le_bytes::<32>());
    amount * power_of_ten(u32::from(FLOW_DECIMALS.saturating_sub(decimals)))
}

fn written(steps: &BigInt) -> String {
    let text = decimal(steps, FLOW_DECIMALS.into());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
