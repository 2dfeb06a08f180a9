//! What a request works with from its beginning to its end.

use std::sync::Arc;

use actix_web::{
    HttpMessage, HttpRequest,
    web::{Bytes, Data, Payload, ReqData},
};
use firmquote_desk::{Desk, PriceDesk};
use firmquote_domain::{Client, PoolId};

use crate::{
    AdminTokenHash, Metrics, Service, Settings,
    addresses::Addresses,
    auth::{Accepted, Attempt, Known, check_operator},
    basic_notice::BasicNotice,
    body,
    error::ApiError,
    limits::Limiters,
    live_service::{Lasting, LiveService},
    pool_metrics::PoolCounters,
    readiness::Probes,
    route::Route,
    traced::Tracing,
};

/// A service with all that is prepared once for the requests it answers.
pub(crate) struct InForce {
    pub(crate) desk: Arc<Desk>,
    pub(crate) prices: Arc<PriceDesk>,
    pub(crate) settings: Settings,
    pub(crate) basic_notice: BasicNotice,
    pub(crate) addresses: Addresses,
    /// What this desk's store and keys were asked last.
    pub(crate) probes: Probes,
    admin_token: Option<AdminTokenHash>,
    known: Arc<Known>,
    limiters: Limiters,
    lasting: Arc<Lasting>,
    pools: Vec<(PoolId, PoolCounters)>,
}

/// A request whose body has arrived.
pub(crate) struct WithBody {
    /// What it works with from here on.
    pub(crate) in_force: Arc<InForce>,
    pub(crate) client: Client,
    pub(crate) body: Bytes,
}

/// What was in force when a request came, as its handler gets it.
pub(crate) type Asked = ReqData<Arc<InForce>>;

impl InForce {
    /// Prepares `service`, which takes the place of `earlier`.
    pub(crate) fn new(service: Service, earlier: Option<&Self>, lasting: Arc<Lasting>) -> Self {
        let Service { desk, prices, admin_token, credentials, settings } = service;
        let earlier = earlier.map(|earlier| &earlier.limiters);
        let limiters = Limiters::new(settings.limits, settings.trusted_proxies.clone(), earlier);
        let (basic_notice, known) = (BasicNotice::new(settings.basic), Arc::new(Known::new(credentials)));
        let pools = desk.pools.iter().map(|pool| pool.signer().pool().spec().id);
        let pools = pools.map(|pool| (pool, lasting.metrics.pools.of(pool))).collect();
        let addresses = Addresses::of(&desk);
        let probes = Probes::default();
        Self { desk, prices, settings, basic_notice, addresses, probes, admin_token, known, limiters, lasting, pools }
    }

    /// Has `count` count in the counters of `pool`.
    pub(crate) fn count_in(&self, pool: PoolId, count: impl FnOnce(&PoolCounters)) {
        if let Some((_, counters)) = self.pools.iter().find(|(known, _)| *known == pool) {
            count(counters);
        }
    }

    /// What is done with the span of a request, if somebody collects it.
    pub(crate) fn tracing(&self) -> Option<Tracing> {
        self.lasting.tracing
    }

    /// What operators count.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.lasting.metrics
    }

    /// Who sent `request`, if it may be answered now; remembered with the request for the log.
    pub(crate) async fn client_of(&self, request: &HttpRequest) -> Result<Client, ApiError> {
        let client = self.identify(request).await?;
        match &client {
            Client::Anonymous => self.limiters.count_anonymous(request)?,
            Client::Named(name) => self.limiters.count_client(request, name)?,
        }
        Ok(client)
    }

    /// Counts `request` as one without credentials, whoever sent it.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] when its address has used up its quota.
    pub(crate) fn count_anonymous(&self, request: &HttpRequest) -> Result<(), ApiError> {
        self.limiters.count_anonymous(request)
    }

    /// Who sent `request`; it is not counted.
    async fn identify(&self, request: &HttpRequest) -> Result<Client, ApiError> {
        let route = request.app_data::<Route>().copied().unwrap_or(Route::Unmatched);
        let Accepted { api_key, basic, anonymous } = route.accepted();
        let accepted = Accepted { api_key, basic, anonymous: anonymous && self.settings.anonymous };
        let guess = &self.limiters.guess(request);
        let attempt = Attempt {
            headers: request.headers(),
            accepted,
            is_basic_over: self.settings.basic.is_over(self.desk.clock.now().seconds()),
            realm: &self.settings.service_name,
            guess,
        };
        let client = guess.settle(self.lasting.authenticator.client(&self.known, attempt).await)?;
        request.extensions_mut().insert(client.clone());
        Ok(client)
    }

    /// The body of `request`, from whoever is let in, with what is in force once it has arrived: a client that keeps its body
    /// back is not answered by what was in force when it began.
    ///
    /// # Errors
    /// Those of [`Self::client_of`] and of [`body::read`].
    pub(crate) async fn with_body(
        self: Arc<Self>,
        request: &HttpRequest,
        payload: Payload,
    ) -> Result<WithBody, ApiError> {
        let client = self.client_of(request).await?;
        let body = body::read(request, payload).await?;
        let newest = Self::newest(request)?;
        let client = if Arc::ptr_eq(&self, &newest) { client } else { newest.identify(request).await? };
        Ok(WithBody { in_force: newest, client, body })
    }

    /// What is in force now.
    ///
    /// # Errors
    /// [`ApiError::Internal`] on a listener without a service; a mistake of this crate.
    pub(crate) fn newest(request: &HttpRequest) -> Result<Arc<Self>, ApiError> {
        let live = request.app_data::<Data<LiveService>>();
        live.map(|live| live.load()).ok_or_else(|| ApiError::Internal("a listener without a service".to_owned()))
    }

    /// Whether there is a token that opens the operator's own routes.
    pub(crate) const fn has_admin_token(&self) -> bool {
        self.admin_token.is_some()
    }

    /// Lets only the operator pass, on a route of the admin listener.
    pub(crate) fn check_operator(&self, request: &HttpRequest) -> Result<(), ApiError> {
        let checked = check_operator(request.headers(), self.admin_token.as_ref(), &self.settings.service_name);
        self.limiters.guess(request).settle(checked)
    }
}
