//! The transports to nodes: JSON-RPC over HTTP or over a WebSocket. The transports of the RPC client write whole
//! addresses into their spans and errors; these never do, and limit the size of a response.

mod handshake;
mod http;
mod message;
mod web_socket;

use std::time::Duration;

use firmquote_outbound::{Endpoint, HttpClient, HttpClientConfig, InvalidTls, retry_after_seconds};
use hyper::HeaderMap;

use super::NodeFault;
use crate::InvalidConfig;
pub(super) use http::HttpTransport;
pub(super) use web_socket::WebSocketTransport;

#[cfg(any(test, fuzzing))]
pub(super) use crate::chain::transport::{
    http::parse_response as over_http, web_socket::parse_response as over_web_socket,
};

/// The maximum size of a response, in bytes: many times that of a block with the hashes of all its transactions.
const MAX_RESPONSE_BYTES: usize = 4 << 20;

/// The maximum size of a response to a [`LongResponse`] request, in bytes: more than the events of one block. Their
/// data, which the sender of a transaction may choose, costs 8 gas a byte (Yellow Paper, `G_logdata`) and takes two
/// characters: this size takes 536 million gas, many times what a block of Ethereum may use (60 million), and more than
/// one of the large rollups.
const MAX_LONG_RESPONSE_BYTES: usize = 128 << 20;

/// Marks a request whose response may be long and cannot be requested in parts: the events of one block.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongResponse;

/// The delay after a rate limit without a stated duration, in seconds.
const DEFAULT_PAUSE_SECONDS: u64 = 10;

/// Returns the delay in seconds if a JSON-RPC error code means rate limiting at the large providers.
pub(super) const fn delay_of_code(code: i64) -> Option<u64> {
    match code {
        15 | 429 | -32_005 | -32_007 | -32_029 => Some(DEFAULT_PAUSE_SECONDS),
        _ => None,
    }
}

/// Returns the fault of a response with status 429.
fn rate_limited(headers: &HeaderMap) -> NodeFault {
    NodeFault::RateLimited { seconds: retry_after_seconds(headers, DEFAULT_PAUSE_SECONDS) }
}

/// Creates a client for `endpoint` without connecting; idle connections are kept for `idle_timeout`.
///
/// # Errors
/// [`InvalidConfig`] for TLS without a certificate authority to trust.
fn client(
    endpoint: &Endpoint,
    authorities: Option<&[u8]>,
    idle_timeout: Duration,
) -> Result<HttpClient, InvalidConfig> {
    let invalid = |error: InvalidTls| InvalidConfig(format!("no TLS: {error}"));
    let config =
        HttpClientConfig { is_tls: endpoint.is_tls(), authorities, idle_timeout, ..HttpClientConfig::default() };
    HttpClient::new(config).map_err(invalid)
}
