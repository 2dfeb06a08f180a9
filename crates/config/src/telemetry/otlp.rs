//! `[otlp]`: the trace collector that request spans are sent to, if any.

use std::time::Duration;

use firmquote_outbound::Endpoint;
use hyper::{
    Uri,
    header::{CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING},
};

use serde::Deserialize;

use crate::{
    FileReaders,
    document::{
        deserializer::keys_of,
        error::KeyError,
        field::Field,
        values::{
            decimal::{Decimal, Ratio},
            integer::Seconds,
            setting::OptionalSetting as _,
            text::{FilePath, FromText, Text},
        },
    },
};

/// Maximum length of the headers file in bytes, more than any list of headers.
const MAX_HEADERS_BYTES: usize = 16 << 10;

/// The trace collector. Not `Debug`: its headers are credentials.
pub struct OtlpConfig {
    /// The URL that spans go to, `v1/traces` below the base URL of the collector.
    pub traces: Uri,
    /// Header fields of every request to the collector, such as credentials.
    pub headers: HeaderMap,
    /// The fraction of the traces starting here that is recorded, 0 to 1. Traces started by a caller follow the
    /// caller's decision.
    pub sample_ratio: f64,
    /// The time limit for a batch, and for the remaining spans at shutdown.
    pub timeout: Duration,
}

/// `[otlp]`.
#[derive(Deserialize)]
pub(crate) struct OtlpTable {
    endpoint: Option<Text<TracesUrl>>,
    headers_file: Option<Text<FilePath>>,
    sample_ratio: Option<Decimal<Ratio>>,
    timeout_seconds: Option<Seconds<1, 60>>,
}

/// The URL for spans of a collector, from its base URL.
struct TracesUrl(Uri);

impl FromText for TracesUrl {
    fn from_text(text: &str) -> Result<Self, String> {
        let base = Endpoint::parse(text).ok();
        let base = base.filter(|base| !base.is_web_socket() && !base.has_query() && !base.has_fragment());
        base.and_then(|base| base.join("/v1/traces").ok()).map(Self).ok_or_else(|| {
            "http:// or https://, a host, optionally a port and a path, without credentials and query".to_owned()
        })
    }
}

impl OtlpConfig {
    /// Refuses keys of the table at `field` without an `endpoint`, whatever their values are.
    ///
    /// # Errors
    /// [`KeyError`] for the first.
    pub(crate) fn check_keys(field: &Field<'_>) -> Result<(), KeyError> {
        match field.key("endpoint").is_present() {
            true => Ok(()),
            false => field.refuse(keys_of::<OtlpTable>().iter().copied(), "only with endpoint"),
        }
    }

    /// Creates the collector of the table at `field`; without an `endpoint` nothing is sent.
    ///
    /// # Errors
    /// [`KeyError`] for an unusable file of headers.
    pub(crate) fn new(table: OtlpTable, field: &Field<'_>) -> Result<Option<Self>, KeyError> {
        let Some(TracesUrl(traces)) = table.endpoint.value() else { return Ok(None) };
        let headers = table.headers_file.value().map(|file| headers(&field.key("headers_file"), &file)).transpose()?;
        Ok(Some(Self {
            traces,
            headers: headers.unwrap_or_default(),
            sample_ratio: table.sample_ratio.value_or(Ratio(1.0)).0,
            timeout: table.timeout_seconds.value_or(Duration::from_secs(5)),
        }))
    }
}

/// Reads the `name: value` lines of the file that `field` names.
fn headers(field: &Field<'_>, file: &FilePath) -> Result<HeaderMap, KeyError> {
    const WHAT: &str = "header fields, each a line \"name: value\"";
    let contents = field.read_file(file, WHAT, MAX_HEADERS_BYTES, FileReaders::OwnerOnly)?;
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
