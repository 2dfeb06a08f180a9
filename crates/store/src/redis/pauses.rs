//! Pauses in Redis: the set `<prefix>:paused`, without an expiry, of pools in their text form.

use std::collections::BTreeSet;

use firmquote_domain::PoolId;

use super::{RedisStore, connection::Connection, reply::ScriptReply};
use crate::{PausedPools, StoreError};

impl RedisStore {
    /// Waits for replicas as signatures do: a failover must not end a pause.
    pub(super) async fn write_pause(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError> {
        let paused: &[u8] = if is_paused { b"1" } else { b"0" };
        self.write(&self.scripts.pause, &[&self.prefix.paused()], &[pool.to_string().as_bytes(), paused]).await
    }

    pub(super) async fn read_pauses(&self) -> Result<PausedPools, StoreError> {
        let key = self.prefix.paused();
        let call = async |mut connection: Connection| connection.call(&self.scripts.paused, &[&key], &[]).await;
        let reply: ScriptReply = self.query(call).await?;
        let generation = reply.generation(reply.status())?;
        let pools: Option<BTreeSet<PoolId>> = reply.values().iter().map(|member| parse_pool_id(member)).collect();
        let pools = pools.ok_or(StoreError::Unreadable { key })?;
        Ok(PausedPools { pools, generation: Some(*generation.as_bytes()) })
    }
}

/// Parses a member of the set. Accepts only the canonical form: another spelling of the same pool would stay in the set
/// when the pause is lifted.
pub(super) fn parse_pool_id(member: &[u8]) -> Option<PoolId> {
    str::from_utf8(member).ok()?.parse().ok()
}
