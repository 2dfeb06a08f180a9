//! The states that quotes of a pool were priced on, by id, retained so that clients can recompute their quotes.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use arc_swap::ArcSwapOption;
use firmquote_domain::{BookTotals, PoolSpec, StateId, Timestamp};
use firmquote_market::PoolState;
use sha2::{Digest as _, Sha256};

/// Maximum number of retained states of a pool: those of one minute at up to 270 a second.
const MAX_STATES: usize = 16_384;

/// How long a state is retained after it was last returned to a client, in seconds.
const RETENTION_SECONDS: u32 = 60;

/// The age at which a state that is still current is stored again, in seconds.
const RENEWAL_SECONDS: u32 = 10;

/// The latest states of a pool that were returned to clients.
#[derive(Debug, Default)]
pub(crate) struct PoolStates {
    /// Read without a lock: most quotes are made in the same state as the previous one.
    newest: ArcSwapOption<RetainedState>,
    /// Oldest first.
    retained: Mutex<VecDeque<Arc<RetainedState>>>,
}

/// A state of a pool: its id, market data and book totals.
#[derive(Debug)]
pub(crate) struct RetainedState {
    pub(crate) id: StateId,
    /// When it was returned to a client.
    pub(crate) returned_at: Timestamp,
    pub(crate) market: Arc<PoolState>,
    pub(crate) totals: Arc<BookTotals>,
}

impl RetainedState {
    /// Whether the state was returned to a client less than `seconds` ago.
    fn is_newer_than(&self, seconds: u32, now: Timestamp) -> bool {
        now < self.returned_at.plus_seconds(seconds)
    }
}

impl PoolStates {
    /// Returns the state of a pool with these prices and reserves and the book of `totals`, and remembers it. Nothing
    /// is hashed or locked unless anything differs from the last call.
    pub(crate) fn remember(
        &self,
        pool: &PoolSpec,
        confirmations: u64,
        market: &Arc<PoolState>,
        totals: &Arc<BookTotals>,
        now: Timestamp,
    ) -> Arc<RetainedState> {
        let is_same = |retained: &Arc<RetainedState>| {
            Arc::ptr_eq(&retained.totals, totals) && Arc::ptr_eq(&retained.market, market)
        };
        let newest = self.newest.load_full();
        if let Some(retained) =
            newest.filter(|retained| is_same(retained) && retained.is_newer_than(RENEWAL_SECONDS, now))
        {
            return retained;
        }
        let id = hash(pool, confirmations, market, totals);
        let (market, totals) = (Arc::clone(market), Arc::clone(totals));
        let state = Arc::new(RetainedState { id, returned_at: now, market, totals });
        self.newest.store(Some(Arc::clone(&state)));
        let mut retained = self.retained.lock().unwrap_or_else(PoisonError::into_inner);
        retained.push_back(Arc::clone(&state));
        let retention = RETENTION_SECONDS + RENEWAL_SECONDS;
        while retained.len() > MAX_STATES
            || retained.front().is_some_and(|oldest| !oldest.is_newer_than(retention, now))
        {
            retained.pop_front();
        }
        state
    }

    /// Returns the state with this id, if it was returned to a client in the last minute.
    pub(crate) fn find(&self, id: StateId, now: Timestamp) -> Option<Arc<RetainedState>> {
        let retained = self.retained.lock().unwrap_or_else(PoisonError::into_inner);
        let found = retained.iter().rev().find(|retained| retained.id == id).cloned();
        found.filter(|retained| retained.is_newer_than(RETENTION_SECONDS + RENEWAL_SECONDS, now))
    }
}

/// Hashes everything that prices of `pool` depend on.
fn hash(pool: &PoolSpec, confirmations: u64, market: &PoolState, totals: &BookTotals) -> StateId {
    let (id, mut hash) = (pool.id, Sha256::new());
    hash.update(id.chain_id.get().to_be_bytes());
    hash.update(id.address);
    hash.update(market.block.unwrap_or(u64::MAX).to_be_bytes());
    for (asset, state) in pool.assets.iter().zip(&market.assets) {
        hash.update(state.price.as_ref().map_or(0, |price| price.value.steps()).to_be_bytes());
        let reserve = state.reserve.as_ref().map(|reserve| reserve.value.base_units());
        let flows = totals.adverse_flows(asset.address, market.block, confirmations);
        let limbs = reserve.unwrap_or_default().into_limbs().into_iter();
        for limb in limbs.chain(flows.inflow.into_limbs()).chain(flows.outflow.into_limbs()) {
            hash.update(limb.to_be_bytes());
        }
    }
    for volatility in &market.volatilities {
        hash.update(volatility.map_or(u64::MAX, |estimated| estimated.quoted.steps().into()).to_be_bytes());
    }
    let mut bytes = [0; 16];
    hash.finalize().iter().zip(&mut bytes).for_each(|(digit, byte)| *byte = *digit);
    StateId::from_bytes(bytes)
}
