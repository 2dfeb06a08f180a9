//! Books of levels as responses.

use actix_web::web::Bytes;
use firmquote_api as api;
use firmquote_desk::{LevelBook, Validity};
use firmquote_domain::Timestamp;
use serde::Serialize;

use super::{bands::bands, request::LevelFormat};

/// Returns the response about a book.
pub(super) fn book_response(book: &LevelBook, validity: Validity, format: LevelFormat) -> api::LevelBook {
    let (input, output, levels) = (&book.input, &book.output, &book.levels);
    let (knots, bands) = match format {
        LevelFormat::Cumulative => {
            let knots = levels.knots.iter().map(|knot| [knot.input, knot.output].into());
            (Some(knots.collect()), None)
        }
        LevelFormat::Incremental => (None, Some(bands(book).into_iter().map(Into::into).collect())),
    };
    api::LevelBook {
        seq: book.sequence,
        levels_id: book.id.into(),
        state_id: book.state_id.into(),
        pool_address: book.key.pool.address.into(),
        input_asset_symbol: input.symbol.clone().into(),
        input_asset_address: input.address.into(),
        input_asset_decimals: input.decimals.into(),
        output_asset_symbol: output.symbol.clone().into(),
        output_asset_address: output.address.into(),
        output_asset_decimals: output.decimals.into(),
        as_of_ms: millis(validity.as_of),
        published_ms: millis(validity.published_at),
        valid_until_ms: millis(validity.valid_until),
        time_in_seconds: book.key.time_in_seconds,
        fee_in_basis_points: book.fee.into(),
        firm: book.firm_budget.is_some(),
        certain: levels.is_certain,
        firm_budget_input: book.firm_budget.map(Into::into),
        minimum_input: levels.knots.first().map(|knot| knot.input.into()),
        maximum_input: levels.knots.last().map(|knot| knot.input.into()),
        max_shortfall_bps: levels.max_shortfall.into(),
        semantics: format.semantics().into(),
        knots,
        bands,
    }
}

/// Whole milliseconds since the Unix epoch.
pub(super) const fn millis(time: Timestamp) -> u64 {
    time.as_micros() / 1_000
}

/// Returns the members of an object as JSON, without the braces around them.
///
/// # Errors
/// [`serde_json::Error`] if a member cannot be serialized.
pub(super) fn encode_members(object: &impl Serialize) -> Result<Bytes, serde_json::Error> {
    let json = Bytes::from(serde_json::to_vec(object)?);
    Ok(json.slice(1..json.len().saturating_sub(1).max(1)))
}
