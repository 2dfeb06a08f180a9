//! Sends a request and reads its response, within time and size limits.

use crate::{ClientSettings, InvalidSettings, answer::read::one_line};

use std::time::Duration;

use firmquote_outbound::{Error, HttpClient, HttpClientConfig, Retry, read_body};
use http_body_util::Full;
use hyper::{HeaderMap, Request, body::Bytes};
use tokio::time::timeout;

/// The HTTP transport of a client.
pub(crate) struct Transport {
    client: HttpClient,
    request_timeout: Duration,
    most_answer_bytes: usize,
}

/// A complete response of any status.
pub(crate) struct Received {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Why there is no complete response.
pub(crate) enum Failure {
    Unreachable(String),
    TimedOut(Duration),
    Interrupted(String),
    TooLarge { status: u16, most: usize },
}

impl Transport {
    /// Creates a transport; nothing is connected yet. `is_tls` states whether any endpoint uses TLS; if none does, no
    /// authority is trusted.
    ///
    /// # Errors
    /// [`InvalidSettings::Authorities`], for TLS only.
    pub(crate) fn new(is_tls: bool, settings: &ClientSettings) -> Result<Self, InvalidSettings> {
        let ClientSettings { connect_timeout, idle_timeout, request_timeout, most_answer_bytes, .. } = *settings;
        let client = HttpClient::new(HttpClientConfig {
            is_tls,
            authorities: settings.authorities.as_deref(),
            allows_plain_http: true,
            connect_timeout: Some(connect_timeout),
            idle_timeout,
            ..HttpClientConfig::default()
        });
        let client = client.map_err(|error| InvalidSettings::Authorities { reason: error.to_string() })?;
        Ok(Self { client, request_timeout, most_answer_bytes })
    }

    /// Sends a request and reads the whole response; the request is sent twice only if it is repeatable.
    ///
    /// # Errors
    /// [`Failure`], one variant for each distinguishable outcome.
    pub(crate) async fn ask(&self, request: Request<Full<Bytes>>, is_repeatable: bool) -> Result<Received, Failure> {
        let answered = timeout(self.request_timeout, self.exchange(request, is_repeatable)).await;
        answered.map_err(|_| Failure::TimedOut(self.request_timeout))?
    }

    async fn exchange(&self, request: Request<Full<Bytes>>, is_repeatable: bool) -> Result<Received, Failure> {
        let retry = if is_repeatable { Retry::OnClosedConnection } else { Retry::Never };
        let response = self.client.send(request, retry).await.map_err(|error| failure(error, 0))?;
        let (head, body) = response.into_parts();
        let status = head.status.as_u16();
        let body = read_body(body, self.most_answer_bytes).await.map_err(|error| failure(error, status))?;
        Ok(Received { status, headers: head.headers, body })
    }
}

/// Maps an error that occurred while reading a response with `status`.
fn failure(error: Error, status: u16) -> Failure {
    match error {
        Error::Connect(reason) => Failure::Unreachable(one_line(&reason)),
        Error::Interrupted(reason) => Failure::Interrupted(one_line(&reason)),
        Error::TooLong { max_bytes } => Failure::TooLarge { status, most: max_bytes },
    }
}
