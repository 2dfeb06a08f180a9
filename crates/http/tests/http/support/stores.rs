//! Failing and slow stores, and a signing service that does not respond.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use firmquote_domain::{Address, Signature};
use firmquote_signer::{Signer, SignerError, TypedMessage};
use firmquote_store::{LayeredStore, MemoryStore, Store, StoreCall, StoreError, StoreLayer};
use tokio::sync::Semaphore;

/// Lets the store store a quote only once the gate admits it, and counts pings.
pub(crate) struct Gate {
    /// A permit for each call that arrived.
    pub(crate) arrived: Semaphore,
    /// A permit for each call that may continue.
    pub(crate) gate: Semaphore,
    pub(crate) pings: AtomicUsize,
}

impl StoreLayer for Gate {
    async fn around<T: Send + 'static>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        match call {
            StoreCall::Insert => {
                self.arrived.add_permits(1);
                self.gate.acquire().await.unwrap().forget();
            }
            StoreCall::Ping => _ = self.pings.fetch_add(1, Ordering::SeqCst),
            _ => {}
        }
        work.await
    }
}

/// Returns a store that is unavailable.
pub(crate) fn broken_store() -> Arc<dyn Store> {
    let layer = |_: StoreCall| Err(StoreError::Unavailable("redis://user:hunter2@10.0.0.7 is on fire".into()));
    Arc::new(LayeredStore { layer, store: Arc::new(MemoryStore::new(1)) })
}

/// Returns a store that panics in every call about an unsigned quote.
pub(crate) fn panicking_store() -> Arc<dyn Store> {
    let layer = |call| match call {
        StoreCall::Insert | StoreCall::Find | StoreCall::Open => panic!("the secret of the store"),
        _ => Ok(()),
    };
    Arc::new(LayeredStore { layer, store: Arc::new(MemoryStore::new(1)) })
}

/// Returns a store for `capacity` quotes with a closed gate.
pub(crate) fn gated_store(capacity: usize) -> Arc<LayeredStore<MemoryStore, Gate>> {
    let closed = || Semaphore::new(0);
    let layer = Gate { arrived: closed(), gate: closed(), pings: AtomicUsize::new(0) };
    Arc::new(LayeredStore { layer, store: Arc::new(MemoryStore::new(capacity)) })
}

/// A signing service that does not respond.
pub(crate) struct BrokenSigner;

#[async_trait]
impl Signer for BrokenSigner {
    fn address(&self) -> Address {
        Address::repeat_byte(7)
    }

    async fn sign(&self, _: &TypedMessage) -> Result<Signature, SignerError> {
        Err(SignerError::Unavailable { source: "kms://hunter2 is on fire".into() })
    }

    async fn check(&self) -> Result<(), SignerError> {
        Err(SignerError::Unavailable { source: "kms://hunter2 is on fire".into() })
    }
}
