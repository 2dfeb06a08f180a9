//! Requests to a running service, shown as they go over the wire: request line, body, answer.

use std::io::Write;

use alloy_primitives::Address;
use anyhow::Context as _;
use firmquote_calldata::decode;
use firmquote_client::SignedSwap;
use serde_json::Value;

/// A conversation with the service at `base`, written to `out`.
pub(crate) struct Exchange<'o, W: Write> {
    pub(crate) base: String,
    pub(crate) out: &'o mut W,
}

/// A request as it is shown.
pub(crate) struct TranscriptEntry<'a> {
    /// What it is for.
    pub(crate) title: &'a str,
    pub(crate) method: &'a str,
    /// With the query.
    pub(crate) path: &'a str,
    /// None for an anonymous request.
    pub(crate) api_key: Option<&'a str>,
    /// None for a GET.
    pub(crate) body: Option<Value>,
}

impl<W: Write> Exchange<'_, W> {
    /// Prints a request and the body of its answer, which was 200: the client makes an error of any other.
    ///
    /// # Errors
    /// When the answer is no JSON, or nothing can be written.
    pub(crate) fn show(&mut self, request: &TranscriptEntry<'_>, answer: &str) -> anyhow::Result<()> {
        let TranscriptEntry { title, method, path, api_key, body } = request;
        writeln!(self.out, "# {title}\n\n{method} {}{path}", self.base)?;
        if let Some(api_key) = api_key {
            writeln!(self.out, "x-api-key: {api_key}")?;
        }
        if let Some(body) = body {
            writeln!(self.out, "{body:#}")?;
        }
        let answer: Value = serde_json::from_str(answer)?;
        Ok(writeln!(self.out, "\n200 OK\n{answer:#}\n")?)
    }

    /// Prints what the calldata of a signed swap asks the pool contract for.
    ///
    /// # Errors
    /// When there is none, or the pool contract would not understand it.
    pub(crate) fn show_calldata(&mut self, signed: &SignedSwap) -> anyhow::Result<()> {
        let swap = decode(signed.calldata.as_ref().context("the answer holds no calldata")?)?;
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
