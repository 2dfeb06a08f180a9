//! The status of a quote.

use firmquote_api as api;
use firmquote_desk::QuoteStatus;
use firmquote_domain::{QuoteId, QuoteState, Settlement, SwapOutcome};

use crate::{
    error::ApiError,
    input::{Fields, QUOTE_ID, Reader},
};

/// Decodes the id of the quote.
///
/// # Errors
/// [`ApiError::InvalidInput`] for a malformed id.
pub(crate) fn quote_status_id(fields: &Fields<'_>) -> Result<QuoteId, ApiError> {
    let mut reader = Reader::new(fields);
    let id = reader.required(&QUOTE_ID);
    reader.finish(|| id)
}

/// Returns the response about `status`.
pub(crate) fn status_response(status: &QuoteStatus) -> api::QuoteStatus {
    let (record, quote) = (&status.record, &status.record.quote);
    let settlement = match record.outcome {
        Some(SwapOutcome::Settled(settlement)) => Some(settlement),
        Some(SwapOutcome::Lapsed) | None => None,
    };
    api::QuoteStatus {
        quote_id: quote.id.into(),
        state: match status.state {
            QuoteState::Created | QuoteState::Expired => api::QuoteState::Created,
            QuoteState::Signed => api::QuoteState::Signed,
            QuoteState::Settled => api::QuoteState::Settled,
            QuoteState::Lapsed => api::QuoteState::Lapsed,
        },
        chain_id: quote.pool.chain_id.into(),
        pool_address: quote.pool.address.into(),
        created_at: quote.created_at.seconds().into(),
        must_accept_by: quote.must_accept_by.into(),
        good_until: quote.good_until.expires_at().into(),
        signed_at: record.signed.as_ref().map(|signed| signed.signed_at.into()),
        execution: record.signed.as_ref().map(|signed| signed.execution.into()),
        settled: settlement.map(|settlement| settlement_response(&settlement, status.confirmations)),
    }
}

fn settlement_response(settlement: &Settlement, confirmations: Option<u64>) -> api::Settlement {
    api::Settlement {
        transaction_hash: settlement.transaction_hash.into(),
        log_index: settlement.log_index,
        block_number: settlement.block_number,
        block_timestamp: settlement.block_time.into(),
        confirmations,
        input_amount: settlement.input_amount.into(),
        output_amount: settlement.output_amount.into(),
    }
}
