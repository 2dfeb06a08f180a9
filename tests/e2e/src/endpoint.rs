//! One address of the server, as a client with an API key asks it.
#![expect(clippy::expect_used, clippy::panic, reason = "an answer in another form is a failed test")]

use std::time::Duration;

use reqwest::{Client, RequestBuilder, header::RETRY_AFTER};
use serde_json::Value;

/// The API key that generated configurations know.
pub const API_KEY: &str = "e2e-partner-key";

/// SHA-256 of [`API_KEY`].
pub const API_KEY_SHA256: &str = "bf4650891e8e0d35a82954aba09851898626829b917b059b11ff6520f2685e70";

/// The operator's token that generated configurations can be told.
pub const ADMIN_TOKEN: &str = "e2e-admin-token";

/// SHA-256 of [`ADMIN_TOKEN`].
pub const ADMIN_TOKEN_SHA256: &str = "20357603bbd1490b9215bd7cfff9421bccf4d9131bd54e4ac53ce12caf5fbc32";

/// Longer than any answer takes; a server that takes longer does not answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where to ask. A clone shares its connections; it may outlive the server.
#[derive(Clone, Debug)]
pub struct Endpoint {
    client: Client,
    base: String,
}

/// What the server answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// When to try again, if it says so.
    pub retry_after: Option<String>,
    /// The body, byte by byte.
    pub text: String,
    /// The body as JSON.
    pub body: Value,
}

impl Answer {
    /// The body of a 200.
    ///
    /// # Panics
    /// For any other status.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.body
    }

    /// Whether the server says that it cannot answer now and when to try again.
    pub fn is_try_later(&self) -> bool {
        self.status == 503 && self.retry_after.is_some()
    }
}

impl Endpoint {
    /// The server that listens on this IP address and port.
    pub fn at(address: &str) -> Self {
        let client = Client::builder().no_proxy().timeout(PATIENCE).build().expect("a client without TLS");
        Self { client, base: format!("http://{address}") }
    }

    /// `http://` and where it listens.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// GET; the query of `path` is encoded already.
    ///
    /// # Errors
    /// When there is no answer: nobody listens, or the connection ends before all of it has arrived.
    pub async fn get(&self, path: &str) -> Result<Answer, reqwest::Error> {
        answer(self.client.get(format!("{}{path}", self.base))).await
    }

    /// POST.
    ///
    /// # Errors
    /// When there is no answer, as for [`Self::get`].
    pub async fn post(&self, path: &str, body: &Value) -> Result<Answer, reqwest::Error> {
        answer(self.client.post(format!("{}{path}", self.base)).json(body)).await
    }

    /// POST of what only the holder of `token` may ask for.
    ///
    /// # Errors
    /// When there is no answer, as for [`Self::get`].
    pub async fn post_with_token(&self, path: &str, token: &str, body: &Value) -> Result<Answer, reqwest::Error> {
        answer(self.client.post(format!("{}{path}", self.base)).bearer_auth(token).json(body)).await
    }

    /// PUT of what only the holder of `token` may send.
    ///
    /// # Errors
    /// When there is no answer, as for [`Self::get`].
    pub async fn put(&self, path: &str, token: &str, body: &Value) -> Result<Answer, reqwest::Error> {
        answer(self.client.put(format!("{}{path}", self.base)).bearer_auth(token).json(body)).await
    }
}

async fn answer(request: RequestBuilder) -> Result<Answer, reqwest::Error> {
    let response = request.header("x-api-key", API_KEY).send().await?;
    let status = response.status().as_u16();
    let retry_after = response.headers().get(RETRY_AFTER);
    let retry_after = retry_after.map(|value| value.to_str().expect("a header of text").to_owned());
    let text = response.text().await?;
    let body = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{status} {text:?}: {error}"));
    Ok(Answer { status, retry_after, text, body })
}
