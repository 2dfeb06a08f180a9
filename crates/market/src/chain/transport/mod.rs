//! How nodes are asked: JSON-RPC over HTTP or over a WebSocket. The transports that come with the client write whole
//! addresses into their spans and errors; these never do, and read no more of an answer than a limit.

mod handshake;
mod http;
mod web_socket;

use std::time::Duration;

use firmquote_outbound::{Endpoint, HttpClient, HttpClientConfig, InvalidTls};
use hyper::{HeaderMap, header::RETRY_AFTER};

use super::InvalidChainAccess;
pub(super) use http::HttpTransport;
pub(super) use web_socket::WebSocketTransport;

#[cfg(any(test, fuzzing))]
pub(super) use crate::chain::transport::{http::understood as over_http, web_socket::understood as over_web_socket};

/// How the node knows us.
const PROGRAM: &str = concat!("firmquote/", env!("CARGO_PKG_VERSION"));

/// The longest answer that is read, in bytes: a block with the hashes of all its transactions fits many times.
const MAX_ANSWER_BYTES: usize = 4 << 20;

/// How long to leave a node alone that does not say how long.
const DEFAULT_PAUSE_SECONDS: u64 = 10;

/// The longest that a node can ask to be left alone.
const MAX_PAUSE_SECONDS: u64 = 3_600;

/// What an error of JSON-RPC says about being asked too often, as the large providers say it.
pub(super) const fn pause_of_code(code: i64) -> Option<u64> {
    match code {
        429 | -32_005 | -32_029 => Some(DEFAULT_PAUSE_SECONDS),
        _ => None,
    }
}

/// Seconds of a `Retry-After`; a date, or none at all, is the default.
fn pause_seconds(headers: &HeaderMap) -> u64 {
    let seconds = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    seconds.unwrap_or(DEFAULT_PAUSE_SECONDS).min(MAX_PAUSE_SECONDS)
}

/// A client for `endpoint`, without connections; those that nothing is asked on are kept for `idle_timeout`.
///
/// # Errors
/// [`InvalidChainAccess`] for TLS without a certificate authority to trust.
fn client(
    endpoint: &Endpoint,
    authorities: Option<&[u8]>,
    idle_timeout: Duration,
) -> Result<HttpClient, InvalidChainAccess> {
    let invalid = |error: InvalidTls| InvalidChainAccess(format!("no TLS: {error}"));
    let config =
        HttpClientConfig { is_tls: endpoint.is_tls(), authorities, idle_timeout, ..HttpClientConfig::default() };
    HttpClient::new(config).map_err(invalid)
}
