//! The replies of scripts: a status, then the values that go with it.

use std::str::FromStr;

use redis::{FromRedisValue, ParsingError, Value};

use super::generation::Generation;
use crate::StoreError;

/// The reply of a script.
#[derive(Debug)]
pub(super) struct ScriptReply(Vec<Vec<u8>>);

impl FromRedisValue for ScriptReply {
    fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
        Vec::from_redis_value(value).map(Self)
    }
}

impl ScriptReply {
    /// What the script did.
    pub(super) fn status(&self) -> &[u8] {
        self.0.first().map(Vec::as_slice).unwrap_or_default()
    }

    /// The values after the status.
    pub(super) fn values(&self) -> &[Vec<u8>] {
        self.0.get(1..).unwrap_or_default()
    }

    /// The value at `position` after the status.
    ///
    /// # Errors
    /// [`Self::unexpected`] if the reply is shorter.
    pub(super) fn value(&self, position: usize) -> Result<&[u8], StoreError> {
        self.values().get(position).map(Vec::as_slice).ok_or_else(|| self.unexpected())
    }

    /// The number at `position` after the status, written in decimal digits.
    ///
    /// # Errors
    /// [`Self::unexpected`] for anything else.
    pub(super) fn number<T: FromStr>(&self, position: usize) -> Result<T, StoreError> {
        let number = str::from_utf8(self.value(position)?).ok().and_then(|text| text.parse().ok());
        number.ok_or_else(|| self.unexpected())
    }

    /// Parses `bytes` of this reply as a generation.
    ///
    /// # Errors
    /// [`Self::unexpected`] for anything else.
    pub(super) fn generation(&self, bytes: &[u8]) -> Result<Generation, StoreError> {
        Generation::try_from(bytes).map_err(|_| self.unexpected())
    }

    /// The reply of an inner step, which starts at `position` after the status.
    pub(super) fn inner(&self, position: usize) -> Self {
        Self(self.values().get(position..).unwrap_or_default().to_vec())
    }

    /// The error for a reply that the script does not give.
    pub(super) fn unexpected(&self) -> StoreError {
        let status = String::from_utf8_lossy(self.status());
        StoreError::Unavailable(format!("unexpected reply {status:?} of a script in Redis").into())
    }
}
