//! Quotes and signed swaps as responses.

use alloy_primitives::Bytes;
use firmquote_api as api;
use firmquote_desk::{calldata, rate, value_in_usd};
use firmquote_domain::{Quote, SignedQuote, Usd};

/// Returns the response about `quote`, whose client may trade up to `largest_trade` at once.
pub(crate) fn quote_response(quote: &Quote, largest_trade: Option<Usd>) -> api::Quote {
    let levels = quote.levels.as_deref();
    api::Quote {
        id: quote.id.into(),
        must_accept_by: quote.must_accept_by.into(),
        good_until: quote.good_until.expires_at().into(),
        chain_id: quote.pool.chain_id.into(),
        input_amount: quote.input.amount.into(),
        output_amount: quote.output.amount.into(),
        input_value_in_usd: value_in_usd(&quote.input).into(),
        output_value_in_usd: value_in_usd(&quote.output).into(),
        created_at: quote.created_at.seconds().into(),
        rate: rate(quote).into(),
        input_asset_address: quote.input.token.into(),
        output_asset_address: quote.output.token.into(),
        pool_address: Some(quote.pool.address.into()),
        state_id: Some(quote.state_id.into()),
        fee_in_basis_points: Some(quote.fee.into()),
        largest_trade_in_usd: largest_trade.map(Into::into),
        levels_id: levels.map(|levels| levels.id.into()),
        levels_output: levels.map(|levels| levels.output.into()),
        firm_budget_left_input: levels.map(|levels| levels.budget_left.into()),
    }
}

/// Returns the response about `signed`, with the calldata for the pool contract if requested.
pub(crate) fn sign_response(signed: &SignedQuote, wants_calldata: bool) -> api::SignedSwap {
    api::SignedSwap {
        execution: Some(signed.execution.into()),
        calldata: wants_calldata.then(|| Bytes::from(calldata(signed)).into()),
        ..api::SignedSwap::new(&signed.offer(), signed.signature)
    }
}
