//! Sends a request and reads its response, within time and size limits.

use crate::{ClientSettings, InvalidSettings, response::one_line};

use std::time::Duration;

use firmquote_outbound::{Error, HttpClient, HttpClientConfig, Retry, read_body};
use http_body_util::Full;
use hyper::{
    HeaderMap, Request,
    body::{Bytes, Incoming},
    header::CONTENT_TYPE,
};
use tokio::time::timeout;

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

/// Why there is no complete response.
pub(crate) enum TransportError {
    Unreachable(String),
    TimedOut(Duration),
    Interrupted(String),
    TooLarge { status: u16, max_bytes: usize },
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

    /// Sends a request and reads the whole response; the request is sent twice only if it is repeatable.
    ///
    /// # Errors
    /// [`TransportError`], one variant for each distinguishable outcome.
    pub(crate) async fn execute(
        &self,
        request: Request<Full<Bytes>>,
        is_repeatable: bool,
    ) -> Result<RawResponse, TransportError> {
        let response = timeout(self.request_timeout, self.exchange(request, is_repeatable)).await;
        response.map_err(|_| TransportError::TimedOut(self.request_timeout))?
    }

    /// Sends a request and reads the head of the response; the body too, unless it is a stream of events.
    ///
    /// # Errors
    /// [`TransportError`], as for [`Self::execute`].
    pub(crate) async fn open(&self, request: Request<Full<Bytes>>) -> Result<StreamResponse, TransportError> {
        let response = async {
            let response = self.client.send(request, Retry::OnClosedConnection).await;
            let (head, body) = response.map_err(|error| transport_error(error, 0))?.into_parts();
            let status = head.status.as_u16();
            let is_stream = head.headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
            if status == 200 && is_stream {
                return Ok(StreamResponse::Stream(head.headers, body));
            }
            let body =
                read_body(body, self.max_response_bytes).await.map_err(|error| transport_error(error, status))?;
            Ok(StreamResponse::Other(RawResponse { status, headers: head.headers, body }))
        };
        let response = timeout(self.request_timeout, response).await;
        response.map_err(|_| TransportError::TimedOut(self.request_timeout))?
    }

    async fn exchange(
        &self,
        request: Request<Full<Bytes>>,
        is_repeatable: bool,
    ) -> Result<RawResponse, TransportError> {
        let retry = if is_repeatable { Retry::OnClosedConnection } else { Retry::Never };
        let response = self.client.send(request, retry).await.map_err(|error| transport_error(error, 0))?;
        let (head, body) = response.into_parts();
        let status = head.status.as_u16();
        let body = read_body(body, self.max_response_bytes).await.map_err(|error| transport_error(error, status))?;
        Ok(RawResponse { status, headers: head.headers, body })
    }
}

/// Maps an error that occurred while reading a response with `status`.
fn transport_error(error: Error, status: u16) -> TransportError {
    match error {
        Error::Connect(reason) => TransportError::Unreachable(one_line(&reason)),
        Error::Interrupted(reason) => TransportError::Interrupted(one_line(&reason)),
        Error::TooLong { max_bytes } => TransportError::TooLarge { status, max_bytes },
    }
}
