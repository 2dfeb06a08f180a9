//! A swap as a quote or a signature states it, in one form to be recomputed.

use firmquote_domain::{Address, Amount, ChainId, FixedSide, GoodUntil, GoodUntilKind};

use crate::{ImpliedPrices, QuoteResponse, SignResponse};

/// A swap as it was answered, with what is known of how it was priced.
#[derive(Clone, Copy, Debug)]
pub struct QuotedSwap {
    /// The chain.
    pub chain_id: ChainId,
    /// The pool, if it is known.
    pub pool: Option<Address>,
    /// The token and the base units that the pool gets.
    pub input: (Address, Amount),
    /// The token and the base units that the pool gives.
    pub output: (Address, Amount),
    /// The side whose amount the client named, if that is known.
    pub fixed: Option<FixedSide>,
    /// The seconds that the fee is for, if they are known.
    pub time_in_seconds: Option<u32>,
    /// The form of `good_until` that the pool's contract reads, if that is known.
    pub kind: Option<GoodUntilKind>,
    /// The prices that it was made with.
    pub prices: ImpliedPrices,
}

impl QuotedSwap {
    /// The swap of a quote of `pool`, whose client named the amount of `fixed`.
    pub fn from_quote(quote: &QuoteResponse, pool: Option<Address>, fixed: Option<FixedSide>) -> Self {
        Self {
            chain_id: quote.chain_id,
            pool,
            input: quote.input,
            output: quote.output,
            fixed,
            time_in_seconds: quote.time_in_seconds(),
            kind: None,
            prices: ImpliedPrices::Values { input: quote.input_value_in_usd, output: quote.output_value_in_usd },
        }
    }

    /// The swap of a signature; where it is silent, that of the `quote` it was made of.
    pub fn from_signed(signed: &SignResponse, quote: Option<&Self>) -> Self {
        let offer = &signed.offer;
        Self {
            chain_id: offer.pool.chain_id,
            pool: Some(offer.pool.address),
            input: (offer.input_token, offer.input_amount),
            output: (offer.output_token, offer.output_amount),
            fixed: quote.and_then(|quote| quote.fixed),
            time_in_seconds: quote.and_then(|quote| quote.time_in_seconds),
            kind: Some(offer.good_until.kind()),
            prices: match (offer.good_until, quote) {
                (GoodUntil::Packed(packed), _) => ImpliedPrices::Packed(packed),
                (GoodUntil::Plain(_), Some(quote)) => quote.prices,
                (GoodUntil::Plain(_), None) => ImpliedPrices::Unknown,
            },
        }
    }
}
