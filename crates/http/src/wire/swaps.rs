//! The signed swaps of a client.

use alloy_primitives::hex;
use firmquote_api as api;
use firmquote_desk::{MAX_SWAPS_PER_PAGE, QuoteStatus, SwapPosition, SwapRange};
use firmquote_domain::Timestamp;

use super::status::status_response;
use crate::{
    error::ApiError,
    input::{CURSOR, Field, Fields, LIMIT, Reader, SINCE, STRICT, UNTIL},
};

/// The fields of a request for swaps.
pub(crate) const SWAPS: &[&Field] = &[&SINCE.field, &UNTIL.field, &CURSOR.field, &LIMIT.field, &STRICT.field];

/// Decodes the range of swaps; by default all of them.
///
/// # Errors
/// [`ApiError::InvalidInput`] with every error.
pub(crate) fn swap_range(fields: &Fields<'_>) -> Result<SwapRange, ApiError> {
    let mut reader = Reader::new(fields);
    let since = reader.optional(&SINCE).unwrap_or(Timestamp::from_micros(0));
    let until = reader.optional(&UNTIL).unwrap_or(Timestamp::from_micros(u64::MAX));
    let after = reader.optional(&CURSOR);
    let limit = reader.optional(&LIMIT).unwrap_or(MAX_SWAPS_PER_PAGE);
    reader.finish(|| Some(SwapRange { since, until, after, limit }))
}

/// Returns the response with a page of swaps.
pub(crate) fn swaps_response(swaps: &[QuoteStatus], next: Option<SwapPosition>) -> api::Swaps {
    api::Swaps { swaps: swaps.iter().filter_map(swap_response).collect(), next_cursor: next.map(cursor_text) }
}

/// Returns `None` for a quote without a signature, which no page has.
fn swap_response(status: &QuoteStatus) -> Option<api::Swap> {
    let (quote, signed) = (&status.record.quote, status.record.signed.as_ref()?);
    let api::QuoteStatus { quote_id, state, chain_id, pool_address, good_until, settled, .. } = status_response(status);
    Some(api::Swap {
        quote_id,
        state,
        chain_id,
        pool_address,
        input_asset_address: quote.input.token.into(),
        output_asset_address: quote.output.token.into(),
        input_amount: quote.input.amount.base_units().into(),
        output_amount: quote.output.amount.base_units().into(),
        destination_address: signed.terms.destination.into(),
        signed_at: signed.signed_at.into(),
        good_until,
        execution: signed.execution.into(),
        settled,
    })
}

fn cursor_text(SwapPosition { signed_at, quote_id }: SwapPosition) -> String {
    hex::encode([&signed_at.as_micros().to_be_bytes()[..], quote_id.as_bytes()].concat())
}
