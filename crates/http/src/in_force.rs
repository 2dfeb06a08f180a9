//! What a request works with from its beginning to its end.

use std::sync::Arc;

use actix_web::{HttpMessage, HttpRequest, web::ReqData};
use firmquote_desk::{Desk, PriceDesk};
use firmquote_domain::Client;

use crate::{
    AdminTokenHash, Metrics, Service, Settings,
    auth::{Accepted, Attempt, Known, check_operator},
    basic_notice::BasicNotice,
    error::ApiError,
    limits::Limiters,
    live_service::Lasting,
    route::Route,
};

/// A service with all that is prepared once for the requests it answers.
pub(crate) struct InForce {
    pub(crate) desk: Arc<Desk>,
    pub(crate) prices: Arc<PriceDesk>,
    pub(crate) settings: Settings,
    pub(crate) basic_notice: BasicNotice,
    admin_token: Option<AdminTokenHash>,
    known: Arc<Known>,
    limiters: Limiters,
    lasting: Arc<Lasting>,
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
        Self { desk, prices, settings, basic_notice, admin_token, known, limiters, lasting }
    }

    /// What operators count.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.lasting.metrics
    }

    /// Who sent `request`, if it may be answered now; remembered with the request for the log.
    pub(crate) async fn client_of(&self, request: &HttpRequest) -> Result<Client, ApiError> {
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
        match &client {
            Client::Anonymous => self.limiters.count_anonymous(request)?,
            Client::Named(name) => self.limiters.count_client(request, name)?,
        }
        Ok(client)
    }

    /// Lets only the operator's own machines pass, on a route of the admin listener.
    pub(crate) fn check_operator(&self, request: &HttpRequest) -> Result<(), ApiError> {
        let checked = check_operator(request.headers(), self.admin_token.as_ref(), &self.settings.service_name);
        self.limiters.guess(request).settle(checked)
    }
}
