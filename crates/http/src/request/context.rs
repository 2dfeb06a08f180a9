//! A request in progress: its head, its service snapshot, and the state collected while it is handled.

use std::{
    cell::{Ref, RefCell},
    net::SocketAddr,
    rc::Rc,
    sync::Arc,
};

use actix_http::Payload;
use actix_web::{
    HttpMessage as _, HttpRequest,
    http::{Method, header::HeaderMap},
    web::Bytes,
};
use firmquote_domain::{Client, SourceNetwork};
use tokio::task::yield_now;

use super::{body, links::Scheme, log_fields::LogFields};
use crate::{
    auth::AuthenticatedClient,
    endpoints::{Endpoint, ListenerRole},
    error::ApiError,
    input::{CHAIN_ID, Field, Fields},
    limits::{RateLimitStatus, RequestSource},
    service::{LiveService, ServiceSnapshot, cors::CorsOrigin},
};

/// How often a request with an unread body yields to its connection.
const MAX_BODY_YIELDS: usize = 3;

/// The listener that received a request, or the host that the routes are mounted in.
#[derive(Clone)]
pub(crate) struct ListenerContext {
    pub(crate) live: Arc<LiveService>,
    pub(crate) role: ListenerRole,
    /// The endpoints of all listeners.
    pub(crate) endpoints: &'static [&'static Endpoint],
}

/// A request with its state; an extractor for every handler.
#[derive(Clone)]
pub(crate) struct RequestContext {
    http: HttpRequest,
    state: Rc<RequestState>,
}

/// The state that the middleware stores in the extensions of a request.
struct RequestState {
    listener: ListenerContext,
    endpoint: &'static Endpoint,
    snapshot: Arc<ServiceSnapshot>,
    payload: RefCell<Payload>,
    client: RefCell<Option<Client>>,
    rate_limit: RefCell<Option<RateLimitStatus>>,
    log_fields: RefCell<Option<LogFields>>,
}

impl RequestContext {
    /// Creates the context of a request to `endpoint` and stores it for the extractors. The body stays in it until it is
    /// read.
    pub(crate) fn attach(
        http: HttpRequest,
        payload: Payload,
        listener: ListenerContext,
        endpoint: &'static Endpoint,
        snapshot: Arc<ServiceSnapshot>,
    ) -> Self {
        let (client, rate_limit, log_fields) = (RefCell::default(), RefCell::default(), RefCell::default());
        let payload = RefCell::new(payload);
        let state = Rc::new(RequestState { listener, endpoint, snapshot, payload, client, rate_limit, log_fields });
        http.extensions_mut().insert(Rc::clone(&state));
        Self { http, state }
    }

    /// Returns the underlying request.
    pub(crate) const fn http(&self) -> &HttpRequest {
        &self.http
    }

    /// Returns the underlying request and drops the context.
    pub(crate) fn into_http(self) -> HttpRequest {
        self.http
    }

    /// Returns the service snapshot that was current when the request arrived.
    pub(crate) fn service(&self) -> &ServiceSnapshot {
        &self.state.snapshot
    }

    /// Returns the same snapshot, to keep beyond the request.
    pub(crate) fn service_snapshot(&self) -> Arc<ServiceSnapshot> {
        Arc::clone(&self.state.snapshot)
    }

    /// Returns the service with its replacements.
    pub(crate) fn live(&self) -> &Arc<LiveService> {
        &self.state.listener.live
    }

    /// Returns the current service snapshot.
    pub(crate) fn current_service(&self) -> Arc<ServiceSnapshot> {
        self.state.listener.live.load()
    }

