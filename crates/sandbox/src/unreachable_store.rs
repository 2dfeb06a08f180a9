//! A store that is always unreachable.

use std::sync::Arc;

use firmquote_store::{LayeredStore, MemoryStore, QuoteStore, StoreCall, StoreError, StoreLayer};

/// Fails every call, as if the network were down.
struct Unreachable;

impl StoreLayer for Unreachable {
    async fn around<T: Send>(
        &self,
        _: StoreCall,
        _: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        Err(StoreError::Unavailable("the sandbox was asked for a store that cannot be reached".into()))
    }
}

/// Returns a store whose every call fails.
pub(crate) fn unreachable_store() -> Arc<dyn QuoteStore> {
    Arc::new(LayeredStore { layer: Unreachable, store: Arc::new(MemoryStore::new(1)) })
}
