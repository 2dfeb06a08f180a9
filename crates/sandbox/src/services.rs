//! The services behind the faults. Each is a real service whose desk differs from the ordinary one in one aspect, so
//! that an injected error equals one with a real cause.

use std::{collections::BTreeSet, convert::Infallible, sync::Arc, time::Duration};

use actix_web::rt::time::sleep;
use firmquote_desk::{Desk, FirmLevelsState, Pauses, ServedPool};
use firmquote_domain::{BasisPoints, Clock, InvalidPool, Pool};
use firmquote_http::{LiveService, Metrics, RandomnessUnavailable, Service};
use firmquote_market::{AssetState, Market, PoolState, Rejection, Snapshot};
use firmquote_signer::{LocalSigner, PoolSigner, Signer};
use firmquote_store::{LayeredStore, MemoryStore, Store, StoreCall, StoreError};
use strum::{EnumIter, IntoEnumIterator as _};

use crate::{Fault, operation::Operation};

/// The increase of fees of [`ServiceVariant::HigherFees`], in hundredths of a basis point: 1 %.
const FEE_INCREASE: u32 = 10_000;

/// The time for which pools are alternately paused and not.
const TOGGLE_INTERVAL: Duration = Duration::from_secs(3);

/// The age of a stale price, and the limit, as reported in errors, in milliseconds.
const STALE_PRICE: Rejection = Rejection::Old { age_ms: 60_000, max_age_ms: 10_000 };

/// A variant of the ordinary service, one for each cause of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
pub(crate) enum ServiceVariant {
    /// Fees are higher, so that no quote of the ordinary service holds.
    HigherFees,
    /// The store is empty. This variant is not used for quotes, because it could sign its own.
    EmptyStore,
    /// Quotes go to another store than the one used for signing.
    OtherStore,
    /// No price is trusted.
    UntrustedPrices,
    /// The store cannot be reached.
    Unreachable,
    /// All pools are paused.
    Paused,
    /// Another key signs.
    OtherSigner,
    /// Pools are alternately paused and not.
    ToggledPauses,
}

