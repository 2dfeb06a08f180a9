//! `[pool.levels]`: the firm levels of a pool.

use firmquote_desk::{FirmLevelsPolicy, MAX_FIRM_MS, MIN_FIRM_MS};
use firmquote_domain::BasisPoints;

use super::signing::usd;
use crate::document::{
    error::KeyError,
    reader::{Keys, Table, refuse_present},
};

pub(super) const KEYS: Keys = Keys::new(&["firm_ms", "firm_margin_bps", "firm_budget_usd"]);

/// Reads the table: `firm_ms`, how long levels are firm (default 0: never); and, only if they are, both required,
/// `firm_margin_bps`, how much lower they are for it (below 10000), and `firm_budget_usd`, how much of them each client
/// can use (above 0).
///
/// # Errors
/// [`KeyError`] for the first invalid key, and for keys without effect.
pub(super) fn read(table: &Table<'_>) -> Result<Option<FirmLevelsPolicy>, KeyError> {
    let field = table.field("firm_ms");
    let refused = field.not_allowed(format!("0, or {MIN_FIRM_MS} to {MAX_FIRM_MS} milliseconds"));
    let firm_ms = field.or(0, |field| field.integer(0..=u64::from(MAX_FIRM_MS), " milliseconds"))?;
    match firm_ms {
        0 => {
            let others = ["firm_margin_bps", "firm_budget_usd"].map(|key| table.field(key));
            refuse_present(others, "only with firm_ms above 0")?;
            Ok(None)
        }
        1..MIN_FIRM_MS => Err(refused),
        _ => Ok(Some(FirmLevelsPolicy {
            firm_ms,
            margin: table.field("firm_margin_bps").decimal(BasisPoints::from_decimal)?,
            budget: table.field("firm_budget_usd").decimal(usd)?,
        })),
    }
}
