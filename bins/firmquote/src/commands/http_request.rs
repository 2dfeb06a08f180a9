//! A single HTTP request to a service, without TLS.

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use firmquote_api::{ErrorObject, Step};
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
    ensure!(!address.contains("://"), "allowed: host:port, without a scheme");
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

/// Returns the message of a refusal as an error.
pub(super) fn refuse(status: StatusCode, body: &str) -> anyhow::Result<()> {
    if status != StatusCode::OK {
        let error: ErrorObject = serde_json::from_str(body).context(NO_ADMIN_LISTENER)?;
        let name = |step: &Step| match step {
            Step::Name(name) => name.to_string(),
            Step::Position(at) => at.to_string(),
        };
        let inputs = error
            .data
            .iter()
            .map(|input| format!("{}: {}", input.loc.iter().map(name).collect::<Vec<_>>().join("."), input.msg));
        bail!([error.error_message.into_owned()].into_iter().chain(inputs).collect::<Vec<_>>().join("; "));
    }
    Ok(())
}
