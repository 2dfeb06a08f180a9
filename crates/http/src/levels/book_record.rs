//! A book on the wire.

use firmquote_desk::{LevelBook, Validity};
use firmquote_domain::{Amount, BasisPoints, LevelsId, StateId, Timestamp};
use serde::Serialize;

use super::{bands::bands, request::LevelFormat};
use crate::wire::{Exact, Text};

/// A book on the wire.
#[derive(Serialize)]
pub(super) struct LevelBookRecord<'a> {
    seq: u64,
    levels_id: Text<LevelsId>,
    state_id: Text<StateId>,
    pool_address: String,
    input_asset_symbol: &'a str,
    input_asset_address: String,
    input_asset_decimals: u8,
    output_asset_symbol: &'a str,
    output_asset_address: String,
    output_asset_decimals: u8,
    as_of_ms: u64,
    published_ms: u64,
    valid_until_ms: u64,
    time_in_seconds: u32,
    fee_in_basis_points: Exact<BasisPoints>,
    firm: bool,
    certain: bool,
    firm_budget_input: Option<Text<Amount>>,
    minimum_input: Option<Text<Amount>>,
    maximum_input: Option<Text<Amount>>,
    max_shortfall_bps: Exact<BasisPoints>,
    semantics: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    knots: Option<Vec<[Text<Amount>; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bands: Option<Vec<[String; 2]>>,
}

impl<'a> LevelBookRecord<'a> {
    pub(super) fn new(book: &'a LevelBook, validity: Validity, format: LevelFormat) -> Self {
        let (input, output, levels) = (&book.input, &book.output, &book.levels);
        let knots = || levels.knots.iter().map(|knot| [Text(knot.input), Text(knot.output)]).collect();
        let (semantics, knots, bands) = match format {
            LevelFormat::Cumulative => ("cumulative_input_output_floor", Some(knots()), None),
            LevelFormat::Incremental => ("incremental_price_size", None, Some(bands(book))),
        };
        Self {
            seq: book.sequence,
            levels_id: Text(book.id),
            state_id: Text(book.state_id),
            pool_address: book.key.pool.address.to_string(),
            input_asset_symbol: input.symbol.as_str(),
            input_asset_address: input.address.to_string(),
            input_asset_decimals: input.decimals.get(),
            output_asset_symbol: output.symbol.as_str(),
            output_asset_address: output.address.to_string(),
            output_asset_decimals: output.decimals.get(),
            as_of_ms: millis(validity.as_of),
            published_ms: millis(validity.published_at),
            valid_until_ms: millis(validity.valid_until),
            time_in_seconds: book.key.time_in_seconds,
            fee_in_basis_points: Exact(book.fee),
            firm: book.firm_budget.is_some(),
            certain: levels.is_certain,
            firm_budget_input: book.firm_budget.map(Text),
            minimum_input: levels.knots.first().map(|knot| Text(knot.input)),
            maximum_input: levels.knots.last().map(|knot| Text(knot.input)),
            max_shortfall_bps: Exact(levels.max_shortfall),
            semantics,
            knots,
            bands,
        }
    }
}

/// Whole milliseconds since the Unix epoch.
pub(super) const fn millis(time: Timestamp) -> u64 {
    time.as_micros() / 1_000
}
