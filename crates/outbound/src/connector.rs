//! The connector of the HTTP client: plain or TLS connections with a connect timeout.

use std::{
    error::Error,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use hyper::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustls::ClientConfig;
use tokio::time::timeout;
use tower_service::Service;

use crate::public_address::Resolver;

type Https = HttpsConnector<HttpConnector<Resolver>>;
type ConnectError = Box<dyn Error + Send + Sync>;

/// A connector for HTTP/1.1 with a timeout that covers name resolution, TCP and TLS.
#[derive(Clone)]
pub(crate) struct Connector {
    https: Https,
    resolver: Resolver,
    timeout: Option<Duration>,
}

impl Connector {
    /// Creates a connector that uses `tls` for `https` URLs, and with `is_tls_only` rejects all other URLs.
    pub(crate) fn new(tls: ClientConfig, is_tls_only: bool, resolver: Resolver, timeout: Option<Duration>) -> Self {
        let mut http = HttpConnector::new_with_resolver(resolver.clone());
        http.enforce_http(false);
        http.set_nodelay(true);
        let builder = HttpsConnectorBuilder::new().with_tls_config(tls);
        let builder = if is_tls_only { builder.https_only() } else { builder.https_or_http() };
        Self { https: builder.enable_http1().wrap_connector(http), resolver, timeout }
    }
}

impl Service<Uri> for Connector {
    type Response = <Https as Service<Uri>>::Response;
    type Error = ConnectError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, ConnectError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), ConnectError>> {
        self.https.poll_ready(context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        if let Err(error) = self.resolver.check(&uri) {
            return Box::pin(async { Err(error.into()) });
        }
        let connection = self.https.call(uri);
        let Some(limit) = self.timeout else { return Box::pin(connection) };
        Box::pin(async move {
            let late = |_| ConnectError::from(format!("no connection within {} ms", limit.as_millis()));
            timeout(limit, connection).await.map_err(late)?
        })
    }
}
