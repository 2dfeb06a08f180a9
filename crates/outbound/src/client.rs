//! Requests over pooled connections.

use std::time::Duration;

use http_body_util::Full;
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
};
use hyper_util::{client::legacy::Client, rt::TokioExecutor};

use crate::{
    ClientIdentity, Error, InvalidTls,
    connector::Connector,
    error::{error_chain, is_closed_early},
    public_address::Resolver,
    tls,
};

/// The default idle timeout of pooled connections; shorter than the idle timeouts of common load balancers.
const DEFAULT_IDLE_TIMEOUT: Duration = Duration::from_secs(15);

/// Settings of an [`HttpClient`].
#[derive(Clone, Copy)]
pub struct HttpClientConfig<'c> {
    /// Whether `https` URLs are called; no trust roots are loaded otherwise. Default: no.
    pub is_tls: bool,
    /// Trusted authorities of `https` URLs, as PEM. Default: those of the system.
    pub authorities: Option<&'c [u8]>,
    /// The client certificate presented to `https` servers. Default: none.
    pub identity: Option<ClientIdentity<'c>>,
    /// Whether a client with TLS also calls `http` URLs. Default: no.
    pub allows_plain_http: bool,
    /// Whether only addresses of the public internet are connected to. Default: no.
    pub public_only: bool,
    /// The timeout of a connection attempt: name resolution, TCP and TLS. Default: none but that of the request.
    pub connect_timeout: Option<Duration>,
    /// How long an idle connection stays in the pool; zero closes connections after each request. Default: 15 s.
    pub idle_timeout: Duration,
}

impl Default for HttpClientConfig<'_> {
    fn default() -> Self {
        Self {
            is_tls: false,
            authorities: None,
            identity: None,
            allows_plain_http: false,
            public_only: false,
            connect_timeout: None,
            idle_timeout: DEFAULT_IDLE_TIMEOUT,
        }
    }
}

/// Whether a request may reach the server twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Sends the request once.
    Never,
    /// Sends the request once more when the connection ended before the response started, which happens when the server
    /// is closing a pooled connection. For idempotent requests.
    OnClosedConnection,
}

/// An HTTP/1.1 client with pooled connections. Cheap to clone; clones share the pool. Redirects are not followed.
#[derive(Clone)]
pub struct HttpClient {
    client: Client<Connector, Full<Bytes>>,
}

impl HttpClient {
    /// Creates a client; opens no connections.
    ///
    /// # Errors
    /// [`InvalidTls`] for TLS without a trusted authority, with invalid certificates, or with a cryptographic provider
    /// that supports no usable TLS version.
    pub fn new(config: HttpClientConfig<'_>) -> Result<Self, InvalidTls> {
        let HttpClientConfig {
            is_tls,
            authorities,
            identity,
            allows_plain_http,
            public_only,
            connect_timeout,
            idle_timeout,
        } = config;
        let tls = if is_tls { tls::client_tls(authorities, identity)? } else { tls::without_roots()? };
        let connector = Connector::new(tls, is_tls && !allows_plain_http, Resolver::new(public_only), connect_timeout);
        let mut builder = Client::builder(TokioExecutor::new());
        if idle_timeout.is_zero() {
            builder.pool_max_idle_per_host(0);
        }
        Ok(Self { client: builder.pool_idle_timeout(idle_timeout).build(connector) })
    }

    /// Sends a request and returns the response as soon as its head has arrived. Only connecting has a timeout: callers
    /// wrap the whole exchange in one.
    ///
    /// # Errors
    /// [`Error::Connect`] and [`Error::Interrupted`]. Every failure of a retry is an [`Error::Interrupted`], since the
    /// server may have read the first request.
    pub async fn send(&self, request: Request<Full<Bytes>>, retry: Retry) -> Result<Response<Incoming>, Error> {
        let retry_request = (retry == Retry::OnClosedConnection).then(|| request.clone());
        match (self.client.request(request).await, retry_request) {
            (Err(error), Some(request)) if is_closed_early(&error) => {
                let response = self.client.request(request).await;
                response.map_err(|error| Error::Interrupted(error_chain(&error)))
            }
            (response, _) => response.map_err(|error| Error::from_send(&error)),
        }
    }
}
