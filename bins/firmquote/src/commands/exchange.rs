//! Requests to a running service, printed as they go: request line, body, answer.

use std::io::Write;

use alloy_primitives::{Address, Bytes};
use anyhow::{Context as _, bail};
use firmquote_calldata::decode;
use reqwest::{Client, Method, RequestBuilder, Response, header::HeaderName};
use serde_json::Value;

/// How long an answer may take.
const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);
/// The header that carries an API key.
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// A conversation with a service, written to `out`.
pub(crate) struct Exchange<'o, W: Write> {
    client: Client,
    base: String,
    out: &'o mut W,
}

impl<'o, W: Write> Exchange<'o, W> {
    /// A conversation, not begun yet, with the service at `base`.
    ///
    /// # Errors
    /// When the client cannot be set up.
    pub(crate) fn new(base: String, out: &'o mut W) -> anyhow::Result<Self> {
        let client = Client::builder().no_proxy().timeout(TIMEOUT).build()?;
        Ok(Self { client, base, out })
    }

    /// Sends a GET with an API key.
    ///
    /// # Errors
    /// When there is no answer, or another one than 200.
    pub(crate) async fn get(&mut self, title: &str, path: &str, api_key: &str) -> anyhow::Result<Value> {
        let url = format!("{}{path}", self.base);
        writeln!(self.out, "# {title}\n\nGET {url}\nx-api-key: {api_key}")?;
        let request = self.client.request(Method::GET, url).header(API_KEY, api_key);
        self.send(request).await
    }

    /// Sends a POST, with an API key or anonymously.
    ///
    /// # Errors
    /// When there is no answer, or another one than 200.
    pub(crate) async fn post(
        &mut self,
        title: &str,
        path: &str,
        api_key: Option<&str>,
        body: &Value,
    ) -> anyhow::Result<Value> {
        let url = format!("{}{path}", self.base);
        writeln!(self.out, "# {title}\n\nPOST {url}")?;
        let mut request = self.client.request(Method::POST, url).json(body);
        if let Some(api_key) = api_key {
            writeln!(self.out, "x-api-key: {api_key}")?;
            request = request.header(API_KEY, api_key);
        }
        writeln!(self.out, "{body:#}")?;
        self.send(request).await
    }

    /// Prints what the calldata of a sign answer asks the pool contract for.
    ///
    /// # Errors
    /// When there is none, or the pool contract would not understand it.
    pub(crate) fn show_calldata(&mut self, answer: &Value) -> anyhow::Result<()> {
        let text = answer.get("calldata").and_then(Value::as_str).context("the answer holds no calldata")?;
        let swap = decode(&text.parse::<Bytes>()?)?;
        let token = |token: Option<Address>| token.map_or("the native coin".into(), |token| token.to_string());
        writeln!(self.out, "The calldata calls {}:", swap.function.name())?;
        writeln!(self.out, "  input         {} of {}", swap.input_amount, token(swap.input_token))?;
        writeln!(self.out, "  output        {} of {}", swap.output_amount, token(swap.output_token))?;
        writeln!(self.out, "  valid until   {} (Unix seconds)", swap.good_until.expires_at().get())?;
        writeln!(self.out, "  destination   {}", swap.destination)?;
        writeln!(self.out, "  aux data      {}\n", swap.aux_data)?;
        Ok(())
    }

    async fn send(&mut self, request: RequestBuilder) -> anyhow::Result<Value> {
        let answer: Response = request.send().await.context("no answer")?;
        let status = answer.status();
        let body: Value = answer.json().await.context("the answer is not JSON")?;
        writeln!(self.out, "\n{status}\n{body:#}\n")?;
        if status.as_u16() == 200 { Ok(body) } else { bail!("the answer is {status}") }
    }
}
