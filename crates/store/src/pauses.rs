//! The port to whatever knows which pools an operator has paused.

use std::collections::BTreeSet;

use async_trait::async_trait;
use firmquote_domain::PoolId;

use crate::StoreError;

/// Which pools are paused, for all replicas that share it.
///
/// [`contract::check_pauses`](https://docs.rs/firmquote-store/latest/firmquote_store/contract/fn.check_pauses.html)
/// (feature `contract`) holds every implementation to what is written here. Nothing expires: a pool stays paused until it
/// is set otherwise. What a pause means, and what holds while the board cannot be asked, is decided by who asks.
#[async_trait]
pub trait PauseBoard: Send + Sync {
    /// Sets whether `pool` is paused; the last word stays. Setting it again to what it is, is no error.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the board could not be asked, or does not hold it yet as safely as it has to;
    /// it may be set or not, and setting it again is safe.
    async fn set_paused(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError>;

    /// All pools that are paused.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the board could not be asked, [`StoreError::Unreadable`] when any part of it
    /// cannot be read: that may be a pause.
    async fn paused(&self) -> Result<BTreeSet<PoolId>, StoreError>;

    /// Whether what is set is seen by other replicas.
    fn is_shared(&self) -> bool;

    /// Whether what is set is there after this process has ended.
    fn outlives_process(&self) -> bool {
        self.is_shared()
    }
}
