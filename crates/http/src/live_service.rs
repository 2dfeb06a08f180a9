//! The service in force, and what outlives its replacement.

use std::sync::Arc;

use arc_swap::ArcSwap;

use crate::{
    Metrics, RandomnessUnavailable, Service, Tracing, auth::Authenticator, in_force::InForce, outage_log::OutageLog,
};

/// A service that can be replaced while it is served.
///
/// A request works with what was in force when it came, or, if it has a body that is read, when that had arrived; it never
/// sees half of a replacement.
pub struct LiveService {
    current: ArcSwap<InForce>,
    lasting: Arc<Lasting>,
}

/// What a replacement leaves as it is.
pub(crate) struct Lasting {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) authenticator: Authenticator,
    pub(crate) outages: OutageLog,
    /// What is done with the span of a request, if somebody collects it.
    pub(crate) tracing: Option<Tracing>,
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
        let lasting =
            Arc::new(Lasting { metrics, authenticator: Authenticator::new()?, outages: OutageLog::default(), tracing });
        let current = ArcSwap::from_pointee(InForce::new(service, None, Arc::clone(&lasting)));
        Ok(Self { current, lasting })
    }

    /// Puts `service` in place of the present one. Requests that come from now on meet the new one as a whole; of
    /// the logins that were right under the old credentials none is remembered; limits with the same quota go on counting.
    pub fn replace(&self, service: Service) {
        let earlier = self.current.load_full();
        self.current.store(Arc::new(InForce::new(service, Some(&earlier), Arc::clone(&self.lasting))));
    }

    /// What a request that comes now works with.
    pub(crate) fn load(&self) -> Arc<InForce> {
        self.current.load_full()
    }
}
