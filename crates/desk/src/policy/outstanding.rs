//! Limits on outstanding swaps: a signature costs nothing, and moves the price for everyone else until
//! its swap lapses.

use firmquote_domain::{Amount, BasisPoints, Client, PoolConstant, TokenFlows, U256, U512, Usd, narrow};
use firmquote_pricing::PairState;
use firmquote_store::OutstandingLimits;

use super::ClientTerms;

/// Limits on the amounts of a token that are outstanding at a time; the default sets none.
///
/// No trade may take more than half of what the limit that its client shares with others leaves, so that one trade never
/// shuts out the others. A client with nothing outstanding may sign one trade of up to its share of the reserve; further
/// ones only while its outstanding swaps move the price little. What lapses unused counts for its client as long again,
/// and what a named client has recently executed makes room for more.
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

/// By how much a client's room grows with what it has recently executed: an eighth of it.
const EARNED_DIVISOR: u64 = 8;

impl OutstandingPolicy {
    /// Returns the policy for a client with these terms.
    #[must_use]
    pub(crate) fn of_client(self, terms: Option<&ClientTerms>) -> Self {
        let of_client = terms.and_then(|terms| terms.max_outstanding);
        Self { max_share_of_client: self.max_share_of_client.into_iter().chain(of_client).min(), ..self }
    }

    /// Returns the largest share of the reserve of an output token that one trade of `client` may take, beside nothing
    /// else; rounded down.
    pub(crate) fn max_share_at_once(&self, client: &Client) -> Option<BasisPoints> {
        let half = |share: BasisPoints| BasisPoints::from_hundredths(share.hundredths() / 2);
        let shared_by_anonymous = self.max_share_of_anonymous.filter(|_| *client == Client::Anonymous);
        let shared = self.max_share.into_iter().chain(shared_by_anonymous).filter_map(half);
        shared.chain(self.max_share_of_client).min()
    }

    /// Returns the limits of `client` at these reserves, rounded down. `executed` is what it recently executed of the
    /// input token and of the output token.
    pub(crate) fn bounds(&self, client: &Client, reserves: &PairState, executed: [TokenFlows; 2]) -> OutstandingBounds {
        let (input, output) = (reserves.input.reserve, reserves.output.reserve);
        let is_anonymous = *client == Client::Anonymous;
        let anonymous_impact = self.max_impact_of_anonymous.filter(|_| is_anonymous);
        let impact = self.max_impact.into_iter().chain(anonymous_impact).min();
        let share = |share: Option<BasisPoints>, reserve| share.map(|share| share_of(reserve, share));
        let impact_limit = |reserve, executed: U512| {
            let earned = if is_anonymous { U256::ZERO } else { narrow(executed / U512::from(EARNED_DIVISOR))? };
            let limit = half_impact(reserve, impact?, reserves.k)?.saturating_add(earned);
            Some(share(self.max_share_of_client, reserve).map_or(limit, |max| limit.min(max)))
        };
        let [input_executed, output_executed] = executed;
        OutstandingBounds {
            pool_outflow: share(self.max_share, output),
            client_outflow: share(self.max_share_of_client, output),
            anonymous_outflow: share(self.max_share_of_anonymous.filter(|_| is_anonymous), output),
            network_outflow: share(self.max_share_of_network, output),
            impact_outflow: impact_limit(output, output_executed.outflow),
            impact_inflow: impact_limit(input, input_executed.inflow),
            client_swaps: self.max_swaps_of_client,
            client_entries: self.max_swaps_of_client.map(|swaps| swaps.saturating_mul(2).max(MIN_ENTRIES_OF_CLIENT)),
        }
    }
}

/// The limits of a client on outstanding swaps of two tokens at their current reserves, in base units; `None` for no
/// limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OutstandingBounds {
    /// Of the output, for all clients.
    pub(crate) pool_outflow: Option<U256>,
    /// Of the output, for the client.
    pub(crate) client_outflow: Option<U256>,
    /// Of the output, for all clients without credentials.
    pub(crate) anonymous_outflow: Option<U256>,
    /// Of the output, for the source network, once it has any outstanding.
    pub(crate) network_outflow: Option<U256>,
    /// Of the output, by the impact on the price, once the client has any outstanding.
    pub(crate) impact_outflow: Option<U256>,
    /// Of the input, by the impact on the price, once the client has any outstanding.
    pub(crate) impact_inflow: Option<U256>,
    pub(crate) client_swaps: Option<u32>,
    pub(crate) client_entries: Option<u32>,
}

