//! Data for display: a pool as clients see it, and figures derived from a quote.

use std::sync::Arc;

use firmquote_domain::{
    Address, Amount, BasisPoints, Leg, Pool, Price, Quote, SignedQuote, StateId, Timestamp, U256, Usd,
};

/// The value of a leg in US dollars at the quoted price, as the nearest double. For display only.
pub fn value_in_usd(leg: &Leg) -> f64 {
    firmquote_pricing::value_in_usd(leg.amount, leg.price, leg.decimals)
}

/// Whole output tokens per whole input token. For display only.
pub fn rate(quote: &Quote) -> f64 {
    firmquote_pricing::rate((quote.input.amount, quote.input.decimals), (quote.output.amount, quote.output.decimals))
}

/// ABI-encodes the call of the pool contract that executes a signed quote.
pub fn calldata(signed: &SignedQuote) -> Vec<u8> {
    firmquote_calldata::encode(&signed.offer(), &signed.terms, &signed.signature)
}

/// A pool with its current state, the fees for one `time_in_seconds` and the limits of one client.
///
/// Sufficient to recompute every quote of the pool to the base unit. An asset that is not currently quoted has no
/// price, and its pairs have no fee.
#[derive(Clone, Debug)]
pub struct PoolView {
    /// The pool as configured.
    pub pool: Arc<Pool>,
    /// The address of the signing account.
    pub signer: Address,
    /// The known state of each asset, in the pool's order.
    pub assets: Vec<AssetView>,
    /// The state that quotes are priced on: the prices, reserves and outstanding amounts of this view.
    pub state_id: StateId,
    /// The number of the block of the reserves; `None` if they are configured.
    pub block_number: Option<u64>,
    /// The time of that block; `None` if they do not age.
    pub block_time: Option<Timestamp>,
    /// The largest single trade that would be signed for the client; `None` if only the reserves limit it.
    pub largest_trade: Option<Usd>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
    /// The `time_in_seconds` that the fees apply to.
    pub time_in_seconds: u32,
    /// The fee of each pair, in the pool's order; `None` for a pair that is not currently quoted.
    pub fees: Vec<Option<BasisPoints>>,
    /// The value of all reserves in US dollars; `None` unless the value of every asset is known.
    pub value_in_usd: Option<f64>,
}

/// The state of an asset; values that are not trusted are absent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AssetView {
    /// The price of one whole token.
    pub price: Option<Price>,
    /// The reserve in base units.
    pub reserve: Option<Amount>,
    /// The maximum inflow of outstanding swaps, in base units, push swaps included: quotes that take the asset as input
    /// are priced as if it had come in.
    pub outstanding_inflow: U256,
    /// The maximum outflow of outstanding swaps, in base units, push swaps included: quotes that give the asset are
    /// priced as if it had gone out.
    pub outstanding_outflow: U256,
    /// The value of the reserve in US dollars.
    pub value_in_usd: Option<f64>,
    /// The value of the asset in the pool's target composition, in US dollars; depends on all assets.
    pub target_value_in_usd: Option<f64>,
}
