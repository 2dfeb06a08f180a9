//! A single HTTP request to a service, without TLS.

use std::time::Duration;

use firmquote_outbound::{HttpClient, HttpClientConfig, Retry, read_body};
use hyper::{StatusCode, http::request::Builder};
use tokio::time::timeout;

/// Timeout of a request and its response.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Upper bound on a response body, in bytes.
const MAX_RESPONSE_BYTES: usize = 64 << 20;

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