impl OutstandingBounds {
    /// Returns the limits for a swap that takes out `output`: it may take at most half of what the others leave of a
    /// shared limit.
    pub(crate) fn limits(&self, output: Amount) -> OutstandingLimits {
        let other_half = |limit: U256| limit.saturating_sub(output.base_units());
        let shared = self.anonymous_outflow.map(other_half);
        OutstandingLimits {
            pool_outflow: self.pool_outflow.map(other_half),
            client_outflow: [self.client_outflow, self.impact_outflow, shared].into_iter().flatten().min(),
            client_inflow: self.impact_inflow,
            network_outflow: self.network_outflow,
            client_swaps: self.client_swaps,
            client_entries: self.client_entries,
        }
    }
}

/// `share` of `reserve`, rounded down.
pub(crate) fn share_of(reserve: Amount, share: BasisPoints) -> U256 {
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
        let k = k.parse::<PoolConstant>().unwrap();
        PairState {
            input: side(1_000_000),
            output: side(2_000_000),
            k,
            fee: BasisPoints::default(),
            max_improvement: None,
        }
    }

    fn policy() -> OutstandingPolicy {
        let bps = |text: &str| Some(text.parse::<BasisPoints>().unwrap());
        OutstandingPolicy {
            max_share: bps("2000"),
            max_share_of_client: bps("1000"),
            max_share_of_anonymous: bps("20"),
            max_impact: bps("25"),
            max_impact_of_anonymous: bps("5"),
            max_swaps_of_client: Some(10_000),
            ..OutstandingPolicy::default()
        }
    }

    #[test]
    fn limits_are_the_minimum_of_share_and_impact_rounded_down() {
        let named = Client::Named("acme".into());
        let limits = |client: &Client, k| {
            let bounds = policy().bounds(client, &reserves(k), [TokenFlows::default(); 2]);
            let OutstandingLimits { pool_outflow, client_outflow, client_inflow, .. } = bounds.limits(Amount::ONE);
            [pool_outflow, client_outflow, client_inflow].map(|limit| limit.map(|limit| limit.to::<u64>()))
        };
        assert_eq!(limits(&named, "0.06"), [Some(399_999), Some(41_666), Some(20_833)]);
        assert_eq!(limits(&named, "0.001"), [Some(399_999), Some(200_000), Some(100_000)]);
        assert_eq!(limits(&named, "0"), [Some(399_999), Some(200_000), None]);
        assert_eq!(limits(&Client::Anonymous, "0.06"), [Some(399_999), Some(3_999), Some(4_166)]);
        let none = OutstandingPolicy::default().bounds(&named, &reserves("0.06"), [TokenFlows::default(); 2]);
        assert_eq!(none.limits(Amount::ONE), OutstandingLimits::default());
    }

    #[test]
    fn what_a_named_client_executes_makes_room_up_to_its_share() {
        let named = Client::Named("acme".into());
        let executed = |amount: u64| TokenFlows { inflow: U512::from(amount), outflow: U512::from(amount) };
        for (client, amount, expected) in [
            (&named, 80_000, [51_666, 30_833]),
            (&named, 1_600_000, [200_000, 100_000]),
            (&Client::Anonymous, 1_600_000, [3_999, 4_166]),
        ] {
            let bounds = policy().bounds(client, &reserves("0.06"), [executed(amount); 2]);
            let limits = bounds.limits(Amount::ONE);
            let found = [limits.client_outflow, limits.client_inflow].map(|limit| limit.unwrap().to::<u64>());
            assert_eq!(found, expected, "{client:?} {amount}");
        }
    }

    #[test]
    fn no_trade_takes_more_than_half_of_a_shared_limit() {
        let share = |client: &Client| policy().max_share_at_once(client).map(|share| share.to_string());
        assert_eq!(share(&Client::Named("acme".into())).as_deref(), Some("1000"));
        assert_eq!(share(&Client::Anonymous).as_deref(), Some("10"));
        let wide = OutstandingPolicy { max_share_of_client: None, ..policy() };
        assert_eq!(wide.max_share_at_once(&Client::Named("acme".into())).unwrap().hundredths(), 100_000);
        assert_eq!(OutstandingPolicy::default().max_share_at_once(&Client::Anonymous), None);
    }
}
