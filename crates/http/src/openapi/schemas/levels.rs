//! Schemas of price levels.

use firmquote_desk::WithdrawalReason;
use strum::IntoEnumIterator as _;
use utoipa::openapi::{RefOr, Schema, schema::ArrayBuilder};

use super::shapes::{
    ClosedObject, NamedSchema, array, boolean, described_ref, integer, number, or_null, schema_ref, string_enum, text,
};

/// All schemas of this file.
pub(super) fn all() -> Vec<NamedSchema> {
    vec![("Levels", levels()), ("LevelBook", book()), ("WithdrawnLevels", withdrawn())]
}

fn levels() -> Schema {
    ClosedObject::new("The current levels of a chain's pools.")
        .with("chain_id", integer(1, "The chain id (EIP-155)."))
        .with("books", array(schema_ref("LevelBook"), "The books that are live."))
        .with("withdrawn", array(schema_ref("WithdrawnLevels"), "The books for which nothing is quoted at present."))
        .build()
}

fn book() -> Schema {
    let decimal = || RefOr::from(text("A decimal number."));
    let knot = ArrayBuilder::new().items(schema_ref("Amount")).min_items(Some(2)).max_items(Some(2));
    let band = ArrayBuilder::new().items(decimal()).min_items(Some(2)).max_items(Some(2));
    ClosedObject::new("Levels of one pair in one direction.")
        .with("seq", integer(1, "Sequence number, increasing for each pair and direction, possibly with gaps."))
        .with("levels_id", described_ref("LevelsId", "Identifies these levels."))
        .with("state_id", described_ref("StateId", "The state that the levels were computed in."))
        .with("pool_address", described_ref("Address", "The pool contract."))
        .with("input_asset_symbol", text("The asset paid to the pool."))
        .with("input_asset_address", described_ref("Address", "Its token."))
        .with("input_asset_decimals", integer(0, "Its decimals."))
        .with("output_asset_symbol", text("The asset paid by the pool."))
        .with("output_asset_address", described_ref("Address", "Its token."))
        .with("output_asset_decimals", integer(0, "Its decimals."))
        .with("as_of_ms", integer(0, "The Unix time of the oldest price or reserve in the levels, in milliseconds."))
        .with("published_ms", integer(0, "The Unix time of publication, in milliseconds."))
        .with(
            "valid_until_ms",
            integer(0, "The Unix time in milliseconds from which the levels no longer hold."),
        )
        .with("time_in_seconds", integer(1, "The maximum time from acceptance to execution that the fee in the levels covers, in seconds."))
        .with("fee_in_basis_points", number("The fee included in the levels, in basis points."))
        .with(
            "firm",
            boolean("Whether the levels are firm; otherwise they are indicative."),
        )
        .with(
            "certain",
            boolean(
                "Whether quotes pay the stated output at every size. If not, the contract of a `verified` pool may \
                 refuse the output of the formula, and a quote may be lower or refused.",
            ),
        )
        .with("firm_budget_input", or_null(described_ref("Amount", "The maximum firm input of a client, in base units; null for indicative levels.")))
        .with("minimum_input", or_null(described_ref("Amount", "The input of the first knot, in base units.")))
        .with("maximum_input", or_null(described_ref("Amount", "The input of the last knot, in base units.")))
        .with(
            "max_shortfall_bps",
            number("The maximum shortfall of the line between two knots against a quote, in basis points, excluding rounding."),
        )
        .with(
            "semantics",
            string_enum(
                ["cumulative_input_output_floor", "incremental_price_size"],
                "`cumulative_input_output_floor`: `knots`, with straight lines between them, rounded down. \
                 `incremental_price_size`: `bands`.",
            ),
        )
        .optional("knots", array(knot.build().into(), "Cumulative input and output in base units, from small to large."))
        .optional(
            "bands",
            array(
                band.build().into(),
                "Price in whole output tokens for each whole input token, and size in whole input tokens, best first. The \
                 first band reaches from nothing to the smallest input.",
            ),
        )
        .build()
}

fn withdrawn() -> Schema {
    ClosedObject::new("A pair in one direction for which nothing is quoted at present.")
        .with("pool_address", described_ref("Address", "The pool contract."))
        .with("input_asset_symbol", text("The asset paid to the pool."))
        .with("output_asset_symbol", text("The asset paid by the pool."))
        .with(
            "reason",
            string_enum(WithdrawalReason::iter().map(WithdrawalReason::name), "The reason for the withdrawal."),
        )
        .build()
}
