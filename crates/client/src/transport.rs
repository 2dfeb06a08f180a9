//! Sends a request and reads its response, within time and size limits.

use std::time::Duration;

use firmquote_outbound::{HttpClient, HttpClientConfig, Retry, read_body};
use http_body_util::Full;
use hyper::{
    HeaderMap, Request,
    body::{Bytes, Incoming},
    header::CONTENT_TYPE,
};
use tokio::time::timeout;

use crate::{ClientSettings, Error, InvalidSettings, response::one_line};

/// The HTTP transport of a client.
pub(crate) struct Transport {
    client: HttpClient,
    request_timeout: Duration,
    max_response_bytes: usize,
}

/// A complete response of any status.
pub(crate) struct RawResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// The response to a request for a stream.
pub(crate) enum StreamResponse {
    /// The head of a stream of events, and its body.
    Stream(HeaderMap, Incoming),
    /// Any other response.
    Other(RawResponse),
}

impl Transport {
    /// Creates a transport; nothing is connected yet. `is_tls` states whether any endpoint uses TLS; if none does, no
    /// authority is trusted.
    ///
    /// # Errors
    /// [`InvalidSettings::Authorities`], for TLS only.
    pub(crate) fn new(is_tls: bool, settings: &ClientSettings) -> Result<Self, InvalidSettings> {
        let ClientSettings { connect_timeout, idle_timeout, request_timeout, max_response_bytes, .. } = *settings;
        let client = HttpClient::new(HttpClientConfig {
            is_tls,
            authorities: settings.authorities.as_deref(),
            allows_plain_http: true,
            connect_timeout: Some(connect_timeout),
            idle_timeout,
            ..HttpClientConfig::default()
        });
        let client = client.map_err(|error| InvalidSettings::Authorities { reason: error.to_string() })?;
        Ok(Self { client, request_timeout, max_response_bytes })
    }

    /// Sends a request, twice only if it is repeatable, and reads the whole response; the head alone of a stream of events if
    /// the client `accepts_streams`.
    ///
    /// # Errors
    /// [`Error`] with this request id: that the service cannot be reached, takes too long, ends the response, or sends a
    /// longer one than allowed.
    pub(crate) async fn send(
        &self,
        request: Request<Full<Bytes>>,
        is_repeatable: bool,
        accepts_streams: bool,
        request_id: &str,
    ) -> Result<StreamResponse, Error> {
        let retry = if is_repeatable { Retry::OnClosedConnection } else { Retry::Never };
        let exchange = async {
            let response = self.client.send(request, retry).await.map_err(|error| failure(error, 0, request_id))?;
            let (head, body) = response.into_parts();
            let status = head.status.as_u16();
            let is_stream = head.headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
            if accepts_streams && status == 200 && is_stream {
                return Ok(StreamResponse::Stream(head.headers, body));
            }
            let body = read_body(body, self.max_response_bytes).await;
            let body = body.map_err(|error| failure(error, status, request_id))?;
            Ok(StreamResponse::Other(RawResponse { status, headers: head.headers, body }))
        };
        let after = self.request_timeout;
        let timed_out = |_| Error::TimedOut { request_id: request_id.to_owned(), after };
        timeout(after, exchange).await.map_err(timed_out)?
    }
}

/// Maps an error that occurred while a response with `status` was read.
fn failure(error: firmquote_outbound::Error, status: u16, request_id: &str) -> Error {
    use firmquote_outbound::Error as Failure;

    let request_id = request_id.to_owned();
    match error {
        Failure::Connect(reason) => Error::Unreachable { request_id, cause: one_line(&reason) },
        Failure::Interrupted(reason) => Error::Interrupted { request_id, cause: one_line(&reason) },
        Failure::TooLong { max_bytes } => {
            Error::InvalidResponse { request_id, status, reason: format!("it is longer than {max_bytes} bytes") }
        }
    }
}
