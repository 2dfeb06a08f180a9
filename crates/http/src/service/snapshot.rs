//! One immutable snapshot of the service: the operator's configuration, with everything prepared for the requests it
//! serves.

use std::sync::{Arc, OnceLock, atomic::AtomicBool};

use arc_swap::ArcSwap;
use firmquote_api as api;
use firmquote_desk::{Desk, PriceDesk};
use firmquote_domain::{Client, PoolId, Quote, SignedQuote};

use super::earnings::EarningsReporter;
use crate::{
    Credentials, Metrics, MetricsError, Operator, Role, Settings,
    auth::{AcceptedCredentials, Authenticator, CredentialCache, DeprecationHeaders, LoginAttempt, check_operator},
    endpoints::Purpose,
    error::{ApiError, Reason},
    events::EventHub,
    levels::LevelHub,
    limits::{FailedLoginPermit, Limiters, RequestSource},
    metrics::PoolCounters,
    readiness::{OutageLog, Probes, Readiness, RefusalLog},
    request::TracingHooks,
    wire::{quote_response, sign_response},
};

/// A replica of the service, as the operator's page shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplicaStatus {
    /// The name of the replica, such as that of its machine; `None` if it has none.
    pub name: Option<String>,
    /// Why files that have changed are not in effect, each in a sentence.
    pub rejected_files: Vec<String>,
}

/// Everything that is served: the desk, the credentials of its clients, and the operator's settings.
///
/// Never modified: [`LiveService::replace`](crate::LiveService::replace) replaces it as a whole.
pub struct Service {
    /// Handles quote, sign and pool requests.
    pub desk: Arc<Desk>,
    /// Accepts the operator's prices.
    pub prices: Arc<PriceDesk>,
    /// Who may use the operator's own routes on the admin listener; without any they reject every request.
    pub operators: Vec<Operator>,
    /// The credentials of the clients.
    pub credentials: Credentials,
    /// The operator's settings.
    pub settings: Settings,
}

/// A service with everything prepared once for the requests it serves.
pub(crate) struct ServiceSnapshot {
    pub(crate) desk: Arc<Desk>,
    pub(crate) prices: Arc<PriceDesk>,
    pub(crate) settings: Settings,
    pub(crate) deprecation_headers: DeprecationHeaders,
    /// The last state of this desk's store and keys.
    pub(crate) probes: Probes,
    operators: Vec<Operator>,
    credential_cache: Arc<CredentialCache>,
    pub(crate) limiters: Limiters,
    shared: Arc<SharedState>,
    pools: Vec<(PoolId, PoolCounters)>,
}

/// The state that a replacement keeps.
pub(crate) struct SharedState {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) authenticator: Authenticator,
    pub(crate) outages: OutageLog,
    pub(crate) refusals: RefusalLog,
    /// This replica, as the operator's page shows it.
    pub(crate) replica: ArcSwap<ReplicaStatus>,
    /// What the operator's page shows of earnings.
    pub(crate) earnings: OnceLock<Arc<dyn EarningsReporter>>,
    /// The levels that clients read.
    pub(crate) levels: Arc<LevelHub>,
    /// The events that operators and clients read.
    pub(crate) events: EventHub,
    /// Whether the server is shutting down.
    pub(crate) draining: AtomicBool,
    /// The hooks for request spans, if spans are collected.
    pub(crate) tracing: Option<TracingHooks>,
}

impl ServiceSnapshot {
    /// Prepares `service`, which replaces `earlier`.
    pub(crate) fn new(service: Service, earlier: Option<&Self>, shared: Arc<SharedState>) -> Self {
        let Service { desk, prices, operators, credentials, settings } = service;
        let limiters = earlier.map(|earlier| &earlier.limiters);
        let limiters =
            Limiters::new(settings.limits, credentials.request_limits(), settings.trusted_proxies.clone(), limiters);
        desk.set_client_terms(credentials.terms());
        let credential_cache = earlier.map(|earlier| &*earlier.credential_cache);
        let credential_cache = Arc::new(CredentialCache::new(credentials, credential_cache));
        let deprecation_headers = DeprecationHeaders::new(settings.basic);
        let pools = desk.pools.iter().map(|pool| pool.signer().pool().spec().id);
        let pools = pools.map(|pool| (pool, shared.metrics.pools.counters(pool))).collect();
        let probes = Probes::default();
        Self {
            desk,
            prices,
            settings,
            deprecation_headers,
            probes,
            operators,
            credential_cache,
            limiters,
            shared,
            pools,
        }
    }

