//! A store that is always unreachable.

use std::sync::Arc;

use firmquote_store::{LayeredStore, MemoryStore, Store, StoreCall, StoreError};

/// Returns a store whose every call fails.
pub(crate) fn unreachable_store() -> Arc<dyn Store> {
    let layer = |_: StoreCall| Err(StoreError::Unavailable("the sandbox injected a store outage".into()));
    Arc::new(LayeredStore { layer, store: Arc::new(MemoryStore::new(1)) })
}
