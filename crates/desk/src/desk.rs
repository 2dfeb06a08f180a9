//! The desk: pools with their keys and policies, the market, the store and the clock, put together.

use std::sync::Arc;

use firmquote_domain::{Clock, PoolSpec};
use firmquote_market::Market;
use firmquote_signer::PoolSigner;
use firmquote_store::QuoteStore;

use crate::{Pauses, SigningPolicy, Watch, prepared::PreparedPairs};

/// A pool that is served.
#[derive(Clone, Debug)]
pub struct ServedPool {
    /// What may be signed.
    pub policy: SigningPolicy,
    signer: PoolSigner,
    prepared: Arc<PreparedPairs>,
}

/// Quotes, signs, and shows pools. Shared by all requests; no quote waits for a lock.
pub struct Desk {
    /// The pools it quotes for. The first of a chain is the chain's default pool.
    pub pools: Vec<ServedPool>,
    /// The pools that are paused at present.
    pub pauses: Arc<Pauses>,
    /// Prices and reserves.
    pub market: Arc<Market>,
    /// Where quotes are kept.
    pub store: Arc<dyn QuoteStore>,
    /// The time of day.
    pub clock: Arc<dyn Clock>,
    /// What is kept for the operator to look at.
    pub watch: Arc<Watch>,
}

impl From<PoolSigner> for ServedPool {
    /// The pool without a limit to what is signed.
    fn from(signer: PoolSigner) -> Self {
        Self::new(signer, SigningPolicy::default())
    }
}

impl ServedPool {
    /// A pool with the key that signs for it, and what may be signed.
    pub fn new(signer: PoolSigner, policy: SigningPolicy) -> Self {
        let prepared = Arc::new(PreparedPairs::of(signer.pool()));
        Self { policy, signer, prepared }
    }

    /// The pool, with the key that signs for it.
    pub const fn signer(&self) -> &PoolSigner {
        &self.signer
    }

    pub(crate) fn prepared(&self) -> &PreparedPairs {
        &self.prepared
    }

    pub(crate) fn spec(&self) -> &PoolSpec {
        self.signer.pool().spec()
    }
}