    /// Applies `count` to the counters of `pool`.
    pub(crate) fn count_in(&self, pool: PoolId, count: impl FnOnce(&PoolCounters)) {
        if let Some((_, counters)) = self.pools.iter().find(|(id, _)| *id == pool) {
            count(counters);
        }
    }

    /// Returns the response for `quote`.
    pub(crate) fn quote_response(&self, quote: &Quote) -> api::Quote {
        quote_response(quote, self.desk.largest_trade(quote))
    }

    /// Returns the response for a quote that was signed when it was made.
    pub(crate) fn quote_sign_response(&self, signed: &SignedQuote, wants_calldata: bool) -> api::QuotedSwap {
        api::QuotedSwap::new(self.quote_response(&signed.quote), sign_response(signed, wants_calldata))
    }

    /// Returns this replica as the operator's page shows it.
    pub(crate) fn replica(&self) -> Arc<ReplicaStatus> {
        self.shared.replica.load_full()
    }

    /// Returns the reporter of earnings, if there is one.
    pub(crate) fn earnings(&self) -> Option<&Arc<dyn EarningsReporter>> {
        self.shared.earnings.get()
    }

    /// Returns the hooks for request spans, if spans are collected.
    pub(crate) fn tracing(&self) -> Option<TracingHooks> {
        self.shared.tracing
    }

    /// Returns whether a failure with this `detail` is the first of an outage.
    pub(crate) fn is_new_outage(&self, detail: &str) -> bool {
        self.shared.outages.record_failure(detail, self.desk.clock.now())
    }

    /// Records a refused request of `client`. Returns `None` if its log line is left out, otherwise the number of lines of
    /// equal refusals that were left out before.
    pub(crate) fn record_refusal(&self, client: Option<&Client>, reason: Reason) -> Option<u64> {
        self.shared.refusals.record(client, reason, self.desk.clock.now())
    }

    /// Queries the state of every part, updates the metrics, and logs the changes.
    pub(crate) async fn readiness(&self, is_draining: bool) -> Readiness {
        let readiness = Readiness::query(&self.desk, &self.probes, is_draining).await;
        self.metrics().readiness.update(&readiness);
        readiness
    }

    /// Returns the metrics as text, with the credentials that are in use.
    ///
    /// # Errors
    /// [`MetricsError`] if a collector returned data that has no such form.
    pub(crate) fn render_metrics(&self) -> Result<String, MetricsError> {
        self.metrics().clients.show_credentials(self.credential_cache.uses());
        self.metrics().render()
    }

    /// Returns the metrics for operators.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    /// Counts a request for `purpose` by `client`.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] if the client exceeded its quota.
    pub(crate) fn count(&self, client: &Client, purpose: Purpose, source: RequestSource<'_>) -> Result<(), ApiError> {
        match client {
            Client::Anonymous => self.limiters.count_anonymous(source, purpose),
            Client::Named(name) => self.limiters.count_client(source, name),
        }
    }

    /// Identifies the client that sent a request with one of the `accepted` credentials, without counting the request.
    ///
    /// # Errors
    /// Those of [`Authenticator::client`].
    pub(crate) async fn authenticate(
        &self,
        accepted: AcceptedCredentials,
        source: RequestSource<'_>,
    ) -> Result<Client, ApiError> {
        let anonymous = accepted.anonymous && self.settings.anonymous;
        let accepted = AcceptedCredentials { anonymous, ..accepted };
        let permit = &FailedLoginPermit::new(&self.limiters, source);
        let attempt = LoginAttempt {
            headers: source.headers,
            accepted,
            is_basic_retired: self.settings.basic.is_in_effect(&*self.desk.clock),
            realm: &self.settings.service_name,
            is_revoked: &|id| self.desk.pauses.is_revoked(id),
            permit,
            now: self.desk.clock.now().seconds(),
        };
        permit.charge_on_failure(self.shared.authenticator.client(&self.credential_cache, attempt).await)
    }

    /// Whether a client has an enabled credential of this id.
    pub(crate) fn has_credential(&self, id: &str) -> bool {
        self.credential_cache.has_id(id)
    }

    /// Returns whether anyone may use the operator's own routes.
    pub(crate) const fn has_operators(&self) -> bool {
        !self.operators.is_empty()
    }

    /// Returns the operator who sent a request to the admin listener, if they have `role`.
    ///
    /// # Errors
    /// Those of [`check_operator`]; [`ApiError::RateLimited`] after too many wrong tokens.
    pub(crate) fn check_operator(&self, source: RequestSource<'_>, role: Role) -> Result<&Operator, ApiError> {
        let checked = check_operator(source.headers, &self.operators, role, &self.settings.service_name);
        FailedLoginPermit::new(&self.limiters, source).charge_on_failure(checked)
    }
}
