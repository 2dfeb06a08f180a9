//! One request and its response: in time, and up to a size.

use crate::{ClientSettings, InvalidSettings, answer::read::one_line};

use std::time::Duration;

use firmquote_outbound::{Error, HttpClient, HttpClientConfig, Retry, read_body};
use http_body_util::Full;
use hyper::{HeaderMap, Request, body::Bytes};
use tokio::time::timeout;

/// Asks over HTTP.
pub(crate) struct Transport {
    client: HttpClient,
    request_timeout: Duration,
    most_answer_bytes: usize,
}

/// An answer, whatever it says.
pub(crate) struct Received {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Why there is none.
pub(crate) enum Failure {
    Unreachable(String),
    TimedOut(Duration),
    Interrupted(String),
    TooLarge { status: u16, most: usize },
}

impl Transport {
    /// Connects to nothing yet. `is_tls` says whether any address is asked by TLS; where none is, nobody is trusted.
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

    /// Sends a request and reads the whole answer; sends it twice only if it is repeatable.
    ///
    /// # Errors
    /// [`Failure`], by what is known of the request.
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

/// What `error` means for an answer with `status`.
fn failure(error: Error, status: u16) -> Failure {
    match error {
        Error::Connect(reason) => Failure::Unreachable(one_line(&reason)),
        Error::Interrupted(reason) => Failure::Interrupted(one_line(&reason)),
        Error::TooLong { max_bytes } => Failure::TooLarge { status, most: max_bytes },
    }
}
