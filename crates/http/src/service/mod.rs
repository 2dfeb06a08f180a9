//! The service: an immutable value of everything an operator may change, and its replacement at runtime.

pub(crate) mod cors;
mod earnings;
mod host_routes;
mod setting_values;
mod settings;
mod snapshot;

use std::{
    convert::Infallible,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use actix_web::rt::time::sleep;
use arc_swap::ArcSwap;
use firmquote_desk::{Desk, PriceDesk};
use firmquote_domain::B256;

pub(crate) use self::snapshot::ServiceSnapshot;
use self::snapshot::SharedState;
pub use self::{
    earnings::{Earnings, EarningsReport, EarningsReporter, EarningsRow, PoolEarnings},
    setting_values::{InvalidSetting, PublicUrl, ServiceName},
    settings::{ConnectionSettings, Settings},
    snapshot::{ReplicaStatus, Service},
};
use crate::{
    Metrics, RandomnessUnavailable, TracingHooks,
    auth::Authenticator,
    events::EventHub,
    levels::LevelHub,
    readiness::{OutageLog, RefusalLog},
};

/// How often streamed levels are checked for changed prices, reserves and outstanding swaps: the maximum delay of a
/// change. A check costs a fraction of a microsecond per book.
const LEVELS_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A service that can be replaced at runtime.
///
/// A request uses the service that was current when it arrived or, if its body is read, when the body had arrived; it
/// never sees a partial replacement.
pub struct LiveService {
    current: ArcSwap<ServiceSnapshot>,
    shared: Arc<SharedState>,
}

impl LiveService {
    /// Starts with `service`, and counts in `metrics` for its whole lifetime.
    ///
    /// # Errors
    /// [`RandomnessUnavailable`] if the system provides no randomness.
    pub fn new(service: Service, metrics: Arc<Metrics>) -> Result<Self, RandomnessUnavailable> {
        Self::with_tracing(service, metrics, None)
    }

    /// Like [`Self::new`], and hands the span of each request, which has the target
    /// [`SPAN_TARGET`](crate::SPAN_TARGET), to `tracing`, if spans are collected.
    ///
    /// # Errors
    /// Those of [`Self::new`].
    pub fn with_tracing(
        service: Service,
        metrics: Arc<Metrics>,
        tracing: Option<TracingHooks>,
    ) -> Result<Self, RandomnessUnavailable> {
        let shared = Arc::new(SharedState {
            authenticator: Authenticator::new()?,
            levels: Arc::new(LevelHub::new(metrics.levels.clone())),
            events: EventHub::new(),
            outages: OutageLog::default(),
            refusals: RefusalLog::default(),
            replica: ArcSwap::default(),
            earnings: OnceLock::new(),
            draining: AtomicBool::new(false),
            tracing,
            metrics,
        });
        let current = ArcSwap::from_pointee(ServiceSnapshot::new(service, None, Arc::clone(&shared)));
        Ok(Self { current, shared })
    }

    /// Replaces the current service with `service`. Requests that arrive from now on use the new one as a whole; no
    /// login verified under the old credentials is remembered; limits with the same quota continue counting.
    pub fn replace(&self, service: Service) {
        let earlier = self.current.load_full();
        self.current.store(Arc::new(ServiceSnapshot::new(service, Some(&earlier), Arc::clone(&self.shared))));
        self.shared.levels.wake();
    }

    /// Returns the current desk, which a replacement may change.
    pub fn desk(&self) -> Arc<Desk> {
        Arc::clone(&self.load().desk)
    }

    /// Returns the `aux_data` of signatures whose terms name none.
    pub fn default_aux_data(&self) -> B256 {
        self.load().settings.service_name.to_aux_data()
    }

    /// Returns where prices are posted currently, which a replacement may change.
    pub fn prices(&self) -> Arc<PriceDesk> {
        Arc::clone(&self.load().prices)
    }

    /// Keeps the levels that clients stream up to date, and reads the events that operators and clients stream, for as long as the
    /// future is polled.
    pub async fn publish(&self) -> Infallible {
        let levels = async {
            loop {
                sleep(LEVELS_POLL_INTERVAL).await;
                let desk = self.desk();
                self.shared.levels.refresh(&desk).await;
            }
        };
        tokio::select! {
            never = levels => never,
            never = self.shared.events.run(|| self.desk()) => never,
        }
    }

    /// The events that operators and clients read.
    pub(crate) fn events(&self) -> &EventHub {
        &self.shared.events
    }

    /// The levels that clients read.
    pub(crate) fn levels(&self) -> &Arc<LevelHub> {
        &self.shared.levels
    }

    /// Replaces what the operator's page shows of this replica.
    pub fn report_replica(&self, replica: ReplicaStatus) {
        self.shared.replica.store(Arc::new(replica));
    }

    /// Has the operator's page show what `reporter` reports; the first one counts.
    pub fn report_earnings(&self, reporter: Arc<dyn EarningsReporter>) {
        self.shared.earnings.get_or_init(|| reporter);
    }

    /// Reports the service as not ready from now on, so that load balancers route requests elsewhere; all other
    /// requests are still served.
    pub fn begin_draining(&self) {
        self.shared.draining.store(true, Ordering::SeqCst);
        self.shared.levels.wake();
    }

    /// Lets the service be reported as ready again, because another server starts.
    pub(crate) fn end_draining(&self) {
        self.shared.draining.store(false, Ordering::SeqCst);
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.shared.draining.load(Ordering::SeqCst)
    }

    /// Returns the service that a request arriving now uses.
    pub(crate) fn load(&self) -> Arc<ServiceSnapshot> {
        self.current.load_full()
    }
}
