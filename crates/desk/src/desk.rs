//! The desk: pools with their keys and policies, the market, the store and the clock, put together.

use std::sync::Arc;

use firmquote_domain::{Asset, Client, Clock, PoolSpec, Timestamp, Usd};
use firmquote_market::{Market, Snapshot};
use firmquote_pricing::worth_at_least;
use firmquote_signer::PoolSigner;
use firmquote_store::QuoteStore;

use crate::{OperatorView, Pauses, SigningPolicy, ValueAnchor, pair_cache::PairCache, policy::TradeLimits};

/// A pool that is served.
#[derive(Clone, Debug)]
pub struct ServedPool {
    /// What may be signed.
    pub policy: SigningPolicy,
    signer: PoolSigner,
    prepared: Arc<PairCache>,
    value_anchor: Arc<ValueAnchor>,
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
    pub operator_view: Arc<OperatorView>,
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
        let prepared = Arc::new(PairCache::new(signer.pool()));
        Self { policy, signer, prepared, value_anchor: Arc::default() }
    }

    /// The same, with the value that limits are bound by where it was known before.
    #[must_use]
    pub fn with_value_anchor(mut self, value_anchor: Arc<ValueAnchor>) -> Self {
        self.value_anchor = value_anchor;
        self
    }

    /// The value of the pool when it was first known whole.
    pub const fn value_anchor(&self) -> &Arc<ValueAnchor> {
        &self.value_anchor
    }

    /// The limits for `client`, at the pool's value in `snapshot` as far as it is trusted at `now`.
    pub(crate) fn limits(&self, snapshot: &Snapshot, client: &Client, now: Timestamp) -> TradeLimits {
        let (present, is_whole) = self.value(snapshot, now);
        let value = match self.policy.max_pool_value {
            Some(most) => most.min(present),
            None => self.value_anchor.bound(present, is_whole),
        };
        TradeLimits::new(&self.policy, client, value)
    }

    /// What the trusted reserves are worth, rounded down, and whether they are all that the pool holds.
    fn value(&self, snapshot: &Snapshot, now: Timestamp) -> (Usd, bool) {
        let (state, assets) = (snapshot.pool(self.spec().id), &self.spec().assets);
        let worth_of = |(position, asset): (usize, &Asset)| {
            let (price, reserve) = state?.assets.get(position)?.at(now).ok()?;
            Some(worth_at_least(reserve, price, asset.decimals))
        };
        let add = |(total, is_whole): (u64, bool), worth: Option<Usd>| match worth {
            Some(worth) => (total.saturating_add(worth.steps()), is_whole),
            None => (total, false),
        };
        let (steps, is_whole) = assets.iter().enumerate().map(worth_of).fold((0, true), add);
        (Usd::new(steps), is_whole)
    }

    /// The pool, with the key that signs for it.
    pub const fn signer(&self) -> &PoolSigner {
        &self.signer
    }

    pub(crate) fn prepared(&self) -> &PairCache {
        &self.prepared
    }

    pub(crate) fn spec(&self) -> &PoolSpec {
        self.signer.pool().spec()
    }
}
