//! Samples of pools in Redis: the sorted set `<prefix>:{<pool>}:samples`, by the number of their interval. A failover may
//! lose the last ones.

use firmquote_domain::{PoolId, Timestamp};
use redis::cmd;

use super::{RedisStore, connection::Connection, scripts::ScriptCall, store::encode_error};
use crate::{PoolSample, StoreError};

impl RedisStore {
    pub(super) async fn store_sample(&self, pool: PoolId, sample: &PoolSample) -> Result<(), StoreError> {
        let expires_at_ms = sample.block_time.plus_seconds(PoolSample::RETENTION_SECONDS).as_micros() / 1_000;
        let arguments = vec![
            sample.interval().to_string().into_bytes(),
            sample.to_json().map_err(encode_error)?.into_bytes(),
            sample.oldest_kept_interval().to_string().into_bytes(),
            expires_at_ms.to_string().into_bytes(),
        ];
        self.read(&self.scripts.store_sample, &ScriptCall { keys: vec![self.prefix.samples(pool)], arguments }).await
    }

    pub(super) async fn samples(&self, pool: PoolId, since: Timestamp) -> Result<Vec<PoolSample>, StoreError> {
        let key = self.prefix.samples(pool);
        let mut range = cmd("ZRANGEBYSCORE");
        range.arg(&key).arg(PoolSample::interval_of(since)).arg("+inf");
        let lines: Vec<Vec<u8>> = self.query(async |mut connection: Connection| connection.run(&range).await).await?;
        // Without those that cannot be read: the breakers work with fewer, and not at all with none.
        let samples = lines.iter().filter_map(|line| PoolSample::from_json(line));
        Ok(samples.filter(|sample| sample.block_time >= since).collect())
    }
}
