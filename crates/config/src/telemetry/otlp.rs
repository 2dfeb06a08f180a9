//! `[otlp]`: the trace collector that request spans are sent to, if any.

use std::time::Duration;

use firmquote_outbound::Endpoint;
use hyper::{
    Uri,
    header::{CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING},
};

use crate::{
    FileReaders,
    document::{
        error::KeyError,
        reader::{Field, Keys, Table, refuse_present},
        values::ratio,
    },
};

/// Maximum length of the headers file in bytes, more than any list of headers.
const MAX_HEADERS_BYTES: usize = 16 << 10;

/// `[otlp]` with an `endpoint`. Not `Debug`: its headers are credentials.
pub struct OtlpConfig {
    /// `endpoint`: base URL of the collector; spans go to `v1/traces` below it.
    pub traces: Uri,
    /// `headers_file`: header fields of every request to the collector, such as credentials. Default: none.
    pub headers: HeaderMap,
    /// `sample_ratio`: fraction of the traces starting here that is recorded, 0 to 1. Default 1. Traces started by a
    /// caller follow the caller's decision.
    pub sample_ratio: f64,
    /// `timeout_seconds`: time limit for a batch, and for the remaining spans at shutdown, 1 to 60 s. Default 5.
    pub timeout: Duration,
}

pub(crate) const KEYS: Keys = Keys::new(&["endpoint", "headers_file", "sample_ratio", "timeout_seconds"]);

impl OtlpConfig {
    /// Reads the table; without an `endpoint` nothing is sent.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid key, and for keys without an `endpoint`.
    pub(crate) fn read(table: &Table<'_>) -> Result<Option<Self>, KeyError> {
        const URL: &str = "http:// or https://, a host, optionally a port and a path, without credentials and query";
        let endpoint = table.field("endpoint").secret();
        if !endpoint.is_present() {
            refuse_present(KEYS.names.iter().map(|key| table.field(key)), "only with endpoint")?;
            return Ok(None);
        }
        Ok(Some(Self {
            traces: endpoint.text(URL, traces)?,
            headers: table.field("headers_file").or(HeaderMap::new(), |field| headers(&field))?,
            sample_ratio: table.field("sample_ratio").or(1.0, |field| field.decimal(ratio))?,
            timeout: Duration::from_secs(
                table.field("timeout_seconds").or(5, |field| field.integer(1..=60, " seconds"))?,
            ),
        }))
    }
}

/// Returns the URL for spans of a collector at `endpoint`.
fn traces(endpoint: &str) -> Result<Uri, ()> {
    let base = Endpoint::parse(endpoint).map_err(drop)?;
    if base.is_web_socket() || base.has_query() || base.has_fragment() {
        return Err(());
    }
    base.join("/v1/traces").map_err(drop)
}

/// Reads the `name: value` lines of the file that `field` names.
fn headers(field: &Field<'_>) -> Result<HeaderMap, KeyError> {
    const WHAT: &str = "header fields, each a line \"name: value\"";
    let contents = field.read_file(WHAT, MAX_HEADERS_BYTES, FileReaders::OwnerOnly)?;
    let wrong = |number: usize| field.not_allowed(format!("a file that holds {WHAT} (line {number} is not one)"));
    let mut headers = HeaderMap::new();
    for (number, line) in (1..).zip(contents.split(|byte| *byte == b'\n')) {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let (name, value) = header(line).ok_or_else(|| wrong(number))?;
        headers.append(name, value);
    }
    if headers.is_empty() { Err(wrong(1)) } else { Ok(headers) }
}

/// Parses a header field; `None` if it is malformed or one that the service sets itself.
fn header(line: &[u8]) -> Option<(HeaderName, HeaderValue)> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (name, value) = line.split_at_checked(colon)?;
    let name = HeaderName::from_bytes(name).ok()?;
    let mut value = HeaderValue::from_bytes(value.get(1..)?.trim_ascii()).ok()?;
    value.set_sensitive(true);
    let is_own = [CONTENT_LENGTH, CONTENT_TYPE, HOST, TRANSFER_ENCODING].contains(&name);
    (!is_own).then_some((name, value))
}
