//! `[limits]`: what clients without credentials may do.

use super::{
    error::Mistake,
    reader::{Keys, Table},
};

/// `[limits]`.
pub(crate) struct LimitsConfig {
    /// `anonymous`: whether quote and sign of version 1 answer requests without credentials. Default true.
    pub(crate) anonymous: bool,
    /// `anonymous_per_second`: requests each second from one address, 1 to 1000000, default 5. Not enforced yet.
    pub(crate) anonymous_per_second: u32,
    /// `anonymous_burst`: requests at once from one address, 1 to 1000000, default 20. Not enforced yet.
    pub(crate) anonymous_burst: u32,
}

pub(super) const KEYS: Keys = Keys::new(&["anonymous", "anonymous_per_second", "anonymous_burst"]);

impl LimitsConfig {
    /// Reads the table.
    ///
    /// # Errors
    /// [`Mistake`] for the first key that is wrong.
    pub(super) fn read(table: &Table<'_>) -> Result<Self, Mistake> {
        let count = |key, default| table.field(key).or(default, |field| field.integer(1..=1_000_000, " requests"));
        Ok(Self {
            anonymous: table.field("anonymous").or(true, |field| field.boolean())?,
            anonymous_per_second: count("anonymous_per_second", 5)?,
            anonymous_burst: count("anonymous_burst", 20)?,
        })
    }
}