    pub(crate) fn endpoint(&self) -> &'static Endpoint {
        self.state.endpoint
    }

    /// Returns the client that the host of the routes has authenticated, if it has.
    pub(crate) fn authenticated_client(&self) -> Option<Client> {
        AuthenticatedClient::from_extensions(&self.http)
    }

    /// Returns the endpoints of all listeners.
    pub(crate) fn endpoints(&self) -> &'static [&'static Endpoint] {
        self.state.listener.endpoints
    }

    /// Returns the fields of a request with the chain id in its path.
    pub(crate) fn chain_fields(&self, accepted: &[&'static Field]) -> Fields<'_> {
        Fields::from_query(self.query(), accepted).with_path(&CHAIN_ID.field, self.parameter())
    }

    pub(crate) fn listener_role(&self) -> ListenerRole {
        self.state.listener.role
    }

    /// Returns whether the server is shutting down.
    pub(crate) fn is_draining(&self) -> bool {
        self.state.listener.live.is_draining()
    }

    /// Returns the path segment that matches the parameter of the route's pattern; empty if the pattern has none.
    /// Parameters of a host's scopes precede it.
    pub(crate) fn parameter(&self) -> &str {
        self.http.match_info().iter().last().map_or("", |(_, value)| value)
    }

    /// Returns the path that a host mounts the routes below; empty at the root, and where part of the path is variable.
    pub(crate) fn mount_path(&self) -> String {
        let pattern = self.http.match_pattern().unwrap_or_default();
        let prefix = pattern.strip_suffix(self.endpoint().path).filter(|prefix| !prefix.contains('{'));
        prefix.unwrap_or_default().to_owned()
    }

    pub(crate) fn method(&self) -> &Method {
        self.http.method()
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        self.http.headers()
    }

    pub(crate) fn query(&self) -> &str {
        self.http.query_string()
    }

    /// Returns the scheme of the connection; with a host's own server, the scheme that its connection info reports.
    pub(crate) fn scheme(&self) -> Scheme {
        match self.http.conn_data::<Scheme>() {
            Some(scheme) => *scheme,
            None if self.http.connection_info().scheme() == "https" => Scheme::Https,
            None => Scheme::Http,
        }
    }

    /// Returns the origins whose pages may send the request; none at the admin listener.
    pub(crate) fn cors_origins(&self) -> &[CorsOrigin] {
        if self.listener_role() == ListenerRole::Admin { &[] } else { &self.service().settings.cors_origins }
    }

    /// Returns the address of the connection's other end.
    pub(crate) fn peer(&self) -> Option<SocketAddr> {
        self.http.peer_addr()
    }

    /// Returns the sender for the rate limits.
    pub(crate) fn source(&self) -> RequestSource<'_> {
        RequestSource { peer: self.http.peer_addr(), headers: self.headers(), rate_limit: &self.state.rate_limit }
    }

    /// Returns where a request without credentials came from.
    pub(crate) fn source_network(&self, client: &Client) -> Option<SourceNetwork> {
        (*client == Client::Anonymous).then(|| self.service().limiters.source_network(self.source()))
    }

    /// Reads the body without authenticating the sender. It can be read once.
    ///
    /// # Errors
    /// Those of [`body::content_length`] and [`body::read`].
    pub(crate) async fn body(&self) -> Result<Bytes, ApiError> {
        let content_length = body::content_length(self.headers())?;
        let payload = self.state.payload.replace(Payload::None);
        body::read(payload, content_length, self.service().settings.body_timeout).await
    }

    /// Takes the body unread, for a handler that reads it as another protocol.
    pub(crate) fn take_payload(&self) -> Payload {
        self.state.payload.replace(Payload::None)
    }

    /// Yields so that the connection can drain the bytes that have arrived of an unread body: a connection with unread
    /// body bytes is closed after the response, and the client would have to open another for its next request.
    pub(crate) async fn discard_body(&self) {
        if !matches!(*self.state.payload.borrow(), Payload::None) {
            for _ in 0..MAX_BODY_YIELDS {
                yield_now().await;
            }
        }
    }

    /// Stores the log fields of the request.
    pub(crate) fn set_log_fields(&self, log_fields: LogFields) {
        *self.state.log_fields.borrow_mut() = Some(log_fields);
    }

    /// Stores the client for the log.
    pub(super) fn set_client(&self, client: Client) {
        *self.state.client.borrow_mut() = Some(client);
    }

    /// Returns the client, if it has been identified.
    pub(crate) fn client(&self) -> Ref<'_, Option<Client>> {
        self.state.client.borrow()
    }

    /// Returns the state of the client's rate limit, if one applies.
    pub(crate) fn rate_limit(&self) -> Ref<'_, Option<RateLimitStatus>> {
        self.state.rate_limit.borrow()
    }

    /// Returns the log fields known so far.
    pub(crate) fn log_fields(&self) -> Ref<'_, Option<LogFields>> {
        self.state.log_fields.borrow()
    }

    pub(super) fn from_extensions(http: &HttpRequest) -> Result<Self, ApiError> {
        let state = http.extensions().get::<Rc<RequestState>>().cloned();
        let state = state.ok_or_else(|| ApiError::Internal("a handler without its middleware".to_owned()))?;
        Ok(Self { http: http.clone(), state })
    }
}
