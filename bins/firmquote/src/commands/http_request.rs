//! A single HTTP request to a service, without TLS.

use std::time::Duration;

use anyhow::bail;
use firmquote_outbound::{Endpoint, HttpClient, HttpClientConfig, Retry, read_body};
use hyper::{StatusCode, Uri, http::request::Builder};
use tokio::time::timeout;

/// Timeout of a request and its response.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Upper bound on a response body, in bytes.
const MAX_RESPONSE_BYTES: usize = 64 << 20;

/// What another answer than that of an admin listener means.
pub(super) const NO_ADMIN_LISTENER: &str = "not a firmquote admin listener; use the address in server.admin_bind";

/// Returns the URL of a path on the admin listener at `address`, which is a host and a port, without TLS.
///
/// # Errors
/// For any other `address`.
pub(super) fn admin_url(address: &str, path_and_query: &str) -> anyhow::Result<Uri> {
    let endpoint = Endpoint::parse(&format!("http://{address}"))?;
    if endpoint.uri().port_u16().is_none() || endpoint.path() != "/" {
        bail!("expected host:port");
    }
    Ok(endpoint.join(path_and_query)?)
}

/// Sends `request` with this body, and returns the status and the body of the response.
///
/// # Errors
/// When the request is invalid, or no complete response arrives in time.
pub(super) async fn send(request: Builder, body: String) -> anyhow::Result<(StatusCode, String)> {
    let request = request.body(body.into())?;
    let exchange = async {
        let response = HttpClient::new(HttpClientConfig::default())?.send(request, Retry::Never).await?;
        let status = response.status();
        let body = read_body(response.into_body(), MAX_RESPONSE_BYTES).await?;
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    };
    timeout(TIMEOUT, exchange).await?
}
