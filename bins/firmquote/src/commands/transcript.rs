//! Prints requests to a running service as sent over the wire: request line, body, response.

use std::io::Write;

use alloy_primitives::Address;
use anyhow::Context as _;
use firmquote_calldata::decode;
use firmquote_client::SignedSwap;
use serde_json::Value;

/// A printer for exchanges with the service at `base`.
pub(crate) struct Transcript<'o, W: Write> {
    pub(crate) base: String,
    pub(crate) out: &'o mut W,
}

/// A request to print.
pub(crate) struct TranscriptEntry<'a> {
    /// The purpose of the request.
    pub(crate) title: &'a str,
    pub(crate) method: &'a str,
    /// Path and query.
    pub(crate) path: &'a str,
    /// `None` for an anonymous request.
    pub(crate) api_key: Option<&'a str>,
    /// `None` for a GET.
    pub(crate) body: Option<Value>,
}

impl<W: Write> Transcript<'_, W> {
    /// Prints a request and the body of its response. The status is always 200: the client turns any other into an
    /// error.
    ///
    /// # Errors
    /// When the response is not JSON, or writing fails.
    pub(crate) fn show(&mut self, request: &TranscriptEntry<'_>, response: &str) -> anyhow::Result<()> {
        let TranscriptEntry { title, method, path, api_key, body } = request;
        writeln!(self.out, "# {title}\n\n{method} {}{path}", self.base)?;
        if let Some(api_key) = api_key {
            writeln!(self.out, "x-api-key: {api_key}")?;
        }
        if let Some(body) = body {
            writeln!(self.out, "{body:#}")?;
        }
        let response: Value = serde_json::from_str(response)?;
        Ok(writeln!(self.out, "\n200 OK\n{response:#}\n")?)
    }

    /// Prints the decoded calldata of a signed swap.
    ///
    /// # Errors
    /// When there is no calldata, or it is not a valid pool contract call.
    pub(crate) fn show_calldata(&mut self, signed: &SignedSwap) -> anyhow::Result<()> {
        let swap = decode(signed.calldata.as_ref().context("the response contains no calldata")?)?;
        let token = |token: Option<Address>| token.map_or("the native coin".into(), |token| token.to_string());
        writeln!(self.out, "The calldata calls {}:", swap.function.name())?;
        writeln!(self.out, "  input         {} of {}", swap.input_amount, token(swap.input_token))?;
        writeln!(self.out, "  output        {} of {}", swap.output_amount, token(swap.output_token))?;
        writeln!(self.out, "  valid until   {} (Unix seconds)", swap.good_until.expires_at().get())?;
        writeln!(self.out, "  destination   {}", swap.destination)?;
        writeln!(self.out, "  aux data      {}\n", swap.aux_data)?;
        Ok(())
    }
}
