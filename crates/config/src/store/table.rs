//! The keys of `[store]`.

use std::time::Duration;

#[cfg(feature = "redis")]
use firmquote_store::redis::{KeyPrefix, RedisAddress};
use serde::Deserialize;

#[cfg(not(feature = "redis"))]
use super::no_redis::{KeyPrefix, RedisAddress};
use crate::document::{
    secret_refs::{Secret, Variable},
    values::{
        array::OneOrMore,
        integer::{Integer, Millis, Quote, Replica, Second},
        text::{DirectoryPath, FilePath, FromText, Label, Text, word},
    },
};

/// `[store]`.
#[derive(Deserialize)]
#[cfg_attr(not(feature = "redis"), expect(dead_code, reason = "keys of a kind that is refused"))]
pub(crate) struct StoreTable {
    pub(super) kind: Option<Text<Kind>>,
    pub(super) max_quotes: Option<Integer<usize, 1, MAX_QUOTES, Quote>>,
    pub(super) ledger_file: Option<Text<FilePath>>,
    pub(super) state_dir: Option<Text<DirectoryPath>>,
    pub(super) url: Option<OneOrMore<RedisAddress>>,
    pub(super) cluster: Option<bool>,
    pub(super) sentinel_master: Option<Label<128>>,
    pub(super) username: Option<Label<128>>,
    pub(super) password_env: Option<Variable<Password>>,
    pub(super) password_file: Option<Text<FilePath>>,
    pub(super) tls_ca_file: Option<Text<FilePath>>,
    pub(super) tls_certificate_file: Option<Text<FilePath>>,
    pub(super) tls_key_file: Option<Text<FilePath>>,
    pub(super) prefix: Option<Text<KeyPrefix>>,
    pub(super) timeout_ms: Option<Millis<50, 10_000>>,
    pub(super) max_clock_skew_ms: Option<Millis<500, 60_000>>,
    pub(super) wait_replicas: Option<Integer<u32, 0, 16, Replica>>,
    pub(super) wait_aof: Option<bool>,
    pub(super) wait_aof_timeout_ms: Option<Millis<2_000, 30_000>>,
    pub(super) status_retention_seconds: Option<Integer<u32, 3_600, YEAR_SECONDS, Second>>,
    pub(super) ledger_max_age_seconds: Option<Integer<u32, 60, YEAR_SECONDS, Second>>,
}

/// Maximum of every retention in seconds.
const YEAR_SECONDS: u64 = 31_536_000;

/// The password of Redis.
pub(super) enum Password {}

impl Secret for Password {
    const WHAT: &'static str = "a password";
}

/// Maximum of `max_quotes`.
pub(super) const MAX_QUOTES: u64 = 10_000_000;

/// The kind of a store.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Memory,
    Redis,
}

impl FromText for Kind {
    fn from_text(text: &str) -> Result<Self, String> {
        word(&[("memory", Self::Memory), ("redis", Self::Redis)], text)
    }
}

/// The settings of both kinds.
pub(super) struct CommonSettings {
    /// The time limit of every store call.
    pub(super) timeout: Duration,
    /// How far the local clock may be ahead of the store's before signing stops; with the memory store, ahead of the
    /// time elapsed since the start.
    pub(super) max_clock_skew: Duration,
    /// How long the status of a signed quote can be read after its end.
    pub(super) status_retention_seconds: u32,
}
