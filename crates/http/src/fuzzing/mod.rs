//! The entry points of the fuzz targets `bodies`, `queries` and `headers`, which take parts of requests, and
//! `certificates`, which takes PEM.
//!
//! Compiled only for fuzzing and for the tests that replay the corpora of the targets; not part of any program.

mod written;

use actix_web::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue};
use firmquote_domain::Quote;
use serde_json::value::RawValue;

use self::written::{Decode, pool, quote, quote_and_sign, sign, to_body, to_query};
use crate::{
    TlsCertificate, TlsIdentity, auth,
    error::ApiError,
    input::{CHAIN_ID, Fields},
    limits,
    request::{RequestId, TRACEPARENT, TraceContext, X_REQUEST_ID, body, links},
    service::{PublicUrl, ServiceName},
    wire::{POOL_V1, POOL_V2, QUOTE_SIGN, QUOTE_V1, QUOTE_V2, SIGN, quote_response},
};

/// Parses `data` both as a certificate and as its key, since one file can contain both.
///
/// # Panics
/// If an accepted certificate cannot be used for TLS, or if surrounding text in the file changes the result.
pub fn certificates(data: &[u8]) {
    let Ok(certificate) = TlsCertificate::from_pem(data, data) else { return };
    let identity = TlsIdentity::new(certificate);
    assert!(identity.acceptor().is_ok());
    assert!(identity.expires_at().is_none_or(|second| second <= 253_402_300_800), "beyond the year 9999");
    let among_others = [b"Subject: a text before\n", data, b"\nand a text behind\n"].concat();
    assert!(TlsCertificate::from_pem(&among_others, &among_others).is_ok(), "{}", data.escape_ascii());
}

/// Decodes `data` as the body of a quote request and of a sign request.
///
/// # Panics
/// If accepted inputs decode differently after being written back as a body or as a query, or if an error response is
/// not valid JSON or is much larger than the request.
pub fn bodies(data: &[u8]) {
    let operations: [(_, Decode); 2] = [(QUOTE_V1, quote), (SIGN, sign)];
    for (accepted, decode) in operations {
        match Fields::from_json(data, accepted).and_then(|fields| decode(&fields)) {
            Ok(inputs) => {
                let (body, query) = (to_body(&inputs), to_query(&inputs));
                let again = Fields::from_json(body.as_bytes(), accepted).and_then(|fields| decode(&fields));
                assert_eq!(again.ok().as_ref(), Some(&inputs), "{body}");
                // A query cannot express an empty name: such a parameter counts as absent.
                if inputs.iter().all(|(_, text)| !text.is_empty()) {
                    assert_eq!(decode(&Fields::from_query(&query, accepted)).ok(), Some(inputs), "{query}");
                }
            }
            Err(error) => is_answered(&error, data.len()),
        }
    }
}

/// Decodes `data`, a chain id of the path and, after a line break, a query, for every operation that takes a query.
///
/// # Panics
/// As [`bodies`].
pub fn queries(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let (chain_id, query) = text.split_once('\n').unwrap_or_default();
    let operations: [(_, _, Decode); 4] =
        [(POOL_V1, false, pool), (POOL_V2, true, pool), (QUOTE_V2, true, quote), (QUOTE_SIGN, true, quote_and_sign)];
    for (accepted, has_path, decode) in operations {
        let fields = Fields::from_query(query, accepted);
        let fields = if has_path { fields.with_path(&CHAIN_ID.field, chain_id) } else { fields };
        match decode(&fields) {
            Ok(inputs) => {
                let (query, accepted) = (to_query(&inputs), [accepted, &[&CHAIN_ID.field]].concat());
                assert_eq!(decode(&Fields::from_query(&query, &accepted)).ok(), Some(inputs), "{query}");
            }
            Err(error) => is_answered(&error, data.len()),
        }
    }
}

