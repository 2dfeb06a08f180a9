//! A common form of quotes and signed swaps, for recomputation.

use firmquote_api::{Quote, SignedSwap};
use firmquote_domain::{Address, ChainId, FixedSide, GoodUntil, GoodUntilKind, PoolConstant};

use crate::{ImpliedPrices, QuotedLevels, TokenAmount};

/// A quoted or signed swap, with the known inputs of its pricing.
#[derive(Clone, Copy, Debug)]
pub struct PricedSwap {
    /// The chain.
    pub chain_id: ChainId,
    /// The pool, if known.
    pub pool: Option<Address>,
    /// Paid to the pool.
    pub input: TokenAmount,
    /// Paid by the pool.
    pub output: TokenAmount,
    /// The side whose amount the client requested, if known.
    pub fixed: Option<FixedSide>,
    /// The `time_in_seconds` that the fee is for, if known.
    pub time_in_seconds: Option<u32>,
    /// The form of `good_until` that the pool's contract expects, if known.
    pub kind: Option<GoodUntilKind>,
    /// The prices that the response implies.
    pub prices: ImpliedPrices,
    /// The terms of the quote at the levels that the request named, if any.
    pub levels: Option<QuotedLevels>,
}

impl PricedSwap {
    /// Creates the swap of a quote, with the amount of the side `fixed` requested by the client.
    pub fn from_quote(quote: &Quote, fixed: Option<FixedSide>) -> Self {
        Self {
            chain_id: *quote.chain_id,
            pool: quote.pool_address.map(|address| *address),
            input: TokenAmount { token: *quote.input_asset_address, amount: *quote.input_amount },
            output: TokenAmount { token: *quote.output_asset_address, amount: *quote.output_amount },
            fixed,
            time_in_seconds: quote.time_in_seconds(),
            kind: None,
            prices: ImpliedPrices::Values { input: *quote.input_value_in_usd, output: *quote.output_value_in_usd },
            levels: QuotedLevels::from_quote(quote),
        }
    }

    /// Creates the swap of a signature; members that it lacks come from the `quote` that was signed.
    pub fn from_signed(signed: &SignedSwap, quote: Option<&Self>) -> Self {
        let offer = signed.offer();
        Self {
            chain_id: offer.pool.chain_id,
            pool: Some(offer.pool.address),
            input: TokenAmount { token: offer.input_token, amount: offer.input_amount },
            output: TokenAmount { token: offer.output_token, amount: offer.output_amount },
            fixed: quote.and_then(|quote| quote.fixed),
            time_in_seconds: quote.and_then(|quote| quote.time_in_seconds),
            kind: match offer.good_until {
                // The k of the pool is 0, or the price bounds the rate: in either case the contract checks no curve.
                GoodUntil::Packed(packed) if packed.k == PoolConstant::ZERO => None,
                good_until => Some(good_until.kind()),
            },
            prices: match (offer.good_until, quote) {
                (GoodUntil::Packed(packed), _) if packed.k != PoolConstant::ZERO => ImpliedPrices::Packed(packed),
                (_, Some(quote)) => quote.prices,
                (_, None) => ImpliedPrices::Unknown,
            },
            levels: quote.and_then(|quote| quote.levels),
        }
    }
}
