//! Data for display: a pool as clients see it, and figures derived from a quote.

use std::sync::Arc;

use firmquote_domain::{Address, Amount, BasisPoints, Leg, Pool, Price, Quote, SignedQuote, U256, Usd};

/// The value of a leg in US dollars at the quoted price, as the nearest double. For display only.
pub fn value_in_usd(leg: &Leg) -> f64 {
    firmquote_pricing::value_in_usd(leg.amount, leg.price, leg.decimals)
}

/// Whole tokens out for each whole token in. For display only.
pub fn rate(quote: &Quote) -> f64 {
    firmquote_pricing::rate((quote.input.amount, quote.input.decimals), (quote.output.amount, quote.output.decimals))
}

/// The call of the pool contract that executes a signed quote.
pub fn calldata(signed: &SignedQuote) -> Vec<u8> {
    firmquote_calldata::encode(&signed.offer(), &signed.terms, &signed.signature)
}

/// A pool with its present state, and the fees for one `time_in_seconds` and the limits of one client.
///
/// With it anyone can recompute every quote of the pool to the unit. An asset that is not quoted at present has no price, and
/// its pairs no fee.
#[derive(Clone, Debug)]
pub struct PoolView {
    /// The pool as configured.
    pub pool: Arc<Pool>,
    /// The account that signs for it.
    pub signer: Address,
    /// What is known of each asset, in the pool's order.
    pub assets: Vec<AssetView>,
    /// The largest trade that would be signed for the client at once; `None` where only the reserves limit it.
    pub largest_trade: Option<Usd>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
    /// The time the fees are for.
    pub time_in_seconds: u32,
    /// The fee of each of the pool's pairs, in their order; `None` for a pair that is not quoted at present.
    pub fees: Vec<Option<BasisPoints>>,
    /// The value of all reserves in US dollars, if it is known of every asset.
    pub value_in_usd: Option<f64>,
}

/// What is known of an asset, as far as it is trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AssetView {
    /// Its price.
    pub price: Option<Price>,
    /// The reserve of it, in base units.
    pub reserve: Option<Amount>,
    /// The value of that reserve in US dollars.
    pub value_in_usd: Option<f64>,
    /// The value that it would have in the pool's target composition, which follows from all assets.
    pub target_value_in_usd: Option<f64>,
}
