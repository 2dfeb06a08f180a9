//! `[[price_rule]]`: the rules that the live prices of one asset must satisfy.

use firmquote_domain::{BasisPoints, Symbol};
use firmquote_market::{Aggregation, Deviation, PriceRules};

use crate::document::{
    error::KeyError,
    reader::{Field, Keys, Table},
    values::one_of,
};

pub(crate) const KEYS: Keys = Keys::new(&[
    "symbol",
    "max_age_ms",
    "max_jump_bps_per_second",
    "max_move_bps_per_minute",
    "max_deviation_bps",
    "max_confidence_bps",
    "choice",
    "least_sources",
]);

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

/// Reads all tables: `symbol` of an asset with a source, once; `max_age_ms`, 100 ms to a week, default 10000;
/// `max_jump_bps_per_second`, above 0, `max_deviation_bps` and `max_confidence_bps`, below 10000, defaults 100, 100 and
/// 50; `max_move_bps_per_minute`, at least the jump, default 500 or the jump if that is more; `choice`, `priority` (the
/// default) or `median`; `least_sources` of a median, 1 to the number of sources that are not static, default 1.
///
/// # Errors
/// [`KeyError`] for the first invalid key.
pub(super) fn read_all(
    tables: &[Table<'_>],
    assets: &mut [(Symbol, PriceRules)],
    sources_of: impl Fn(&Symbol) -> usize,
) -> Result<(), KeyError> {
    let mut ruled: Vec<Symbol> = Vec::new();
    for table in tables {
        let field = table.field("symbol");
        let symbol = field.value(Symbol::new)?;
        let Some(position) = assets.iter().position(|(other, _)| *other == symbol) else {
            let other = assets.iter().map(|(other, _)| other);
            return Err(field.not_allowed(one_of("an asset of a [[price_source]]", other)));
        };
        if ruled.contains(&symbol) {
            return Err(field.not_allowed("an asset that no other [[price_rule]] is for"));
        }
        let rules = read(table)?;
        let sources = sources_of(&symbol);
        if let Aggregation::Median { min_sources } = rules.aggregation
            && min_sources > sources
        {
            let allowed = format!("at most {sources}, the sources of {symbol} that are not static");
            return Err(table.field("least_sources").not_allowed(allowed));
        }
        if let Some((_, asset_rules)) = assets.get_mut(position) {
            *asset_rules = rules;
        }
        ruled.push(symbol);
    }
    Ok(())
}

fn read(table: &Table<'_>) -> Result<PriceRules, KeyError> {
    const WEEK_MS: u64 = 7 * 24 * 3_600 * 1_000;
    let default = default();
    let change = |key| table.field(key).optional(|field| field.decimal(BasisPoints::from_decimal));
    let jump = table.field("max_jump_bps_per_second");
    let max_jump_per_second = change("max_jump_bps_per_second")?.unwrap_or(default.max_jump_per_second);
    if max_jump_per_second.hundredths() == 0 {
        return Err(jump.not_allowed("more than 0: a price that may not move is never trusted again"));
    }
    let slow = table.field("max_move_bps_per_minute");
    let at_least_a_jump = default.max_move_per_minute.max(max_jump_per_second);
    let max_move_per_minute = change("max_move_bps_per_minute")?.unwrap_or(at_least_a_jump);
    if max_move_per_minute < max_jump_per_second {
        return Err(slow.not_allowed("as much as max_jump_bps_per_second or more"));
    }
    Ok(PriceRules {
        max_age_ms: table.field("max_age_ms").or(default.max_age_ms, |field| field.integer(100..=WEEK_MS, " ms"))?,
        max_jump_per_second,
        max_move_per_minute,
        max_deviation: change("max_deviation_bps")?.map_or(default.max_deviation, Deviation::from_basis_points),
        max_confidence: change("max_confidence_bps")?.map_or(default.max_confidence, Deviation::from_basis_points),
        aggregation: aggregation(table.field("choice"), table.field("least_sources"))?,
    })
}

fn aggregation(field: Field<'_>, least_sources: Field<'_>) -> Result<Aggregation, KeyError> {
    let is_median = field.or(false, |field| field.word(&[("priority", false), ("median", true)]))?;
    if !is_median && least_sources.is_present() {
        return Err(least_sources.not_allowed("only with choice = \"median\""));
    }
    let min_sources = least_sources.or(1, |field| field.integer(1..=100, " sources"))?;
    Ok(if is_median { Aggregation::Median { min_sources } } else { Aggregation::Priority })
}
