//! Samples of pools in memory.

use std::collections::{BTreeMap, HashMap};

use firmquote_domain::{PoolId, Timestamp};

use crate::PoolSample;

/// The samples of all pools, each by the number of its interval.
#[derive(Debug, Default)]
pub(super) struct SampleTable(HashMap<PoolId, BTreeMap<u32, PoolSample>>);

impl SampleTable {
    /// Stores a sample, and drops those that are too old beside it. Returns `false` if there is one for the same
    /// interval.
    pub(super) fn store(&mut self, pool: PoolId, sample: &PoolSample) -> bool {
        let samples = self.0.entry(pool).or_default();
        let interval = sample.interval();
        let is_new = !samples.contains_key(&interval);
        if is_new {
            *samples = samples.split_off(&sample.oldest_kept_interval());
            samples.insert(interval, sample.clone());
        }
        is_new
    }

    /// Returns the samples of `pool` from `since` on.
    pub(super) fn since(&self, pool: PoolId, since: Timestamp) -> Vec<PoolSample> {
        let of_pool = self.0.get(&pool).into_iter().flat_map(|samples| samples.range(PoolSample::interval_of(since)..));
        of_pool.map(|(_, sample)| sample).filter(|sample| sample.block_time >= since).cloned().collect()
    }

    /// Returns all samples with their pools.
    pub(super) fn all(&self) -> Vec<(PoolId, PoolSample)> {
        let of_pools = self.0.iter().flat_map(|(pool, samples)| samples.values().map(|sample| (*pool, sample.clone())));
        of_pools.collect()
    }

    /// Removes the samples of `pool`.
    pub(super) fn remove(&mut self, pool: PoolId) {
        self.0.remove(&pool);
    }
}
