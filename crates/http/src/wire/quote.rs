//! The Quote object (specification 2.1).

use firmquote_desk::{rate, value_in_usd};
use firmquote_domain::{Amount, BasisPoints, Quote, QuoteId, Usd};
use serde::Serialize;

use super::number::{Exact, Text};
use crate::{
    addresses::{Addresses, Written},
    civil_time::HumanTime,
};

/// The answer to a quote request.
#[derive(Debug, Serialize)]
pub(crate) struct QuoteAnswer<'a> {
    id: Text<QuoteId>,
    must_accept_by: Text<HumanTime>,
    good_until: u32,
    chain_id: u64,
    input_amount: Text<Amount>,
    output_amount: Text<Amount>,
    input_value_in_usd: f64,
    output_value_in_usd: f64,
    created_at: u32,
    rate: f64,
    input_asset_address: Written<'a>,
    output_asset_address: Written<'a>,
    pool_address: Written<'a>,
    fee_in_basis_points: Exact<BasisPoints>,
    largest_trade_in_usd: Option<Exact<Usd>>,
}

impl<'a> QuoteAnswer<'a> {
    /// The answer about `quote`, whose client may trade up to `largest_trade` at once.
    pub(crate) fn new(quote: &Quote, largest_trade: Option<Usd>, addresses: &'a Addresses) -> Self {
        Self {
            id: Text(quote.id),
            must_accept_by: Text(HumanTime(quote.must_accept_by)),
            good_until: quote.good_until.expires_at().get(),
            chain_id: quote.pool.chain_id.get(),
            input_amount: Text(quote.input.amount),
            output_amount: Text(quote.output.amount),
            input_value_in_usd: value_in_usd(&quote.input),
            output_value_in_usd: value_in_usd(&quote.output),
            created_at: quote.created_at.seconds().get(),
            rate: rate(quote),
            input_asset_address: addresses.written(quote.input.token),
            output_asset_address: addresses.written(quote.output.token),
            pool_address: addresses.written(quote.pool.address),
            fee_in_basis_points: Exact(quote.fee),
            largest_trade_in_usd: largest_trade.map(Exact),
        }
    }
}
