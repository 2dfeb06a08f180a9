//! Pauses in Redis: the set `<prefix>:paused`, without an expiry, of pools in their text form.

use std::collections::BTreeSet;

use async_trait::async_trait;
use firmquote_domain::PoolId;
use redis::cmd;

use super::RedisStore;
use crate::{PauseStore, StoreError};

#[async_trait]
impl PauseStore for RedisStore {
    /// Waits for replicas as signatures do: a failover must not end a pause.
    async fn set_paused(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError> {
        let paused: &[u8] = if is_paused { b"1" } else { b"0" };
        self.write(&self.scripts.pause, &[&self.prefix.paused()], &[pool.to_string().as_bytes(), paused]).await
    }

    async fn paused(&self) -> Result<BTreeSet<PoolId>, StoreError> {
        let key = self.prefix.paused();
        let mut members = cmd("SMEMBERS");
        members.arg(&key);
        let members: Vec<Vec<u8>> = self.query(async |mut connection| connection.run(&members).await).await?;
        let pools: Option<BTreeSet<PoolId>> = members.iter().map(|member| parse_pool_id(member)).collect();
        pools.ok_or(StoreError::Unreadable { key })
    }

    fn is_shared(&self) -> bool {
        true
    }
}

/// Parses a member of the set. Accepts only the canonical form: another spelling of the same pool would stay in the set
/// when the pause is lifted.
pub(super) fn parse_pool_id(member: &[u8]) -> Option<PoolId> {
    str::from_utf8(member).ok()?.parse().ok()
}
