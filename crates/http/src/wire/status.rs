//! The status of a quote.

use firmquote_desk::QuoteStatus;
use firmquote_domain::{B256, QuoteId, QuoteState, Settlement, SwapOutcome, U256};
use serde::Serialize;

use super::{
    addresses::{Addresses, DisplayedAddress},
    number::Text,
    time_format::DisplayTime,
};
use crate::{
    error::ApiError,
    input::{Field, Fields, Reader, quote_id},
};

/// Decodes the id of the quote.
///
/// # Errors
/// [`ApiError::InvalidInput`] for a malformed id.
pub(crate) fn quote_status_id(fields: &Fields<'_>) -> Result<QuoteId, ApiError> {
    let mut reader = Reader::new(fields);
    let id = reader.required(Field::QuoteId, quote_id);
    reader.finish(|| id)
}

/// The response to a status request.
#[derive(Debug, Serialize)]
pub(crate) struct StatusResponse<'a> {
    quote_id: Text<QuoteId>,
    state: &'static str,
    chain_id: u64,
    pool_address: DisplayedAddress<'a>,
    created_at: u32,
    must_accept_by: Text<DisplayTime>,
    good_until: u32,
    signed_at: Option<Text<DisplayTime>>,
    execution: Option<&'static str>,
    settled: Option<SettlementResponse>,
}

#[derive(Debug, Serialize)]
struct SettlementResponse {
    transaction_hash: Text<B256>,
    log_index: u64,
    block_number: u64,
    block_timestamp: u32,
    confirmations: Option<u64>,
    input_amount: Text<U256>,
    output_amount: Text<U256>,
}

/// The states of a quote that the status operation returns.
pub(crate) const STATES: [&str; 4] = [CREATED, SIGNED, SETTLED, LAPSED];
const CREATED: &str = "created";
const SIGNED: &str = "signed";
const SETTLED: &str = "settled";
const LAPSED: &str = "lapsed";

impl<'a> StatusResponse<'a> {
    /// Builds the response about `status`.
    pub(crate) fn new(status: &QuoteStatus, addresses: &'a Addresses) -> Self {
        let (record, quote) = (&status.record, &status.record.quote);
        let settlement = match record.outcome {
            Some(SwapOutcome::Settled(settlement)) => Some(settlement),
            Some(SwapOutcome::Lapsed) | None => None,
        };
        Self {
            quote_id: Text(quote.id),
            state: match status.state {
                QuoteState::Created | QuoteState::Expired => CREATED,
                QuoteState::Signed => SIGNED,
                QuoteState::Settled => SETTLED,
                QuoteState::Lapsed => LAPSED,
            },
            chain_id: quote.pool.chain_id.get(),
            pool_address: addresses.text(quote.pool.address),
            created_at: quote.created_at.seconds().get(),
            must_accept_by: Text(DisplayTime(quote.must_accept_by)),
            good_until: quote.good_until.expires_at().get(),
            signed_at: record.signed.as_ref().map(|signed| Text(DisplayTime(signed.signed_at))),
            execution: record.signed.as_ref().map(|signed| signed.execution.name()),
            settled: settlement.map(|settlement| SettlementResponse::new(&settlement, status.confirmations)),
        }
    }
}

impl SettlementResponse {
    fn new(settlement: &Settlement, confirmations: Option<u64>) -> Self {
        Self {
            transaction_hash: Text(settlement.transaction_hash),
            log_index: settlement.log_index,
            block_number: settlement.block_number,
            block_timestamp: settlement.block_time.get(),
            confirmations,
            input_amount: Text(settlement.input_amount),
            output_amount: Text(settlement.output_amount),
        }
    }
}
