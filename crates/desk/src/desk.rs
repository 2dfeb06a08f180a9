//! The desk: pools with their keys and policies, the market, the store and the clock, put together.

use std::sync::Arc;

use firmquote_domain::{Clock, PoolSpec};
use firmquote_market::Market;
use firmquote_signer::PoolSigner;
use firmquote_store::QuoteStore;

use crate::{DeskError, Pauses, SigningPolicy, pairing::side, prepared::PreparedPairs};

/// A pool that is served.
#[derive(Clone, Debug)]
pub struct ServedPool {
    /// What may be signed.
    pub policy: SigningPolicy,
    signer: PoolSigner,
    prepared: Arc<PreparedPairs>,
}

/// Quotes, signs, and shows pools. Shared by all requests; nothing in it is locked.
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

impl Desk {
    /// Whether the desk could serve a request now: the store answers, which pools are paused is
    /// known, and two assets of a pool are quoted. A pause is the operator's will and no reason against it.
    ///
    /// # Errors
    /// [`DeskError::Store`] when the store does not answer; [`DeskError::Market`] or [`DeskError::Untrusted`], for the first
    /// pool, when there is no pool that is quoted.
    pub async fn is_ready(&self) -> Result<(), DeskError> {
        let (snapshot, now) = (self.market.snapshot(), self.clock.now());
        let ready = |pool: &PoolSpec| {
            let state = snapshot.pool(pool.id).ok_or(DeskError::Market(pool.id))?;
            let sides = pool.assets.iter().enumerate().map(|asset| side(pool.id, asset, state, now));
            let (trusted, mut untrusted): (Vec<_>, Vec<_>) = sides.partition(Result::is_ok);
            if trusted.len() < 2 && !untrusted.is_empty() {
                untrusted.swap_remove(0)?;
            }
            Ok(())
        };
        let pools: Vec<_> = self.pools.iter().map(|pool| ready(pool.spec())).collect();
        if !pools.iter().any(Result::is_ok) {
            pools.into_iter().next().unwrap_or(Ok(()))?;
        }
        drop(snapshot);
        self.pauses.check_known()?;
        self.store.ping().await.map_err(DeskError::Store)
    }
}
