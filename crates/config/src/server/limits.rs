//! `[limits]`: anonymous access and rate limits.

use firmquote_http::{Limits, Quota};

use crate::document::{
    error::KeyError,
    reader::{Keys, Table},
};

/// `[limits]`. All numbers are 1 to 1000000.
pub struct LimitsConfig {
    /// `anonymous`: whether quote and sign of version 1 accept requests without credentials. Default true.
    pub anonymous: bool,
    /// `anonymous_per_second` (default 5) and `anonymous_burst` (default 20): requests without credentials from one
    /// address. `failed_logins_per_minute` (default 30) and `failed_logins_burst` (default 10): wrong credentials from
    /// one address. `credential_per_second` and `credential_burst`, both or none: requests of one client.
    pub limits: Limits,
}

pub(crate) const KEYS: Keys = Keys::new(&[
    "anonymous",
    "anonymous_per_second",
    "anonymous_burst",
    "failed_logins_per_minute",
    "failed_logins_burst",
    "credential_per_second",
    "credential_burst",
]);

impl LimitsConfig {
    /// Reads the table.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid key.
    pub(crate) fn read(table: &Table<'_>) -> Result<Self, KeyError> {
        let count = |key, default, unit| table.field(key).or(default, |field| field.integer(1..=1_000_000, unit));
        let (requests, logins) = (" requests", " logins");
        let limits = Limits {
            anonymous: Quota::per_second(
                count("anonymous_per_second", 5, requests)?,
                count("anonymous_burst", 20, requests)?,
            ),
            failed_logins: Quota::per_minute(
                count("failed_logins_per_minute", 30, logins)?,
                count("failed_logins_burst", 10, logins)?,
            ),
            credential: ceiling(table)?,
        };
        Ok(Self { anonymous: table.field("anonymous").or(true, |field| field.boolean())?, limits })
    }
}

/// Reads the quota of clients with credentials, if configured.
fn ceiling(table: &Table<'_>) -> Result<Option<Quota>, KeyError> {
    let both = ["credential_per_second", "credential_burst"].map(|key| table.field(key));
    if !both.iter().any(|field| field.is_present()) {
        return Ok(None);
    }
    let [per_second, burst] = both.map(|field| field.integer(1..=1_000_000, " requests"));
    Ok(Some(Quota::per_second(per_second?, burst?)))
}
