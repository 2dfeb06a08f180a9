//! Limits on outstanding swaps: a signature costs nothing, and moves the price for everyone else until
//! its swap lapses.

use firmquote_domain::{Amount, BasisPoints, Client, PoolConstant, U256, U512, Usd, narrow};
use firmquote_pricing::PairState;
use firmquote_store::OutstandingLimits;

/// Limits on the amounts of a token that are outstanding at a time; the default sets none.
///
/// A client with nothing outstanding may always sign one trade within the pool's limit. What lapses unused counts for
/// its client as long again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutstandingPolicy {
    /// The largest share of the reserve of an output token, for all clients.
    pub max_share: Option<BasisPoints>,
    /// The largest share of the reserve of an output token, for one client.
    pub max_share_of_client: Option<BasisPoints>,
    /// The largest share of the reserve of an output token, for all clients without credentials together.
    pub max_share_of_anonymous: Option<BasisPoints>,
    /// The largest share of the reserve of an output token, for each source network of requests without credentials.
    pub max_share_of_network: Option<BasisPoints>,
    /// The largest number of swaps of one client, regardless of their size; all clients without credentials are one.
    pub max_swaps_of_client: Option<u32>,
    /// How far the outstanding swaps of one client may move the price; half of it on each side of a swap.
    pub max_impact: Option<BasisPoints>,
    /// How far the outstanding swaps of all clients without credentials may move the price.
    pub max_impact_of_anonymous: Option<BasisPoints>,
    /// The smallest swap that is guaranteed on request, by the value of its input.
    pub min_guaranteed: Usd,
    /// How many of the latest blocks may still be replaced: what the contract executed there makes no room for others.
    pub confirmations: u64,
}

/// The number of swaps of a client that any pool's book has room for, in any state: of some that settle within seconds,
/// but are kept for many blocks.
const MIN_ENTRIES_OF_CLIENT: u32 = 20_000;

impl OutstandingPolicy {
    /// Returns the limits of `client` at these reserves, rounded down.
    pub(crate) fn limits(&self, client: &Client, reserves: &PairState) -> OutstandingLimits {
        let (share, impact) = match client {
            Client::Named(_) => (self.max_share_of_client, self.max_impact),
            Client::Anonymous => (
                self.max_share_of_client.into_iter().chain(self.max_share_of_anonymous).min(),
                self.max_impact.into_iter().chain(self.max_impact_of_anonymous).min(),
            ),
        };
        let (input, output) = (reserves.input.reserve, reserves.output.reserve);
        let impact_limit = |reserve| impact.and_then(|impact| half_impact(reserve, impact, reserves.k));
        let share_limit = share.map(|share| share_of(output, share));
        OutstandingLimits {
            pool_outflow: self.max_share.map(|share| share_of(output, share)),
            client_outflow: share_limit.into_iter().chain(impact_limit(output)).min(),
            client_inflow: impact_limit(input),
            network_outflow: self.max_share_of_network.map(|share| share_of(output, share)),
            client_swaps: self.max_swaps_of_client,
            client_entries: self.max_swaps_of_client.map(|swaps| swaps.saturating_mul(2).max(MIN_ENTRIES_OF_CLIENT)),
        }
    }
}

/// `share` of `reserve`, rounded down.
pub(super) fn share_of(reserve: Amount, share: BasisPoints) -> U256 {
    let product = U512::from(reserve.base_units()) * U512::from(share.hundredths());
    let quotient = product / U512::from(BasisPoints::SCALE);
    // A share is less than the whole.
    narrow(quotient).unwrap_or(reserve.base_units())
}

/// The flow on one side of a swap that moves the price by half of `impact`, to first order: `k` times the flow over the
/// reserve; rounded down. `None` if no flow does.
pub(crate) fn half_impact(reserve: Amount, impact: BasisPoints, k: PoolConstant) -> Option<U256> {
    let product = U512::from(reserve.base_units())
        * U512::from(impact.hundredths())
        * U512::from(PoolConstant::SCALE / u64::from(BasisPoints::SCALE) / 2);
    narrow(product.checked_div(U512::from(k.steps()))?)
}

#[cfg(test)]
mod tests {
    use firmquote_domain::{Decimals, Price, Weight};
    use firmquote_pricing::PairAsset;

    use super::*;

    fn reserves(k: &str) -> PairState {
        let side = |reserve: u64| PairAsset {
            reserve: Amount::new(U256::from(reserve)).unwrap(),
            price: Price::new(1).unwrap(),
            weight: Weight::new(1).unwrap(),
            decimals: Decimals::new(6).unwrap(),
        };
        let k = PoolConstant::from_decimal(k).unwrap();
        PairState { input: side(1_000_000), output: side(2_000_000), k, fee: BasisPoints::default() }
    }

    #[test]
    fn limits_are_the_minimum_of_share_and_impact_rounded_down() {
        let bps = |text| Some(BasisPoints::from_decimal(text).unwrap());
        let policy = OutstandingPolicy {
            max_share: bps("2000"),
            max_share_of_client: bps("1000"),
            max_share_of_anonymous: bps("20"),
            max_impact: bps("25"),
            max_impact_of_anonymous: bps("5"),
            max_swaps_of_client: Some(10_000),
            ..OutstandingPolicy::default()
        };
        let named = Client::Named("acme".into());
        let limits = |client: &Client, k| {
            let OutstandingLimits { pool_outflow, client_outflow, client_inflow, .. } =
                policy.limits(client, &reserves(k));
            [pool_outflow, client_outflow, client_inflow].map(|limit| limit.map(|limit| limit.to::<u64>()))
        };
        assert_eq!(limits(&named, "0.06"), [Some(400_000), Some(41_666), Some(20_833)]);
        assert_eq!(limits(&named, "0.001"), [Some(400_000), Some(200_000), Some(1_250_000)]);
        assert_eq!(limits(&named, "0"), [Some(400_000), Some(200_000), None]);
        assert_eq!(limits(&Client::Anonymous, "0.06"), [Some(400_000), Some(4_000), Some(4_166)]);
        for client in [&named, &Client::Anonymous] {
            assert_eq!(policy.limits(client, &reserves("0.06")).client_swaps, Some(10_000), "{client:?}");
        }
        let none = OutstandingPolicy::default().limits(&named, &reserves("0.06"));
        assert_eq!(none, OutstandingLimits::default());
    }
}
