//! Checks that a response matches its request. A signed swap is sent to the chain unchanged, so nothing else may pass.

use crate::{FixedAmount, Quote, QuoteRequest, QuotedSwap, SignedSwap, SwapTerms};

/// Checks that `quote` is for the chain, the amount, the pool and the levels of `request`.
pub(crate) fn check_quote(request: &QuoteRequest, quote: &Quote) -> Result<(), &'static str> {
    let is_amount = match request.amount {
        FixedAmount::Input(amount) => amount == quote.input_amount,
        FixedAmount::Output(amount) => amount == quote.output_amount,
    };
    let is_pool = request.pool_address.is_none_or(|pool| quote.pool_address == Some(pool));
    check(quote.chain_id == request.chain_id, "it is for another chain")?;
    check(is_amount, "it is for another amount")?;
    check(is_pool, "it is for another pool")?;
    check(request.levels_id == quote.levels_id, "it is of other levels")
}

/// Checks that `quoted` is for the chain, the amount, the pool and the levels of `request`.
pub(crate) fn check_swap(request: &QuoteRequest, quoted: &QuotedSwap) -> Result<(), &'static str> {
    let swap = &quoted.swap;
    let is_amount = match request.amount {
        FixedAmount::Input(amount) => amount == swap.input_amount,
        FixedAmount::Output(amount) => amount == swap.output_amount,
    };
    let is_pool = request.pool_address.is_none_or(|pool| pool == swap.service_exchange_address);
    check(swap.chain_id == request.chain_id, "it is for another chain")?;
    check(is_amount, "it is for another amount")?;
    check(is_pool, "it is for another pool")?;
    check(request.levels_id == quoted.levels_id, "it is of other levels")
}

/// Checks that `swap` is signed for `terms`, as far as the response shows.
pub(crate) fn check_terms(terms: &SwapTerms, swap: &SignedSwap) -> Result<(), &'static str> {
    check(swap.destination_address == terms.destination, "it pays to another destination")?;
    check(swap.calldata.is_some() == terms.calldata, "it has unrequested calldata, or lacks requested calldata")
}

/// Checks that `swap` is what was quoted in `quote`, for the pool that it names.
pub(crate) fn check_matches_quote(quote: &Quote, swap: &SignedSwap) -> Result<(), &'static str> {
    let is_same = (quote.chain_id, quote.input_asset_address, quote.output_asset_address)
        == (swap.chain_id, swap.input_asset_address, swap.output_asset_address)
        && (quote.input_amount, quote.output_amount) == (swap.input_amount, swap.output_amount)
        && quote.good_until == swap.good_until.expires_at()
        && quote.pool_address.is_none_or(|pool| pool == swap.service_exchange_address);
    check(is_same, "it is not what was quoted")
}

/// Checks that `fresh` may replace `quote`: the same chain, pool and tokens, and one of the two amounts, as a quote does not
/// tell which of them was requested.
pub(crate) fn check_fresh_quote(quote: &Quote, fresh: &Quote) -> Result<(), &'static str> {
    let is_swap = (quote.chain_id, quote.pool_address, quote.input_asset_address, quote.output_asset_address)
        == (fresh.chain_id, fresh.pool_address, fresh.input_asset_address, fresh.output_asset_address);
    let is_amount = quote.input_amount == fresh.input_amount || quote.output_amount == fresh.output_amount;
    check(is_swap, "it is for another swap")?;
    check(is_amount, "it is for another amount")
}

fn check(is_right: bool, otherwise: &'static str) -> Result<(), &'static str> {
    if is_right { Ok(()) } else { Err(otherwise) }
}
