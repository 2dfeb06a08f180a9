//! `[limits]`: anonymous access and rate limits.

use firmquote_http::{Limits, Quota};
use serde::Deserialize;

use crate::document::{
    error::KeyError,
    field::Field,
    values::{
        integer::{Integer, Login, Request},
        setting::OptionalSetting as _,
    },
};

/// Anonymous access and rate limits.
pub struct LimitsConfig {
    /// Whether quote and sign of version 1 accept requests without credentials.
    pub anonymous: bool,
    /// Requests without credentials from one address, wrong credentials from one address, requests of one client.
    pub limits: Limits,
}

/// `[limits]`.
#[derive(Deserialize)]
pub(crate) struct LimitsTable {
    anonymous: Option<bool>,
    anonymous_per_second: Option<Rate<Request>>,
    anonymous_burst: Option<Rate<Request>>,
    failed_logins_per_minute: Option<Rate<Login>>,
    failed_logins_burst: Option<Rate<Login>>,
    credential_per_second: Option<Rate<Request>>,
    credential_burst: Option<Rate<Request>>,
}

type Rate<U> = Integer<u32, 1, 1_000_000, U>;

impl LimitsConfig {
    /// Creates the limits of the table at `field`.
    ///
    /// # Errors
    /// [`KeyError`] for one key of the quota of clients without the other.
    pub(crate) fn new(table: LimitsTable, field: &Field<'_>) -> Result<Self, KeyError> {
        let credential = match (table.credential_per_second, table.credential_burst) {
            (None, None) => None,
            (per_second, burst) => Some(Quota::per_second(
                per_second.required(&field.key("credential_per_second"))?,
                burst.required(&field.key("credential_burst"))?,
            )),
        };
        let limits = Limits {
            anonymous: Quota::per_second(table.anonymous_per_second.value_or(5), table.anonymous_burst.value_or(20)),
            failed_logins: Quota::per_minute(
                table.failed_logins_per_minute.value_or(30),
                table.failed_logins_burst.value_or(10),
            ),
            credential,
        };
        Ok(Self { anonymous: table.anonymous.unwrap_or(true), limits })
    }
}
