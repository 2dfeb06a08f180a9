//! `[pool.breakers]`: what stops a pool that loses value.

use firmquote_domain::BasisPoints;
use serde::Deserialize;

use crate::document::{
    deserializer::keys_of,
    error::KeyError,
    field::Field,
    values::{
        decimal::{BasisPointsLimit, Decimal},
        integer::{Integer, Second},
        setting::OptionalSetting as _,
    },
};

/// At which figures breakers take their steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BreakerPolicy {
    /// The loss of value per pool token, against holding.
    pub loss: BreakerThresholds,
    /// The share of the pool's value that leaves it, between two blocks, without a swap or a withdrawal; at once.
    pub unexplained_pause_at: Option<BasisPoints>,
    /// The net outflow of a token, as a share of what the pool held of it.
    pub outflow: BreakerThresholds,
    /// The loss of executed swaps at the prices ten seconds later, as a share of the pool's value.
    pub mark_out: BreakerThresholds,
    /// What the first step adds to fees.
    pub widen: BasisPoints,
}

/// The thresholds of one breaker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BreakerThresholds {
    /// The time over which the figure is measured.
    pub window_seconds: u32,
    /// The figure at which fees are raised; `None` for never.
    pub widen_at: Option<BasisPoints>,
    /// The figure at which the pool is paused; `None` for never.
    pub pause_at: Option<BasisPoints>,
}

impl BreakerThresholds {
    /// Whether the breaker takes any step.
    pub const fn is_on(&self) -> bool {
        self.widen_at.is_some() || self.pause_at.is_some()
    }
}

impl BreakerPolicy {
    /// Whether any breaker takes any step.
    pub const fn is_on(&self) -> bool {
        self.loss.is_on() || self.unexplained_pause_at.is_some() || self.outflow.is_on() || self.mark_out.is_on()
    }

    /// The longest window of its breakers, in seconds.
    pub fn longest_window_seconds(&self) -> u32 {
        self.loss.window_seconds.max(self.outflow.window_seconds).max(self.mark_out.window_seconds)
    }
}

type Window = Integer<u32, 60, 86_400, Second>;

/// `[pool.breakers]`.
#[derive(Default, Deserialize)]
pub(super) struct BreakersTable {
    loss_pause_at_bps: Option<Decimal<BasisPointsLimit>>,
    loss_widen_at_bps: Option<Decimal<BasisPointsLimit>>,
    loss_window_seconds: Option<Window>,
    unexplained_pause_at_bps: Option<Decimal<BasisPointsLimit>>,
    outflow_pause_at_bps: Option<Decimal<BasisPointsLimit>>,
    outflow_widen_at_bps: Option<Decimal<BasisPointsLimit>>,
    outflow_window_seconds: Option<Window>,
    mark_out_pause_at_bps: Option<Decimal<BasisPointsLimit>>,
    mark_out_widen_at_bps: Option<Decimal<BasisPointsLimit>>,
    mark_out_window_seconds: Option<Window>,
    /// What the first step adds to fees.
    widen_bps: Option<Decimal<BasisPoints>>,
}

/// The default of `loss_pause_at_bps`: 5 %.
const DEFAULT_LOSS: u32 = 50_000;
/// The default of `unexplained_pause_at_bps`: 0.1 %.
const DEFAULT_UNEXPLAINED: u32 = 1_000;
/// The default of `widen_bps`: 20.
const DEFAULT_WIDEN: u32 = 2_000;
/// The default of the windows: an hour.
const DEFAULT_WINDOW_SECONDS: u32 = 3_600;

/// Returns all keys of the table.
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    keys_of::<BreakersTable>().iter().copied()
}

/// Returns the policy of the table at `field`.
///
/// # Errors
/// [`KeyError`] for a step of raised fees that is not taken before the pause, and for breakers of a pool whose balances
/// are not read.
pub(super) fn policy(table: BreakersTable, is_on_chain: bool, field: &Field<'_>) -> Result<BreakerPolicy, KeyError> {
    if !is_on_chain {
        field.refuse(keys(), "only with reserves = \"chain\"")?;
        return Ok(BreakerPolicy::default());
    }
    let limit = |limit: Option<Decimal<BasisPointsLimit>>, default: Option<u32>| match limit.value() {
        Some(BasisPointsLimit(limit)) => limit,
        None => default.and_then(BasisPoints::from_hundredths),
    };
    let thresholds = |widen: Option<Decimal<BasisPointsLimit>>, pause, default, window: Option<Window>, key| {
        let (widen_at, pause_at) = (limit(widen, None), limit(pause, default));
        if widen_at.zip(pause_at).is_some_and(|(widen_at, pause_at)| widen_at >= pause_at) {
            return Err(field.key(key).not_allowed("less than where the pool is paused, or \"none\""));
        }
        Ok(BreakerThresholds { window_seconds: window.value_or(DEFAULT_WINDOW_SECONDS), widen_at, pause_at })
    };
    Ok(BreakerPolicy {
        loss: thresholds(
            table.loss_widen_at_bps,
            table.loss_pause_at_bps,
            Some(DEFAULT_LOSS),
            table.loss_window_seconds,
            "loss_widen_at_bps",
        )?,
        unexplained_pause_at: limit(table.unexplained_pause_at_bps, Some(DEFAULT_UNEXPLAINED)),
        outflow: thresholds(
            table.outflow_widen_at_bps,
            table.outflow_pause_at_bps,
            None,
            table.outflow_window_seconds,
            "outflow_widen_at_bps",
        )?,
        mark_out: thresholds(
            table.mark_out_widen_at_bps,
            table.mark_out_pause_at_bps,
            None,
            table.mark_out_window_seconds,
            "mark_out_widen_at_bps",
        )?,
        widen: table.widen_bps.value().or_else(|| BasisPoints::from_hundredths(DEFAULT_WIDEN)).unwrap_or_default(),
    })
}
