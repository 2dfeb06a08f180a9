//! Readiness of the dependencies of requests: the market, the store, the keys and the pause state.
//!
//! Reasons are visible to anyone with access to the operator's listener: they name assets, pools and accounts, but
//! neither server addresses nor server responses.

use std::error::Error as _;

use firmquote_domain::{PoolSpec, Timestamp};
use firmquote_market::{AssetState, PoolState, Rejection};
use firmquote_signer::PoolSigner;
use firmquote_store::StoreError;
use futures_util::future::join_all;

use crate::{Condition, Desk, PartState, ServedPool};

/// The state of the store, and of the other dependencies of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreHealth {
    /// Whether the store accepts quotes.
    pub store: Condition,
    /// Whether the ledger accepts entries, if it is separate from the store.
    pub ledger: Condition,
    /// Whether the clock can be trusted.
    pub clock: Condition,
    /// Whether swaps are signed: not while the store may have lost some that are outstanding.
    pub signing: Condition,
}

/// The inputs that a pool lacks to be quoted.
#[derive(Default)]
struct MissingInputs {
    prices: Vec<String>,
    reserves: Vec<String>,
    /// Whether some pair has trusted prices and reserves for both of its assets.
    has_quoted_pair: bool,
}

impl MissingInputs {
    fn new(pool: &PoolSpec, state: Option<&PoolState>, now: Timestamp) -> Self {
        let (mut missing, mut trusted) = (Self::default(), Vec::new());
        for (position, asset) in pool.assets.iter().enumerate() {
            let Some(asset_state) = state.and_then(|state| state.assets.get(position)) else {
                missing.prices.push(format!("no data for pool {}", pool.id));
                continue;
            };
            let [price, reserve] = rejection(asset_state, now);
            if price.is_none() && reserve.is_none() {
                trusted.push(&asset.symbol);
            }
            missing.prices.extend(price.map(|reason| format!("{}: {reason}", asset.symbol)));
            missing.reserves.extend(reserve.map(|reason| format!("{} of pool {}: {reason}", asset.symbol, pool.id)));
        }
        missing.has_quoted_pair = pool.pairs.iter().any(|pair| pair.assets.iter().all(|one| trusted.contains(&one)));
        missing
    }

    /// Whether a pair of the pool is quoted, or nothing prevents quoting.
    fn is_quoted(&self) -> bool {
        self.has_quoted_pair || self.prices.is_empty() && self.reserves.is_empty()
    }
}

/// Returns why the price and the reserve of an asset are not used for quotes, each separately.
fn rejection(asset_state: &AssetState, now: Timestamp) -> [Option<Rejection>; 2] {
    [asset_state.price_at(now).err(), asset_state.reserve_at(now).err()]
}

impl Desk {
    /// Returns the conditions of prices and of reserves. If no pool has a quoted pair, missing data makes its part
    /// unready; otherwise the part is only degraded, and just the assets concerned are affected.
    pub fn market_conditions(&self) -> [Condition; 2] {
        let (snapshot, now) = (self.market.snapshot(), self.clock.now());
        let pools = self.pools.iter().map(ServedPool::spec);
        let missing: Vec<_> =
            pools.map(|pool| MissingInputs::new(pool, snapshot.pool(pool.id).map(AsRef::as_ref), now)).collect();
        let is_quoted = missing.is_empty() || missing.iter().any(MissingInputs::is_quoted);
        let state = if is_quoted { PartState::Degraded } else { PartState::Unready };
        let (prices, reserves): (Vec<_>, Vec<_>) =
            missing.into_iter().map(|missing| (missing.prices, missing.reserves)).unzip();
        [prices, reserves].map(|reasons| Condition::from_reasons(state, reasons.into_iter().flatten()))
    }

    /// Returns the conditions of the store with the ledger, of the clock, and of signing. Without the store nothing is
    /// quoted; without the ledger or the clock nothing is signed. Queries the store.
    pub async fn store_health(&self) -> StoreHealth {
        let error = self.store.ping(self.clock.now()).await.err();
        let unready = |reason: Option<String>| Condition::from_reasons(PartState::Unready, reason);
        let mut health = StoreHealth {
            store: Condition::ready(),
            ledger: Condition::ready(),
            signing: Condition::ready(),
            clock: unready(self.check_clock().err().and_then(|error| error.source().map(ToString::to_string))),
        };
        if let Some(error) = error {
            let part = match &error {
                StoreError::ClockSkew { .. } => &mut health.clock,
                StoreError::Ledger(_) => &mut health.ledger,
                StoreError::Full { .. }
                | StoreError::ClientFull { .. }
                | StoreError::Unavailable(_)
                | StoreError::Denied { .. }
                | StoreError::Unreadable { .. } => &mut health.store,
            };
            *part = unready(Some(error.to_string()));
        } else {
            health.signing = self.signing_condition().await;
        }
        health
    }

    /// Returns whether the pools sign. One that waits is degraded: it is quoted, and signs again by itself.
    async fn signing_condition(&self) -> Condition {
        let (snapshot, now) = (self.market.snapshot(), self.clock.now());
        let delay = |pool: &ServedPool| {
            let (id, max_lifetime_seconds) = (pool.id(), pool.spec().max_lifetime_seconds());
            let is_observed = snapshot.pool(id).is_some_and(|state| state.block.is_some());
            async move {
                match self.store.signing_delay_seconds(id, max_lifetime_seconds, is_observed, now).await {
                    Ok(0) => None,
                    Ok(seconds) => Some(format!(
                        "pool {id} signs again in {seconds} s at the latest: swaps that may be outstanding are unknown"
                    )),
                    Err(error) => Some(format!("pool {id}: {error}")),
                }
            }
        };
        let delays: Vec<_> = self.pools.iter().map(delay).collect();
        Condition::from_reasons(PartState::Degraded, join_all(delays).await.into_iter().flatten())
    }

    /// Returns the condition of the signing keys, which are queried concurrently. A key that cannot be reached never
    /// makes the part unready: quotes need no key, and each signature queries its key again.
    pub async fn key_condition(&self) -> Condition {
        let mut signers: Vec<&PoolSigner> = Vec::new();
        for signer in self.pools.iter().map(ServedPool::signer) {
            if !signers.iter().any(|other| other.shares_key_with(signer)) {
                signers.push(signer);
            }
        }
        let each = signers.into_iter().map(|signer| async move {
            signer.check_key().await.err().map(|error| format!("{}: {error}", signer.address()))
        });
        Condition::from_reasons(PartState::Degraded, join_all(each).await.into_iter().flatten())
    }

    /// Returns the condition of the pause state, without which nothing is quoted or signed. A paused pool is intended
    /// by the operator and does not count as missing.
    pub fn pauses_condition(&self) -> Condition {
        let is_unknown = !self.pauses.is_known(self.clock.now());
        let reason = is_unknown.then(|| "the pause state is unknown".to_owned());
        Condition::from_reasons(PartState::Unready, reason)
    }

    /// Returns whether requests are recorded; ready if they need not be.
    pub fn tape_condition(&self) -> Condition {
        self.recorder.as_ref().map_or_else(Condition::ready, |recorder| recorder.condition())
    }
}
