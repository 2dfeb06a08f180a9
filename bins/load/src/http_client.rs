//! A single request to a server.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use anyhow::{Context as _, ensure};
use firmquote_api::Reason;
use serde_json::Value;

use crate::service::API_KEY;

/// A raw response.
pub(crate) struct Response {
    /// Bytes of the head, including the empty line at its end.
    pub(crate) head: usize,
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// Returns the id of the quote in the body.
    ///
    /// # Errors
    /// When the body is not a quote with an id.
    pub(crate) fn quote_id(&self) -> anyhow::Result<String> {
        let quote: Value = serde_json::from_slice(&self.body)?;
        let id = quote.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
        id.map(str::to_owned).context("the quote has no id")
    }

    /// Returns the reason in the body, if it is an error that has one.
    pub(crate) fn reason(&self) -> Option<Reason> {
        let error: Value = serde_json::from_slice(&self.body).ok()?;
        error.get("reason")?.as_str()?.parse().ok()
    }
}

/// Sends one request with the API key and reads the response, which must be a 200.
///
/// # Errors
/// When the server cannot be reached or responds otherwise.
pub(crate) fn expect_ok(address: &str, method: &str, path: &str, body: &str) -> anyhow::Result<Response> {
    let (status, response) = request(address, method, path, body)?;
    ensure!(status == 200, "{method} {path} returned {status}: {}", String::from_utf8_lossy(&response.body));
    Ok(response)
}

/// Sends one request with the API key and returns status and response.
///
/// # Errors
/// When the server cannot be reached, or its response is not HTTP/1.1 with a length.
pub(crate) fn request(address: &str, method: &str, path: &str, body: &str) -> anyhow::Result<(u16, Response)> {
    send(address, method, path, &format!("x-api-key: {API_KEY}"), body)
}

/// Sends one request with a header line and returns status and response.
///
/// # Errors
/// Those of [`request`].
pub(crate) fn send(
    address: &str,
    method: &str,
    path: &str,
    header: &str,
    body: &str,
) -> anyhow::Result<(u16, Response)> {
    let mut stream = TcpStream::connect(address)?;
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\n{header}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )?;
    let mut received = Vec::new();
    let mut buffer = [0; 4_096];
    loop {
        let read = stream.read(&mut buffer)?;
        ensure!(read > 0, "the server closed the connection");
        received.extend_from_slice(buffer.get(..read).unwrap_or_default());
        let Some(head) = received.windows(4).position(|end| end == b"\r\n\r\n").map(|end| end + 4) else { continue };
        let (text, body) = received.split_at(head);
        let text = std::str::from_utf8(text)?;
        let length =
            text.lines().find_map(|line| line.strip_prefix("content-length: ")).context("no content-length")?;
        if body.len() == length.parse::<usize>()? {
            let status = text.split(' ').nth(1).context("no status")?.parse()?;
            return Ok((status, Response { head, body: body.to_vec() }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_without_an_id_is_an_error() {
        let quote_id = |body: &str| Response { head: 0, body: body.into() }.quote_id();
        assert_eq!(quote_id(r#"{"id":"bdb2784e"}"#).unwrap(), "bdb2784e");
        for body in ["", "qqq", "{}", r#"{"id":""}"#, r#"{"id":7}"#] {
            assert!(quote_id(body).is_err(), "{body}");
        }
    }
}
