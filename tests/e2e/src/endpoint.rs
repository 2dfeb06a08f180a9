//! An HTTP client with an API key for one address of the server.
#![expect(clippy::expect_used, clippy::panic, reason = "an answer in another form is a failed test")]

use std::time::Duration;

use reqwest::{Client, RequestBuilder, header::RETRY_AFTER};
use serde_json::Value;

/// The API key in generated configurations.
pub const API_KEY: &str = "e2e-partner-key";

/// SHA-256 of [`API_KEY`].
pub const API_KEY_SHA256: &str = "bf4650891e8e0d35a82954aba09851898626829b917b059b11ff6520f2685e70";

/// The operator's token, which tests can add to generated configurations.
pub const ADMIN_TOKEN: &str = "e2e-admin-token";

/// SHA-256 of [`ADMIN_TOKEN`].
pub const ADMIN_TOKEN_SHA256: &str = "20357603bbd1490b9215bd7cfff9421bccf4d9131bd54e4ac53ce12caf5fbc32";

/// Request timeout, longer than any successful request takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// An address of the server. Clones share connections; it may outlive the server.
#[derive(Clone, Debug)]
pub struct Endpoint {
    client: Client,
    base: String,
}

/// A response of the server.
#[derive(Clone, Debug)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// `Retry-After`, if present.
    pub retry_after: Option<String>,
    /// The raw body.
    pub text: String,
    /// The body as JSON.
    pub body: Value,
}

impl Response {
    /// Returns the body of a 200.
    ///
    /// # Panics
    /// For any other status.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.body
    }

    /// Whether the response is a 503 with `Retry-After`.
    pub fn is_retryable(&self) -> bool {
        self.status == 503 && self.retry_after.is_some()
    }
}

impl Endpoint {
    /// Creates an endpoint for the server at this IP address and port.
    pub fn at(address: &str) -> Self {
        let client = Client::builder().no_proxy().timeout(PATIENCE).build().expect("a client without TLS");
        Self { client, base: format!("http://{address}") }
    }

    /// Returns the base URL: `http://`, IP address and port.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Sends a GET. The query in `path` must be encoded.
    ///
    /// # Errors
    /// When there is no complete response: the connection is refused, or ends too early.
    pub async fn get(&self, path: &str) -> Result<Response, reqwest::Error> {
        answer(self.client.get(format!("{}{path}", self.base))).await
    }

    /// Sends a GET for something that is not JSON.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn text(&self, path: &str) -> Result<String, reqwest::Error> {
        self.client.get(format!("{}{path}", self.base)).send().await?.text().await
    }

    /// Sends a POST.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn post(&self, path: &str, body: &Value) -> Result<Response, reqwest::Error> {
        answer(self.client.post(format!("{}{path}", self.base)).json(body)).await
    }

    /// Sends a POST with a bearer token.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn post_with_token(&self, path: &str, token: &str, body: &Value) -> Result<Response, reqwest::Error> {
        answer(self.client.post(format!("{}{path}", self.base)).bearer_auth(token).json(body)).await
    }

    /// Sends a PUT with a bearer token.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn put(&self, path: &str, token: &str, body: &Value) -> Result<Response, reqwest::Error> {
        answer(self.client.put(format!("{}{path}", self.base)).bearer_auth(token).json(body)).await
    }
}

async fn answer(request: RequestBuilder) -> Result<Response, reqwest::Error> {
    let response = request.header("x-api-key", API_KEY).send().await?;
    let status = response.status().as_u16();
    let retry_after = response.headers().get(RETRY_AFTER);
    let retry_after = retry_after.map(|value| value.to_str().expect("a header of text").to_owned());
    let text = response.text().await?;
    let body = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{status} {text:?}: {error}"));
    Ok(Response { status, retry_after, text, body })
}
