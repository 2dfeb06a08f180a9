//! The firm levels policy of a pool.

use firmquote_domain::{BasisPoints, Usd};

/// Minimum lifetime of firm levels, in milliseconds.
pub const MIN_FIRM_MS: u32 = 500;

/// Maximum lifetime of firm levels, in milliseconds.
pub const MAX_FIRM_MS: u32 = 30_000;

/// The firm levels policy of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirmLevelsPolicy {
    /// How long levels hold after their publication, in milliseconds, from [`MIN_FIRM_MS`] to [`MAX_FIRM_MS`].
    pub firm_ms: u32,
    /// The margin of levels below the curve, in addition to the fee.
    pub margin: BasisPoints,
    /// The largest input of one client in one direction of a pair, by its value.
    pub budget: Usd,
}

impl FirmLevelsPolicy {
    /// The time that levels hold, in whole seconds, rounded up.
    pub(crate) const fn seconds(&self) -> u32 {
        self.firm_ms.div_ceil(1_000)
    }

    /// The time that levels hold, in microseconds.
    pub(crate) fn micros(&self) -> u64 {
        u64::from(self.firm_ms) * 1_000
    }
}
