//! The swaps that a pool executed: what they explain of a change of its balances, and what they are worth ten seconds
//! later.

use std::collections::HashMap;

use firmquote_desk::{ExecutedSwap, ObservedBlock};
use firmquote_domain::{Address, B256, PoolSpec, Timestamp, U256, U512};

use super::{
    holdings::{AssetPrice, share, value},
    window::Figure,
};

/// How long after an execution a swap is valued, in seconds.
pub(crate) const HORIZON_SECONDS: u32 = 10;

/// How late a swap may be valued, in seconds: later prices tell something else.
const MAX_DELAY_SECONDS: u32 = 5;

/// A gain or a loss, in the units of [`value`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Net {
    pub(crate) gained: U512,
    pub(crate) lost: U512,
}

impl Net {
    pub(crate) fn add(&mut self, other: Self) {
        self.gained = self.gained.saturating_add(other.gained);
        self.lost = self.lost.saturating_add(other.lost);
    }
}

/// What a swap moved, by the positions of the assets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Movement {
    pub(crate) block_number: u64,
    time: Timestamp,
    input: (usize, U256),
    output: (usize, U256),
}

impl Movement {
    fn new(swap: &ExecutedSwap, spec: &PoolSpec) -> Option<Self> {
        let position = |token: Address| spec.assets.iter().position(|asset| asset.address == token);
        Some(Self {
            block_number: swap.block_number,
            time: Timestamp::from_seconds(swap.block_time.get()),
            input: (position(swap.event.input_token)?, swap.event.input_amount),
            output: (position(swap.event.output_token)?, swap.event.output_amount),
        })
    }

    #[cfg(test)]
    pub(crate) const fn test(block_number: u64, time: Timestamp, input: (usize, U256), output: (usize, U256)) -> Self {
        Self { block_number, time, input, output }
    }

    /// Whether `now` is not too late to value the swap.
    fn is_timely(&self, now: Timestamp) -> bool {
        now <= self.time.plus_seconds(HORIZON_SECONDS + MAX_DELAY_SECONDS)
    }

    /// Returns what the pool gained and lost by the swap at `prices`.
    pub(crate) fn net(&self, prices: &[AssetPrice]) -> Option<Net> {
        let worth = |(position, amount): (usize, U256)| {
            let price = prices.get(position..)?.first()?;
            value(&[U512::from(amount)], std::slice::from_ref(price))
        };
        Some(Net { gained: worth(self.input)?, lost: worth(self.output)? })
    }
}

/// The position of a swap on the chain.
type SwapKey = (B256, u64);

/// The swaps of the blocks that were read last.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecentSwaps {
    /// The first block whose swaps are here.
    pub(crate) since: u64,
    /// The last block whose swaps are here.
    pub(crate) until: u64,
    pub(crate) movements: HashMap<SwapKey, Movement>,
}

impl RecentSwaps {
    pub(crate) fn new(block: &ObservedBlock, spec: &PoolSpec) -> Self {
        let movements = block
            .swaps
            .iter()
            .filter_map(|swap| Some(((swap.transaction_hash, swap.log_index), Movement::new(swap, spec)?)));
        Self { since: block.since, until: block.number, movements: movements.collect() }
    }

    /// Returns what swaps gained and lost between the blocks that were read with `earlier` and with these; `None` if some
    /// of them are not here. After a reorganization, swaps that are gone count in reverse.
    pub(crate) fn net_since(&self, earlier: &Self, prices: &[AssetPrice]) -> Option<Net> {
        let since = self.since.max(earlier.since);
        if since > earlier.until.saturating_add(1) {
            return None;
        }
        let mut net = Net::default();
        for (key, movement) in self.movements.iter().filter(|(_, movement)| movement.block_number >= since) {
            if !earlier.movements.contains_key(key) {
                net.add(movement.net(prices)?);
            }
        }
        for (key, movement) in earlier.movements.iter().filter(|(_, movement)| movement.block_number >= since) {
            if !self.movements.contains_key(key) {
                let Net { gained, lost } = movement.net(prices)?;
                net.add(Net { gained: lost, lost: gained });
            }
        }
        Some(net)
    }
}

/// What executed swaps were worth ten seconds later.
#[derive(Clone, Debug, Default)]
pub(crate) struct MarkOuts {
    pending: HashMap<SwapKey, Movement>,
    valued: HashMap<SwapKey, (Movement, Net)>,
}

impl MarkOuts {
    /// Adds the swaps of a block, and removes those that a reorganization undid.
    pub(crate) fn observe(&mut self, swaps: &RecentSwaps, now: Timestamp) {
        let is_executed = |key: &SwapKey, movement: &Movement| {
            movement.block_number < swaps.since || swaps.movements.contains_key(key)
        };
        self.pending.retain(|key, movement| is_executed(key, movement));
        self.valued.retain(|key, (movement, _)| is_executed(key, movement));
        for (key, movement) in &swaps.movements {
            if movement.is_timely(now) && !self.valued.contains_key(key) {
                self.pending.insert(*key, *movement);
            }
        }
    }

    /// Values the swaps whose time has come; those for which it is too late are left out.
    pub(crate) fn value(&mut self, prices: &[AssetPrice], now: Timestamp) {
        let valued = &mut self.valued;
        self.pending.retain(|key, movement| {
            let is_due = now >= movement.time.plus_seconds(HORIZON_SECONDS);
            if let Some(net) = movement.net(prices).filter(|_| is_due && movement.is_timely(now)) {
                valued.insert(*key, (*movement, net));
            }
            !is_due
        });
    }

    /// Forgets swaps from before `since`.
    pub(crate) fn start_at(&mut self, since: Timestamp) {
        self.pending.retain(|_, movement| movement.time >= since);
        self.valued.retain(|_, (movement, _)| movement.time >= since);
    }

    /// Returns the loss of all swaps from `since` on as a share of `whole`, with the time of the first; `None` without any.
    pub(crate) fn loss(&self, since: Timestamp, whole: U512) -> Option<Figure> {
        let valued = self.valued.values().filter(|(movement, _)| movement.time >= since);
        let mut net = Net::default();
        valued.clone().for_each(|(_, swap)| net.add(*swap));
        let first = valued.map(|(movement, _)| movement.time).min()?;
        Some(Figure { share: share(net.lost.saturating_sub(net.gained), whole), since: first })
    }
}
