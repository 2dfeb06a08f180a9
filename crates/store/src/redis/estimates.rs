//! Estimates in Redis: the hash `<prefix>:estimates`, which expires a day after the last write.

use std::collections::BTreeMap;

use firmquote_domain::Timestamp;
use redis::cmd;

use super::{RedisStore, connection::Connection, scripts::ScriptCall};
use crate::StoreError;

/// How long the hash outlives the last write, in milliseconds.
const RETENTION_MS: u64 = 86_400_000;

impl RedisStore {
    pub(super) async fn estimates(&self) -> Result<BTreeMap<String, String>, StoreError> {
        let mut all = cmd("HGETALL");
        all.arg(self.prefix.estimates());
        self.query(async |mut connection: Connection| connection.run(&all).await).await
    }

    pub(super) async fn store_estimates(
        &self,
        estimates: &BTreeMap<String, String>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if estimates.is_empty() {
            return Ok(());
        }
        let expires_at_ms = now.as_micros() / 1_000 + RETENTION_MS;
        let entries = estimates.iter().flat_map(|(name, estimate)| [name.clone().into(), estimate.clone().into()]);
        let arguments = std::iter::once(expires_at_ms.to_string().into_bytes()).chain(entries).collect();
        self.read(&self.scripts.store_hash, &ScriptCall { keys: vec![self.prefix.estimates()], arguments }).await
    }
}