/// Uses each line of `data` as the value of each header that the service reads, all lines together as the headers of
/// one request, and each as a configured credential or setting.
///
/// # Panics
/// If a response would carry anything but plain text, if wrong credentials are accepted or treated as absent, if an
/// untrusted peer can set the client address, or if a stored value differs from its input or a stored hash cannot be
/// verified.
pub fn headers(data: &[u8]) {
    let values = data.split(|byte| *byte == b'\n').filter_map(|line| HeaderValue::from_bytes(line).ok());
    let values: Vec<_> = values.collect();
    values.iter().for_each(header);
    limits::fuzzing::forwarded(&values);
    let [first, rest @ ..] = values.as_slice() else { return };
    let mut all = HeaderMap::from_iter([(HeaderName::from_static("x-api-key"), first.clone())]);
    rest.iter().for_each(|value| all.append(AUTHORIZATION, value.clone()));
    auth::fuzzing::headers(&all);
}

/// Uses `value` as each of the headers, and as a name or URL of the configuration.
fn header(value: &HeaderValue) {
    let only = |name: &HeaderName| HeaderMap::from_iter([(name.clone(), value.clone())]);
    let name = RequestId::from_headers(&only(&X_REQUEST_ID));
    assert!(is_plain(name.as_str(), b"._-", 64), "{name:?}");
    trace(&only(&TRACEPARENT), value.as_bytes());
    if body::is_plain_json(&only(&CONTENT_TYPE)) {
        assert!(value.as_bytes().trim_ascii().to_ascii_lowercase().starts_with(b"application/json"), "{value:?}");
    }
    let link = links::error_page(None, links::Scheme::Http, &only(&HOST), "", "missing");
    let host = link.strip_suffix("/errors/missing").map(|start| start.strip_prefix("http://").unwrap_or(start));
    assert!(host.is_some_and(|host| host.is_empty() || is_plain(host, b".-_:[]", 255)), "{link}");
    auth::fuzzing::value(value.as_bytes());
    auth::fuzzing::headers(&only(&AUTHORIZATION));
    let text = value.to_str().unwrap_or_default();
    if let Ok(url) = PublicUrl::new(text) {
        assert_eq!(PublicUrl::new(url.as_str()).as_ref(), Ok(&url));
    }
    if let Ok(name) = ServiceName::new(text) {
        assert_eq!(name.to_aux_data().iter().take_while(|byte| **byte != 0).count(), text.len());
    }
}

/// Checks that an accepted trace context keeps its ids as written, and that they are not zero.
fn trace(headers: &HeaderMap, written: &[u8]) {
    if let Some(TraceContext { trace_id, parent_id, .. }) = TraceContext::from_headers(headers) {
        let named = format!("-{trace_id}-{:016x}-", u64::from_be_bytes(parent_id));
        assert!(written.get(2..).is_some_and(|behind| behind.starts_with(named.as_bytes())), "{written:?}");
        assert!(trace_id.0 != [0; 16] && parent_id != [0; 8], "{written:?}");
    }
}

fn is_plain(text: &str, others: &[u8], longest: usize) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || others.contains(&byte);
    (1..=longest).contains(&text.len()) && text.bytes().all(is_plain)
}

/// Checks the error response to a request of `sent` bytes: valid JSON, bounded in size, with plain messages.
fn is_answered(error: &ApiError, sent: usize) {
    /// The maximum number of items in `data`, with room for their messages.
    const ITEMS: usize = 128;
    let response =
        crate::error::body::write(error, |quote: &Quote| quote_response(quote, None), |kind| format!("/errors/{kind}"));
    assert!(serde_json::from_slice::<&RawValue>(&response).is_ok(), "{response:?}");
    // Input is echoed at most twice, and a control character takes six bytes when escaped.
    assert!(response.len() <= ITEMS * 256 + 12 * sent, "{} bytes to {sent}", response.len());
    let ApiError::InvalidInput(inputs) = error else { return };
    for invalid in inputs {
        assert!(invalid.message.len() <= 256 && !invalid.message.contains(char::is_control), "{}", invalid.message);
    }
    assert!(!error.message().contains(char::is_control));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("bodies", bodies);
    }

    #[test]
    fn queries_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("queries", queries);
    }

    #[test]
    fn headers_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("headers", headers);
    }

    #[test]
    fn certificates_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("certificates", certificates);
    }
}
