//! The responses to quote and sign requests: the Quote object, and the Sign object (docs/api.md) with and without
//! the members of the quote.

use alloy_primitives::hex;
use firmquote_desk::{calldata, rate, value_in_usd};
use firmquote_domain::{
    Amount, B256, BasisPoints, LevelsId, Quote, QuoteId, QuotedLevels, SignedQuote, StateId, U256, Usd,
};
use serde::Serialize;

use super::{
    addresses::{Addresses, DisplayedAddress},
    number::{Exact, Text},
    time_format::DisplayTime,
};

/// The response to a quote request.
#[derive(Debug, Serialize)]
pub(crate) struct QuoteResponse<'a> {
    id: Text<QuoteId>,
    must_accept_by: Text<DisplayTime>,
    good_until: u32,
    chain_id: u64,
    input_amount: Text<Amount>,
    output_amount: Text<Amount>,
    input_value_in_usd: f64,
    output_value_in_usd: f64,
    created_at: u32,
    rate: f64,
    input_asset_address: DisplayedAddress<'a>,
    output_asset_address: DisplayedAddress<'a>,
    pool_address: DisplayedAddress<'a>,
    state_id: Text<StateId>,
    fee_in_basis_points: Exact<BasisPoints>,
    largest_trade_in_usd: Option<Exact<Usd>>,
    #[serde(flatten)]
    levels: Option<LevelsMembers>,
}

/// The members of a quote that names levels.
#[derive(Debug, Serialize)]
struct LevelsMembers {
    levels_id: Text<LevelsId>,
    levels_output: Text<Amount>,
    firm_budget_left_input: Text<U256>,
}

impl LevelsMembers {
    fn new(levels: &QuotedLevels) -> Self {
        Self {
            levels_id: Text(levels.id),
            levels_output: Text(levels.output),
            firm_budget_left_input: Text(levels.budget_left),
        }
    }
}

impl<'a> QuoteResponse<'a> {
    /// Builds the response about `quote`, whose client may trade up to `largest_trade` at once.
    pub(crate) fn new(quote: &Quote, largest_trade: Option<Usd>, addresses: &'a Addresses) -> Self {
        Self {
            id: Text(quote.id),
            must_accept_by: Text(DisplayTime(quote.must_accept_by)),
            good_until: quote.good_until.expires_at().get(),
            chain_id: quote.pool.chain_id.get(),
            input_amount: Text(quote.input.amount),
            output_amount: Text(quote.output.amount),
            input_value_in_usd: value_in_usd(&quote.input),
            output_value_in_usd: value_in_usd(&quote.output),
            created_at: quote.created_at.seconds().get(),
            rate: rate(quote),
            input_asset_address: addresses.text(quote.input.token),
            output_asset_address: addresses.text(quote.output.token),
            pool_address: addresses.text(quote.pool.address),
            state_id: Text(quote.state_id),
            fee_in_basis_points: Exact(quote.fee),
            largest_trade_in_usd: largest_trade.map(Exact),
            levels: quote.levels.as_deref().map(LevelsMembers::new),
        }
    }
}

/// The response to a sign request.
#[derive(Debug, Serialize)]
pub(crate) struct SignResponse<'a> {
    chain_id: u64,
    input_asset_address: DisplayedAddress<'a>,
    output_asset_address: DisplayedAddress<'a>,
    input_amount: Text<Amount>,
    output_amount: Text<Amount>,
    good_until: Text<U256>,
    expires_at: u32,
    destination_address: DisplayedAddress<'a>,
    signature: SignatureParts,
    service_exchange_address: DisplayedAddress<'a>,
    execution: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    calldata: Option<String>,
}

#[derive(Debug, Serialize)]
struct SignatureParts {
    v: u8,
    r: Text<B256>,
    s: Text<B256>,
}

impl<'a> SignResponse<'a> {
    /// Builds the response about `signed`, with the calldata for the pool contract if requested.
    pub(crate) fn new(signed: &SignedQuote, wants_calldata: bool, addresses: &'a Addresses) -> Self {
        let SignedQuote { quote, terms, signature, execution, .. } = signed;
        Self {
            chain_id: quote.pool.chain_id.get(),
            input_asset_address: addresses.text(quote.input.token),
            output_asset_address: addresses.text(quote.output.token),
            input_amount: Text(quote.input.amount),
            output_amount: Text(quote.output.amount),
            good_until: Text(quote.good_until.to_word()),
            expires_at: quote.good_until.expires_at().get(),
            destination_address: addresses.text(terms.destination),
            signature: SignatureParts { v: signature.v(), r: Text(signature.r()), s: Text(signature.s()) },
            service_exchange_address: addresses.text(quote.pool.address),
            execution: execution.name(),
            calldata: wants_calldata.then(|| hex::encode_prefixed(calldata(signed))),
        }
    }
}

/// The response to a quote-and-sign request.
#[derive(Debug, Serialize)]
pub(crate) struct QuoteSignResponse<'a> {
    #[serde(flatten)]
    signed: SignResponse<'a>,
    id: Text<QuoteId>,
    input_value_in_usd: f64,
    output_value_in_usd: f64,
    created_at: u32,
    rate: f64,
    pool_address: DisplayedAddress<'a>,
    state_id: Text<StateId>,
    fee_in_basis_points: Exact<BasisPoints>,
    largest_trade_in_usd: Option<Exact<Usd>>,
    #[serde(flatten)]
    levels: Option<LevelsMembers>,
}

impl<'a> QuoteSignResponse<'a> {
    /// Builds the response about `signed`, with the calldata for the pool contract if requested; its client may trade
    /// up to `largest_trade` at once.
    pub(crate) fn new(
        signed: &SignedQuote,
        wants_calldata: bool,
        largest_trade: Option<Usd>,
        addresses: &'a Addresses,
    ) -> Self {
        let quote = &signed.quote;
        Self {
            signed: SignResponse::new(signed, wants_calldata, addresses),
            id: Text(quote.id),
            input_value_in_usd: value_in_usd(&quote.input),
            output_value_in_usd: value_in_usd(&quote.output),
            created_at: quote.created_at.seconds().get(),
            rate: rate(quote),
            pool_address: addresses.text(quote.pool.address),
            state_id: Text(quote.state_id),
            fee_in_basis_points: Exact(quote.fee),
            largest_trade_in_usd: largest_trade.map(Exact),
            levels: quote.levels.as_deref().map(LevelsMembers::new),
        }
    }
}
