//! The limits on outstanding swaps in US dollars, for an operator to compare with real flow.

use firmquote_domain::{Amount, BasisPoints, Client, Pair, Symbol, TokenFlows, U256, Usd};
use firmquote_pricing::{PairAsset, PairState, value_rounded_down};

use super::display::PoolView;
use crate::policy::{OutstandingPolicy, share_of};

/// The limits on outstanding swaps of one token for another, in US dollars, rounded down; `None` for no limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairOutstandingLimits {
    /// The asset paid to the pool.
    pub input: Symbol,
    /// The asset paid by the pool.
    pub output: Symbol,
    /// A single trade beside nothing else.
    pub first_trade: Option<Usd>,
    /// All outstanding swaps of the client, from its second trade on, before it has executed any.
    pub of_client: Option<Usd>,
    /// All outstanding swaps of all clients.
    pub of_pool: Option<Usd>,
}

impl PoolView {
    /// Returns the limits of `policy` on `client` for each pair in both directions, at the prices and reserves of this
    /// view; without the pairs of which either is unknown.
    pub fn outstanding_limits(&self, policy: &OutstandingPolicy, client: &Client) -> Vec<PairOutstandingLimits> {
        let spec = self.pool.spec();
        let limits = |[input, output]: [&Symbol; 2]| {
            let state = PairState {
                input: self.side(input)?,
                output: self.side(output)?,
                k: spec.k,
                fee: BasisPoints::default(),
                max_improvement: None,
            };
            let bounds = policy.bounds(client, &state, [TokenFlows::default(); 2]);
            let value = |amount: U256, asset: &PairAsset| {
                Amount::new(amount)
                    .map_or_else(Usd::default, |amount| value_rounded_down(amount, asset.price, asset.decimals))
            };
            let outflow = |amount: U256| value(amount, &state.output);
            let of_client = [bounds.client_outflow, bounds.impact_outflow, bounds.anonymous_outflow];
            let of_client = of_client.into_iter().flatten().map(outflow);
            let first_trade =
                policy.max_share_at_once(client).map(|share| outflow(share_of(state.output.reserve, share)));
            Some(PairOutstandingLimits {
                input: input.clone(),
                output: output.clone(),
                first_trade,
                of_client: of_client.chain(bounds.impact_inflow.map(|amount| value(amount, &state.input))).min(),
                of_pool: bounds.pool_outflow.map(outflow),
            })
        };
        spec.pairs.iter().flat_map(Pair::directions).filter_map(limits).collect()
    }
}
