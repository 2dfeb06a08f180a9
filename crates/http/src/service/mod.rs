//! The service: an immutable value of everything an operator may change, and its replacement while it is served.

pub(crate) mod cors;
mod setting_values;
mod settings;
mod snapshot;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use arc_swap::ArcSwap;
use firmquote_desk::Desk;

pub(crate) use self::snapshot::ServiceSnapshot;
use self::snapshot::SharedState;
pub use self::{
    setting_values::{InvalidSetting, PublicUrl, ServiceName},
    settings::{ConnectionSettings, Settings},
    snapshot::Service,
};
use crate::{Metrics, RandomnessUnavailable, Tracing, auth::Authenticator, readiness::OutageLog};

/// A service that can be replaced while it is served.
///
/// A request works with what was in force when it came, or, if it has a body that is read, when that had arrived; it never
/// sees half of a replacement.
pub struct LiveService {
    current: ArcSwap<ServiceSnapshot>,
    shared: Arc<SharedState>,
}

impl LiveService {
    /// Starts with `service`, and counts in `metrics` for as long as it lives.
    ///
    /// # Errors
    /// [`RandomnessUnavailable`] when the system has no randomness to give.
    pub fn new(service: Service, metrics: Arc<Metrics>) -> Result<Self, RandomnessUnavailable> {
        Self::traced(service, metrics, None)
    }

    /// The same; the span of each request, which has the target [`SPANS`](crate::SPANS), is handed to `tracing`, if somebody
    /// collects it.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn traced(
        service: Service,
        metrics: Arc<Metrics>,
        tracing: Option<Tracing>,
    ) -> Result<Self, RandomnessUnavailable> {
        let shared = Arc::new(SharedState {
            metrics,
            authenticator: Authenticator::new()?,
            outages: OutageLog::default(),
            draining: AtomicBool::new(false),
            tracing,
        });
        let current = ArcSwap::from_pointee(ServiceSnapshot::new(service, None, Arc::clone(&shared)));
        Ok(Self { current, shared })
    }

    /// Puts `service` in place of the present one. Requests that come from now on meet the new one as a whole; of
    /// the logins that were right under the old credentials none is remembered; limits with the same quota go on counting.
    pub fn replace(&self, service: Service) {
        let earlier = self.current.load_full();
        self.current.store(Arc::new(ServiceSnapshot::new(service, Some(&earlier), Arc::clone(&self.shared))));
    }

    /// The desk in force, which a replacement may change.
    pub fn desk(&self) -> Arc<Desk> {
        Arc::clone(&self.load().desk)
    }

    /// Reports the service not ready from now on, so that load balancers look elsewhere; everything else is answered on.
    pub fn begin_draining(&self) {
        self.shared.draining.store(true, Ordering::SeqCst);
    }

    /// Reports the service ready again as far as it is: another server begins.
    pub(crate) fn end_draining(&self) {
        self.shared.draining.store(false, Ordering::SeqCst);
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.shared.draining.load(Ordering::SeqCst)
    }

    /// What a request that comes now works with.
    pub(crate) fn load(&self) -> Arc<ServiceSnapshot> {
        self.current.load_full()
    }
}
