//! `[pool.levels]`: the firm levels of a pool.

use firmquote_desk::{FirmLevelsPolicy, MAX_FIRM_MS, MIN_FIRM_MS};
use firmquote_domain::BasisPoints;
use serde::Deserialize;

use crate::document::{
    error::KeyError,
    field::Field,
    values::{
        decimal::{Decimal, PositiveUsd},
        integer::{Integer, Millisecond},
        setting::OptionalSetting as _,
    },
};

/// `[pool.levels]`.
#[derive(Default, Deserialize)]
pub(super) struct LevelsTable {
    /// How long levels are firm; 0: never.
    firm_ms: Option<Integer<u32, 0, { MAX_FIRM_MS as u64 }, Millisecond>>,
    /// How much lower they are for it.
    firm_margin_bps: Option<Decimal<BasisPoints>>,
    /// How much of them each client can use.
    firm_budget_usd: Option<Decimal<PositiveUsd>>,
}

/// Returns the policy of the table at `field`, if levels are firm.
///
/// # Errors
/// [`KeyError`] for too short a time, for missing keys, and for keys without effect.
pub(super) fn policy(table: LevelsTable, field: &Field<'_>) -> Result<Option<FirmLevelsPolicy>, KeyError> {
    match table.firm_ms.value_or(0) {
        0 => {
            field.refuse(["firm_margin_bps", "firm_budget_usd"], "only with firm_ms above 0")?;
            Ok(None)
        }
        1..MIN_FIRM_MS => {
            Err(field.key("firm_ms").not_allowed(format!("0, or {MIN_FIRM_MS} to {MAX_FIRM_MS} milliseconds")))
        }
        firm_ms => Ok(Some(FirmLevelsPolicy {
            firm_ms,
            margin: table.firm_margin_bps.required(&field.key("firm_margin_bps"))?,
            budget: table.firm_budget_usd.required(&field.key("firm_budget_usd"))?.0,
        })),
    }
}
