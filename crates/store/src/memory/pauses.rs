//! Pauses in memory: for this process, and gone with it.

use std::{
    collections::BTreeSet,
    sync::{MutexGuard, PoisonError},
};

use async_trait::async_trait;
use firmquote_domain::PoolId;

use super::MemoryStore;
use crate::{PauseBoard, StoreError};

impl MemoryStore {
    /// A thread that panicked holding the lock left the set whole: every change is one insertion or removal.
    fn paused_pools(&self) -> MutexGuard<'_, BTreeSet<PoolId>> {
        self.paused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl PauseBoard for MemoryStore {
    async fn set_paused(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError> {
        let mut paused = self.paused_pools();
        if is_paused {
            paused.insert(pool)
        } else {
            paused.remove(&pool)
        };
        Ok(())
    }

    async fn paused(&self) -> Result<BTreeSet<PoolId>, StoreError> {
        Ok(self.paused_pools().clone())
    }

    fn is_shared(&self) -> bool {
        false
    }
}
