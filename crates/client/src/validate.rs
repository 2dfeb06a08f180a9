//! Whether an answer is one to what was asked. What is signed is sent to the chain as it is, so nothing else may pass.

use crate::{FixedAmount, Quote, QuoteRequest, SignedSwap, SwapTerms};

/// Whether `quote` is for the chain and the amount of `request`.
pub(crate) fn is_quoted(request: &QuoteRequest, quote: &Quote) -> Result<(), &'static str> {
    let is_amount = match request.amount {
        FixedAmount::Input(amount) => amount == quote.input_amount,
        FixedAmount::Output(amount) => amount == quote.output_amount,
    };
    check(quote.chain_id == request.chain_id, "it is about another chain")?;
    check(is_amount, "it is about another amount")
}

/// Whether `swap` is what `request` asked to be quoted.
pub(crate) fn is_swapped(request: &QuoteRequest, swap: &SignedSwap) -> Result<(), &'static str> {
    let is_amount = match request.amount {
        FixedAmount::Input(amount) => amount == swap.input_amount,
        FixedAmount::Output(amount) => amount == swap.output_amount,
    };
    let is_pool = request.pool_address.is_none_or(|pool| pool == swap.service_exchange_address);
    check(swap.chain_id == request.chain_id, "it is about another chain")?;
    check(is_amount, "it is about another amount")?;
    check(is_pool, "it is about another pool")
}

/// Whether `swap` is signed for `terms`, as far as it says.
pub(crate) fn is_signed(terms: &SwapTerms, swap: &SignedSwap) -> Result<(), &'static str> {
    check(swap.destination_address == terms.destination, "it pays to another destination")?;
    check(swap.calldata.is_some() == terms.calldata, "it has calldata that was not asked for, or none that was")
}

/// Whether `swap` is what `quote` says.
pub(crate) fn is_of(quote: &Quote, swap: &SignedSwap) -> Result<(), &'static str> {
    let is_same = (quote.chain_id, quote.input_asset_address, quote.output_asset_address)
        == (swap.chain_id, swap.input_asset_address, swap.output_asset_address)
        && (quote.input_amount, quote.output_amount) == (swap.input_amount, swap.output_amount)
        && quote.good_until == swap.good_until.expires_at();
    check(is_same, "it is not what was quoted")
}

fn check(is_right: bool, otherwise: &'static str) -> Result<(), &'static str> {
    if is_right { Ok(()) } else { Err(otherwise) }
}
