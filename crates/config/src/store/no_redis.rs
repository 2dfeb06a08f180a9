//! What takes the place of the settings of Redis in a build without it, which refuses `kind = "redis"`.

use crate::document::values::text::FromText;

/// An address that is not read.
pub(super) struct RedisAddress;

impl FromText for RedisAddress {
    fn from_text(_: &str) -> Result<Self, String> {
        Ok(Self)
    }
}

/// A prefix that is not read.
pub(super) struct KeyPrefix;

impl FromText for KeyPrefix {
    fn from_text(_: &str) -> Result<Self, String> {
        Ok(Self)
    }
}
