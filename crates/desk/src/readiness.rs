//! Whether requests can be served, by what they need: the market, the store, the keys, and what is known of pauses.
//!
//! Reasons are for whoever may look at the operator's listener: they name assets, pools and accounts, and neither
//! addresses of servers nor what those said.

use std::error::Error as _;

use firmquote_domain::{PoolSpec, Timestamp};
use firmquote_market::{AssetState, PoolState, Rejection};
use firmquote_signer::PoolSigner;
use firmquote_store::StoreError;
use futures_util::future::join_all;

use crate::{Desk, ServedPool};

/// How far a part is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartState {
    /// All of it.
    Ready,
    /// As far as some requests need it; others are refused.
    Degraded,
    /// Not as far as any request needs it.
    Unready,
}

/// How a part is, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// How far it is there.
    pub state: PartState,
    /// What is missing, in words; nothing of a part that is ready.
    pub reasons: Vec<String>,
}

impl Condition {
    /// A part of which nothing is missing.
    pub const fn ready() -> Self {
        Self { state: PartState::Ready, reasons: Vec::new() }
    }

    /// A part that is in `state` for each of `reasons`; without one it is ready. What is said twice counts once.
    pub fn because_of(state: PartState, reasons: impl IntoIterator<Item = String>) -> Self {
        let mut told: Vec<String> = Vec::new();
        for reason in reasons {
            if !told.contains(&reason) {
                told.push(reason);
            }
        }
        Self { state: if told.is_empty() { PartState::Ready } else { state }, reasons: told }
    }
}

/// How the store is, and what a signature needs beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreHealth {
    /// Whether it takes quotes.
    pub store: Condition,
    /// Whether the ledger takes entries, where it is apart from the store.
    pub ledger: Condition,
    /// Whether the clock can be trusted.
    pub clock: Condition,
}

/// What one pool lacks.
#[derive(Default)]
struct MissingParts {
    prices: Vec<String>,
    reserves: Vec<String>,
    /// Whether a pair is there both of whose assets have both.
    has_quoted_pair: bool,
}

impl MissingParts {
    fn new(pool: &PoolSpec, state: Option<&PoolState>, now: Timestamp) -> Self {
        let (mut lacks, mut trusted) = (Self::default(), Vec::new());
        for (position, asset) in pool.assets.iter().enumerate() {
            let Some(known) = state.and_then(|state| state.assets.get(position)) else {
                lacks.prices.push(format!("nothing is known of pool {}", pool.id));
                continue;
            };
            let [price, reserve] = rejection(known, now);
            if price.is_none() && reserve.is_none() {
                trusted.push(&asset.symbol);
            }
            lacks.prices.extend(price.map(|reason| format!("{}: {reason}", asset.symbol)));
            lacks.reserves.extend(reserve.map(|reason| format!("{} of pool {}: {reason}", asset.symbol, pool.id)));
        }
        lacks.has_quoted_pair = pool.pairs.iter().any(|pair| pair.assets.iter().all(|one| trusted.contains(&one)));
        lacks
    }

    /// Whether a pair of the pool is quoted, or there is nothing against quoting any.
    fn is_quoted(&self) -> bool {
        self.has_quoted_pair || self.prices.is_empty() && self.reserves.is_empty()
    }
}

/// Why price and reserve of an asset are not quoted on, each for itself.
fn rejection(known: &AssetState, now: Timestamp) -> [Option<Rejection>; 2] {
    [known.price_at(now).err(), known.reserve_at(now).err()]
}

impl Desk {
    /// Prices, and reserves. While no pool has a pair that is quoted, nothing is, and what is missing of either is why;
    /// otherwise what is missing takes no more with it than the assets it is about.
    pub fn market_condition(&self) -> [Condition; 2] {
        let (snapshot, now) = (self.market.snapshot(), self.clock.now());
        let pools = self.pools.iter().map(ServedPool::spec);
        let lacks: Vec<_> =
            pools.map(|pool| MissingParts::new(pool, snapshot.pool(pool.id).map(AsRef::as_ref), now)).collect();
        let is_quoted = lacks.is_empty() || lacks.iter().any(MissingParts::is_quoted);
        let state = if is_quoted { PartState::Degraded } else { PartState::Unready };
        let (prices, reserves): (Vec<_>, Vec<_>) =
            lacks.into_iter().map(|lacks| (lacks.prices, lacks.reserves)).unzip();
        [prices, reserves].map(|reasons| Condition::because_of(state, reasons.into_iter().flatten()))
    }

    /// The store with the ledger, and the clock: without the first nothing is quoted, without the others nothing is signed.
    /// Asks the store.
    pub async fn store_health(&self) -> StoreHealth {
        let error = self.store.ping(self.clock.now()).await.err();
        let unready = |reason: Option<String>| Condition::because_of(PartState::Unready, reason);
        let mut health = StoreHealth {
            store: Condition::ready(),
            ledger: Condition::ready(),
            clock: unready(self.check_clock().err().and_then(|error| error.source().map(ToString::to_string))),
        };
        if let Some(error) = error {
            let part = match &error {
                StoreError::ClockSkew { .. } => &mut health.clock,
                StoreError::Ledger(_) => &mut health.ledger,
                _ => &mut health.store,
            };
            *part = unready(Some(error.to_string()));
        }
        health
    }

    /// The keys that sign, all asked at once. One that cannot be asked makes nothing unready: quotes need none, and each
    /// signature asks again.
    pub async fn key_condition(&self) -> Condition {
        let mut signers: Vec<&PoolSigner> = Vec::new();
        for signer in self.pools.iter().map(ServedPool::signer) {
            if !signers.iter().any(|known| known.shares_key_with(signer)) {
                signers.push(signer);
            }
        }
        let each = signers.into_iter().map(|signer| async move {
            signer.check_key().await.err().map(|error| format!("{}: {error}", signer.address()))
        });
        Condition::because_of(PartState::Degraded, join_all(each).await.into_iter().flatten())
    }

    /// What is known of pauses: without it nothing is quoted or signed. A pause is the operator's will, and nothing
    /// missing.
    pub fn pauses_condition(&self) -> Condition {
        let is_unknown = self.pauses.check_known().is_err();
        let reason = is_unknown.then(|| "which pools are paused is not known".to_owned());
        Condition::because_of(PartState::Unready, reason)
    }
}