/// Why the service variants could not be created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// A pool with higher fees is invalid.
    #[error("a pool whose fees are 1 % higher is not allowed: lower its base_fee_bps")]
    Pool(#[from] InvalidPool),
    /// The system provides no randomness.
    #[error(transparent)]
    Randomness(#[from] RandomnessUnavailable),
    /// A key cannot be created.
    #[error("no key for forged signatures: {0}")]
    Key(String),
}

/// The services of all variants.
pub(crate) struct Services {
    variants: Vec<(ServiceVariant, Arc<LiveService>)>,
    toggled_pauses: Arc<Pauses>,
    clock: Arc<dyn Clock>,
}

impl Fault {
    /// Returns the variant whose service has the fault for this kind of request; `None` for those that need none.
    pub(crate) const fn variant(self, operation: Operation) -> Option<ServiceVariant> {
        match self {
            Self::Conflict => Some(ServiceVariant::HigherFees),
            Self::Expired if matches!(operation, Operation::Quote) => Some(ServiceVariant::OtherStore),
            Self::Expired => Some(ServiceVariant::EmptyStore),
            Self::StalePrices => Some(ServiceVariant::UntrustedPrices),
            Self::Unavailable => Some(ServiceVariant::Unreachable),
            Self::Paused => Some(ServiceVariant::Paused),
            Self::Forged => Some(ServiceVariant::OtherSigner),
            Self::Withdraw => Some(ServiceVariant::ToggledPauses),
            Self::RateLimited
            | Self::Slow
            | Self::Cut
            | Self::LostAnswer
            | Self::Gap
            | Self::Silence
            | Self::Dropped
            | Self::Reorged => None,
        }
    }
}

impl Services {
    /// Creates the variants of the service of `desk`; `service` creates a service for a desk.
    ///
    /// # Errors
    /// [`SandboxError`].
    pub(crate) fn new(
        desk: &Arc<Desk>,
        metrics: &Arc<Metrics>,
        service: &dyn Fn(Arc<Desk>) -> Service,
    ) -> Result<Self, SandboxError> {
        let toggled_pauses = Arc::new(Pauses::with_paused(Arc::new(MemoryStore::new(1)), BTreeSet::new()));
        let variant = |variant| {
            let variant_desk = desk_variant(desk, variant, &toggled_pauses)?;
            let live = LiveService::new(service(Arc::new(variant_desk)), Arc::clone(metrics))?;
            Ok::<_, SandboxError>((variant, Arc::new(live)))
        };
        let variants = ServiceVariant::iter().map(variant).collect::<Result<_, _>>()?;
        Ok(Self { variants, toggled_pauses, clock: Arc::clone(&desk.clock) })
    }

    /// Returns each variant with its service.
    pub(crate) fn all(&self) -> impl Iterator<Item = (ServiceVariant, &Arc<LiveService>)> {
        self.variants.iter().map(|(variant, live)| (*variant, live))
    }

    /// Keeps the levels of the service with toggled pauses up to date, and alternates whether its pools are paused.
    pub(crate) async fn run(&self) -> Infallible {
        let toggled_service = self.all().find(|(variant, _)| *variant == ServiceVariant::ToggledPauses);
        let level_updates = async {
            match toggled_service {
                Some((_, live)) => match live.publish().await {},
                None => std::future::pending::<Infallible>().await,
            }
        };
        let pause_toggles = async {
            let mut is_paused = false;
            loop {
                sleep(TOGGLE_INTERVAL).await;
                is_paused = !is_paused;
                // A store in memory accepts every pause.
                let now = self.clock.now();
                self.toggled_pauses.set(&self.pools(), is_paused, None, now).await.ok();
            }
        };
        tokio::select! {
            never = level_updates => never,
            never = pause_toggles => never,
        }
    }

    fn pools(&self) -> Vec<firmquote_domain::PoolId> {
        let desk = self.variants.first().map(|(_, live)| live.desk());
        desk.map_or_else(Vec::new, |desk| desk.pools.iter().map(ServedPool::id).collect())
    }
}

/// Returns a desk that differs from `desk` in one aspect.
fn desk_variant(desk: &Desk, variant: ServiceVariant, toggled_pauses: &Arc<Pauses>) -> Result<Desk, SandboxError> {
    let ids: Vec<_> = desk.pools.iter().map(ServedPool::id).collect();
    let same = copy_desk(desk);
    Ok(match variant {
        ServiceVariant::HigherFees => Desk { pools: with_higher_fees(desk)?, ..same },
        ServiceVariant::EmptyStore | ServiceVariant::OtherStore => {
            let with_own_book = |pool: &ServedPool| ServedPool::new(pool.signer().clone(), pool.policy.clone());
            let pools = desk.pools.iter().map(with_own_book).collect();
            Desk { pools, store: Arc::new(MemoryStore::new(10_000)), ..same }
        }
        ServiceVariant::UntrustedPrices => {
            Desk { market: Arc::new(Market::new(with_untrusted_prices(&desk.market.snapshot(), &ids))), ..same }
        }
        ServiceVariant::Unreachable => Desk { store: unreachable_store(), ..same },
        ServiceVariant::Paused => {
            let paused = BTreeSet::from_iter(ids);
            Desk { pauses: Arc::new(Pauses::with_paused(Arc::new(MemoryStore::new(1)), paused)), ..same }
        }
        ServiceVariant::OtherSigner => {
            let key = LocalSigner::random().map_err(|error| SandboxError::Key(error.to_string()))?;
            let key: Arc<dyn Signer> = Arc::new(key);
            let with_other_key = |pool: &ServedPool| {
                with_signer(pool, PoolSigner::new(Arc::clone(pool.signer().pool()), Arc::clone(&key)))
            };
            Desk { pools: desk.pools.iter().map(with_other_key).collect(), ..same }
        }
        ServiceVariant::ToggledPauses => {
            let firm_levels = Arc::new(FirmLevelsState::new(desk.clock.now()));
            Desk { pauses: Arc::clone(toggled_pauses), firm_levels, ..same }
        }
    })
}

/// Returns a desk with the same pools, market, store and clock.
pub(crate) fn copy_desk(desk: &Desk) -> Desk {
    Desk {
        pools: desk.pools.iter().map(|pool| with_signer(pool, pool.signer().clone())).collect(),
        pauses: Arc::clone(&desk.pauses),
        market: Arc::clone(&desk.market),
        store: Arc::clone(&desk.store),
        firm_levels: Arc::clone(&desk.firm_levels),
        clock: Arc::clone(&desk.clock),
        operator_view: Arc::clone(&desk.operator_view),
        recorder: None,
    }
}

/// Returns a copy of the market of `desk`, which changes independently.
pub(crate) fn copy_market(desk: &Desk) -> Arc<Market> {
    Arc::new(Market::new(Snapshot::clone(&desk.market.snapshot())))
}

/// Returns a pool like `pool` with another signer and the same book.
fn with_signer(pool: &ServedPool, signer: PoolSigner) -> ServedPool {
    ServedPool::new(signer, pool.policy.clone()).with_book(Arc::clone(pool.book()))
}

/// Returns the pools of `desk` with higher fees.
fn with_higher_fees(desk: &Desk) -> Result<Vec<ServedPool>, SandboxError> {
    let with_higher_fee = |pool: &ServedPool| {
        let signer = pool.signer();
        let mut spec = signer.pool().spec().clone();
        for pair in &mut spec.pairs {
            let max = BasisPoints::SCALE.saturating_sub(1);
            let fee = pair.fee.base.hundredths().saturating_add(FEE_INCREASE).min(max);
            pair.fee.base = BasisPoints::from_hundredths(fee).unwrap_or(pair.fee.base);
        }
        Ok(with_signer(pool, signer.with_pool(Arc::new(Pool::new(spec)?))))
    };
    desk.pools.iter().map(with_higher_fee).collect()
}

/// Returns `snapshot` with all prices untrusted.
fn with_untrusted_prices(snapshot: &Snapshot, pools: &[firmquote_domain::PoolId]) -> Snapshot {
    let states = pools.iter().filter_map(|id| Some((*id, snapshot.pool(*id)?)));
    states.fold(snapshot.clone(), |all, (id, state)| {
        let assets = state.assets.iter().map(|asset| AssetState { price: Err(STALE_PRICE), ..asset.clone() }).collect();
        all.with(id, PoolState { assets, ..PoolState::clone(state) })
    })
}

/// Returns a store whose every call fails.
fn unreachable_store() -> Arc<dyn Store> {
    let layer = |_: StoreCall| Err(StoreError::Unavailable("the sandbox injected a store outage".into()));
    Arc::new(LayeredStore { layer, store: Arc::new(MemoryStore::new(1)) })
}
