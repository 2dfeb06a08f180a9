//! The executed swaps of a pool, and the reserves that result from them.

use std::collections::BTreeMap;

use firmquote_desk::ExecutedSwap;
use firmquote_domain::{Address, Amount, Price, Timestamp, U256};
use firmquote_market::{AssetState, PoolState, Trusted};

use super::transaction::ExecutedOffer;

/// The reduction of a lowered price, in percent.
const PRICE_DROP_PERCENT: u64 = 1;

/// The executed swaps of a pool.
#[derive(Default)]
pub(super) struct PoolSwaps {
    /// Inflow and outflow of each token in blocks that are no longer retained.
    settled: BTreeMap<Address, (U256, U256)>,
    /// The first block that is retained.
    pub(super) since: u64,
    pub(super) swaps: Vec<MinedSwap>,
}

/// A swap in its block.
#[derive(Clone, Debug)]
pub(super) struct MinedSwap {
    pub(super) execution: ExecutedOffer,
    pub(super) block: u64,
    /// The position of its event among those of its block.
    pub(super) log_index: usize,
    /// Whether the block will be replaced.
    pub(super) reorganizes: bool,
}

impl MinedSwap {
    /// Whether the swap is executed as of block `head`.
    pub(super) const fn is_executed(&self, head: u64) -> bool {
        self.block <= head
    }
}

impl PoolSwaps {
    /// Settles the swaps of blocks before `first`: they are no longer reorganized.
    pub(super) fn settle_before(&mut self, first: u64) {
        self.since = first;
        let (settled, retained): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.swaps).into_iter().partition(|swap| swap.block < first);
        self.swaps = retained;
        for swap in settled {
            add_flows(&mut self.settled, &swap);
        }
    }

    /// Returns the state at block `head`: the initial reserves with all executed swaps, and lower prices of the tokens
    /// in `price_drops`.
    pub(super) fn state(
        &self,
        initial: &PoolState,
        tokens: Vec<Address>,
        price_drops: &[(Address, u64)],
        head: u64,
    ) -> PoolState {
        let mut flows = self.settled.clone();
        self.swaps.iter().filter(|swap| swap.is_executed(head)).for_each(|swap| add_flows(&mut flows, swap));
        let asset = |(asset, token): (&AssetState, Address)| {
            let (inflow, outflow) = flows.get(&token).copied().unwrap_or_default();
            let reserve = asset.reserve.clone().map(|reserve| Trusted {
                value: Amount::new((reserve.value.base_units() + inflow).saturating_sub(outflow))
                    .unwrap_or(reserve.value),
                ..reserve
            });
            let is_dropped = price_drops.iter().any(|(dropped, _)| *dropped == token);
            let price = asset.price.clone().map(|price| if is_dropped { drop_price(price) } else { price });
            AssetState { price, reserve }
        };
        let assets = initial.assets.iter().zip(tokens).map(asset).collect();
        PoolState { assets, block: Some(head), ..initial.clone() }
    }
}

fn add_flows(flows: &mut BTreeMap<Address, (U256, U256)>, swap: &MinedSwap) {
    let event = &swap.execution.event;
    let input = &mut flows.entry(event.input_token).or_default().0;
    *input = input.saturating_add(event.input_amount);
    let output = &mut flows.entry(event.output_token).or_default().1;
    *output = output.saturating_add(event.output_amount);
}

fn drop_price(price: Trusted<Price>) -> Trusted<Price> {
    let steps = price.value.steps();
    Trusted { value: Price::new(steps - steps / 100 * PRICE_DROP_PERCENT).unwrap_or(price.value), ..price }
}

/// Returns the execution of a swap whose block was mined at `block_time`.
pub(super) fn executed_swap(swap: &MinedSwap, block_time: Timestamp) -> ExecutedSwap {
    ExecutedSwap {
        transaction_hash: swap.execution.hash,
        log_index: u64::try_from(swap.log_index).unwrap_or(0),
        block_number: swap.block,
        block_time: block_time.seconds(),
        event: swap.execution.event.clone(),
    }
}
