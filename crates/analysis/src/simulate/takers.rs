//! Takers: what they request, and which quotes they accept.

use firmquote_domain::{Address, Usd};
use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use super::prices::uniform;
use crate::Money;

/// A client of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taker {
    /// The name of the client.
    pub name: String,
    /// What it trades for.
    pub strategy: TakerStrategy,
    /// How often it considers a trade a day.
    pub trades_per_day: u32,
    /// The least and the largest value of a trade; sizes are spread evenly over their logarithm.
    pub size: [Usd; 2],
}

/// What a taker trades for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakerStrategy {
    /// It needs the swap, in a random direction, and accepts a price that is as far from the composite price as it is
    /// patient: exponentially distributed with this mean, in basis points. Of twenty swaps it gives up one.
    Uninformed {
        /// The mean of the accepted cost.
        mean_cost_bps: u32,
    },
    /// It knows the prices of so many seconds later, and trades if it gains at them.
    Informed {
        /// How far it is ahead, in seconds.
        lead_seconds: u32,
    },
    /// It trades if the pool gives more than the composite prices, by more than this.
    Rebalancing {
        /// What a transaction costs it.
        cost: Usd,
    },
}

impl Taker {
    /// Whether it considers a trade in this second.
    pub(super) fn is_active(&self, random: &mut ChaCha8Rng) -> bool {
        random.random_range(0..86_400) < self.trades_per_day
    }

    /// Returns the value of its next trade.
    pub(super) fn trade_value(&self, random: &mut ChaCha8Rng) -> Usd {
        let [least, largest] = self.size.map(|usd| usd.to_string().parse::<f64>().unwrap_or(1.0).max(0.01));
        let value = libm::exp(libm::log(least) + uniform(random) * (libm::log(largest) - libm::log(least)));
        format!("{value:.2}").parse::<Usd>().unwrap_or(self.size[0])
    }

    /// Whether it accepts to pay what is worth `paid` for what is worth `received`, both at the composite prices;
    /// `paid_later` and `received_later` at those that it knows.
    pub(super) fn accepts(&self, now: [&Money; 2], later: [&Money; 2], random: &mut ChaCha8Rng) -> bool {
        let ([paid, received], [paid_later, received_later]) = (now, later);
        match self.strategy {
            TakerStrategy::Uninformed { mean_cost_bps } => {
                let patience = -libm::log(uniform(random)) * f64::from(mean_cost_bps) * 100.0;
                let cost = (paid - received).hundredths_of_basis_points_of(paid);
                cost.and_then(|cost| i32::try_from(cost).ok()).is_some_and(|cost| f64::from(cost) <= patience)
            }
            TakerStrategy::Informed { .. } => received_later > paid_later,
            TakerStrategy::Rebalancing { cost } => (received - paid) > Money::from(cost),
        }
    }

    /// Returns how many seconds it takes to decide.
    pub(super) fn decision_seconds(&self, random: &mut ChaCha8Rng) -> usize {
        match self.strategy {
            TakerStrategy::Uninformed { .. } => random.random_range(1..=8),
            TakerStrategy::Informed { .. } | TakerStrategy::Rebalancing { .. } => random.random_range(0..=1),
        }
    }

    /// Whether it gives up a swap that was signed.
    pub(super) fn gives_up(&self, random: &mut ChaCha8Rng) -> bool {
        matches!(self.strategy, TakerStrategy::Uninformed { .. }) && random.random_range(0..20) == 0
    }

    /// Returns how far ahead it knows the prices.
    pub(super) const fn lead_seconds(&self) -> u32 {
        match self.strategy {
            TakerStrategy::Informed { lead_seconds } => lead_seconds,
            TakerStrategy::Uninformed { .. } | TakerStrategy::Rebalancing { .. } => 0,
        }
    }
}

/// Returns the account of a taker.
pub(super) fn account(number: usize) -> Address {
    Address::left_padding_from(&u64::try_from(number).unwrap_or(u64::MAX).saturating_add(0x1_0000).to_be_bytes())
}
