//! `[[price_rule]]`: the rules that the live prices of one asset must satisfy.

use firmquote_domain::{BasisPoints, Symbol};
use firmquote_market::{Aggregation, Deviation, PriceRules};

use serde::Deserialize;

use crate::document::{
    error::KeyError,
    field::Field,
    values::{
        decimal::Decimal,
        integer::{Integer, Ms, Source},
        setting::OptionalSetting as _,
        text::{FromText, Text, one_of, word},
    },
};

/// A `[[price_rule]]`.
#[derive(Deserialize)]
pub(crate) struct RuleTable {
    symbol: Text<Symbol>,
    max_age_ms: Option<Integer<u64, 100, WEEK_MS, Ms>>,
    max_jump_bps_per_second: Option<Decimal<BasisPoints>>,
    max_move_bps_per_minute: Option<Decimal<BasisPoints>>,
    max_deviation_bps: Option<Decimal<BasisPoints>>,
    max_confidence_bps: Option<Decimal<BasisPoints>>,
    choice: Option<Text<Choice>>,
    least_sources: Option<Integer<usize, 1, 100, Source>>,
}

const WEEK_MS: u64 = 7 * 24 * 3_600 * 1_000;

/// How one price is chosen from those of several sources.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Priority,
    Median,
}

impl FromText for Choice {
    fn from_text(text: &str) -> Result<Self, String> {
        word(&[("priority", Self::Priority), ("median", Self::Median)], text)
    }
}

/// Default maximum age: 10 s.
const MAX_AGE_MS: u64 = 10_000;
/// Default maximum move of a price in a second, and maximum deviation between sources: 100 basis points.
const MAX_MOVE_HUNDREDTHS: u32 = 10_000;
/// Default maximum move of a price in a minute: 500 basis points.
const MAX_MOVE_PER_MINUTE_HUNDREDTHS: u32 = 50_000;
/// Default maximum confidence interval of a source: 50 basis points.
const MAX_CONFIDENCE_HUNDREDTHS: u32 = 5_000;

/// Returns the rules of an asset without a `[[price_rule]]`; the first trusted source counts.
pub(super) fn default() -> PriceRules {
    let change = |hundredths| BasisPoints::from_hundredths(hundredths).unwrap_or_default();
    PriceRules {
        max_age_ms: MAX_AGE_MS,
        max_jump_per_second: change(MAX_MOVE_HUNDREDTHS),
        max_move_per_minute: change(MAX_MOVE_PER_MINUTE_HUNDREDTHS),
        max_deviation: Deviation::from_basis_points(change(MAX_MOVE_HUNDREDTHS)),
        max_confidence: Deviation::from_basis_points(change(MAX_CONFIDENCE_HUNDREDTHS)),
        aggregation: Aggregation::Priority,
    }
}

/// Sets the rules of `assets` to those of the tables at `field`. `sources_of` returns the number of sources of an asset
/// that are not static.
///
/// # Errors
/// [`KeyError`] for an asset without a source or with two rules, and for rules that contradict each other.
pub(super) fn apply(
    tables: Vec<RuleTable>,
    field: &Field<'_>,
    assets: &mut [(Symbol, PriceRules)],
    sources_of: impl Fn(&Symbol) -> usize,
) -> Result<(), KeyError> {
    let mut ruled: Vec<Symbol> = Vec::new();
    for (table, field) in tables.into_iter().zip(field.entries()) {
        let symbol = table.symbol.0.clone();
        let Some(position) = assets.iter().position(|(other, _)| *other == symbol) else {
            let other = assets.iter().map(|(other, _)| other);
            return Err(field.key("symbol").not_allowed(one_of("an asset of a [[price_source]]", other)));
        };
        if ruled.contains(&symbol) {
            return Err(field.key("symbol").not_allowed("an asset that no other [[price_rule]] is for"));
        }
        let rules = rules(table, &field)?;
        let sources = sources_of(&symbol);
        if let Aggregation::Median { min_sources } = rules.aggregation
            && min_sources > sources
        {
            let allowed = format!("at most {sources}, the sources of {symbol} that are not static");
            return Err(field.key("least_sources").not_allowed(allowed));
        }
        if let Some((_, asset_rules)) = assets.get_mut(position) {
            *asset_rules = rules;
        }
        ruled.push(symbol);
    }
    Ok(())
}

fn rules(table: RuleTable, field: &Field<'_>) -> Result<PriceRules, KeyError> {
    let default = default();
    let max_jump_per_second = table.max_jump_bps_per_second.value_or(default.max_jump_per_second);
    if max_jump_per_second.hundredths() == 0 {
        let allowed = "more than 0: a price that may not move is never trusted again";
        return Err(field.key("max_jump_bps_per_second").not_allowed(allowed));
    }
    let at_least_a_jump = default.max_move_per_minute.max(max_jump_per_second);
    let max_move_per_minute = table.max_move_bps_per_minute.value_or(at_least_a_jump);
    if max_move_per_minute < max_jump_per_second {
        let allowed = "as much as max_jump_bps_per_second or more";
        return Err(field.key("max_move_bps_per_minute").not_allowed(allowed));
    }
    let deviation = Deviation::from_basis_points;
    let aggregation = match table.choice.value_or(Choice::Priority) {
        Choice::Median => Aggregation::Median { min_sources: table.least_sources.value_or(1) },
        Choice::Priority => {
            field.refuse(["least_sources"], "only with choice = \"median\"")?;
            Aggregation::Priority
        }
    };
    Ok(PriceRules {
        max_age_ms: table.max_age_ms.value_or(default.max_age_ms),
        max_jump_per_second,
        max_move_per_minute,
        max_deviation: table.max_deviation_bps.value().map_or(default.max_deviation, deviation),
        max_confidence: table.max_confidence_bps.value().map_or(default.max_confidence, deviation),
        aggregation,
    })
}
