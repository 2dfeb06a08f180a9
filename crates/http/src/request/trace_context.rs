//! The trace that a request belongs to: `traceparent` of W3C Trace Context, levels 1 and 2.
//!
//! It is only reported, in the log and to trace collectors, and never affects the response; its `sampled` flag decides
//! whether the span is recorded. `tracestate` is not read: it concerns services that forward requests.

use std::fmt;

use actix_web::http::header::{HeaderMap, HeaderName};
use alloy_primitives::hex;

/// The `traceparent` header.
pub(crate) static TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// The length of a version 00 header: `00-`, 32 digits, `-`, 16 digits, `-`, 2 digits.
const LENGTH: usize = 55;

/// The caller's trace, and the caller's span within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceContext {
    /// The id of the trace; never zero.
    pub trace_id: TraceId,
    /// The id of the caller's span; never zero.
    pub parent_id: [u8; 8],
    /// Whether the caller records its span.
    pub is_sampled: bool,
}

/// A trace id: 16 bytes, written as 32 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TraceId(pub [u8; 16]);

impl TraceContext {
    /// Parses the header; `None` if it is absent, repeated or malformed.
    ///
    /// Of an unknown version, only the fields of version 00 are read; anything after them is ignored.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let mut values = headers.get_all(&TRACEPARENT);
        match (values.next(), values.next()) {
            (Some(value), None) => Self::parse(value.as_bytes()),
            _ => None,
        }
    }

    fn parse(text: &[u8]) -> Option<Self> {
        let (version_00, rest) = text.split_at_checked(LENGTH)?;
        let mut fields = version_00.split(|byte| *byte == b'-');
        let [version] = bytes(fields.next()?)?;
        let (trace_id, parent_id, [flags]) = (bytes(fields.next()?)?, bytes(fields.next()?)?, bytes(fields.next()?)?);
        let is_whole = fields.next().is_none()
            && match version {
                0 => rest.is_empty(),
                0xff => false,
                _ => rest.first().is_none_or(|byte| *byte == b'-'),
            };
        let is_named = trace_id != [0; 16] && parent_id != [0; 8];
        let context = Self { trace_id: TraceId(trace_id), parent_id, is_sampled: flags & 1 == 1 };
        (is_whole && is_named).then_some(context)
    }
}

/// Decodes `N` bytes from twice as many lower-case hex digits.
fn bytes<const N: usize>(digits: &[u8]) -> Option<[u8; N]> {
    let is_lower_hex = digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    hex::decode_to_array(digits).ok().filter(|_| is_lower_hex)
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT: &str = "00f067aa0ba902b7";

    fn context(values: &[&str]) -> Option<TraceContext> {
        let mut headers = HeaderMap::new();
        values.iter().for_each(|value| headers.append(TRACEPARENT.clone(), HeaderValue::from_str(value).unwrap()));
        TraceContext::from_headers(&headers)
    }

    #[test]
    fn a_valid_header_gives_trace_parent_and_sampling() {
        for (flags, is_sampled) in [("00", false), ("01", true), ("02", false), ("03", true), ("ff", true)] {
            let context = context(&[&format!("00-{TRACE}-{PARENT}-{flags}")]).unwrap();
            assert_eq!(context.trace_id.to_string(), TRACE);
            assert_eq!(context.parent_id, 0x00f0_67aa_0ba9_02b7_u64.to_be_bytes());
            assert_eq!(context.is_sampled, is_sampled, "{flags}");
        }
    }

    #[test]
    fn later_versions_are_read_as_version_zero() {
        for later in ["", "-", "-what-comes-then"] {
            assert!(context(&[&format!("cc-{TRACE}-{PARENT}-01{later}")]).is_some(), "{later}");
        }
        assert_eq!(context(&[&format!("cc-{TRACE}-{PARENT}-01.more")]), None);
    }

    #[test]
    fn invalid_headers_have_no_trace() {
        let right = format!("00-{TRACE}-{PARENT}-01");
        let [zero_trace, zero_parent] = ["0".repeat(32), "0".repeat(16)];
        for wrong in [
            String::new(),
            format!("{right}-"),
            format!("{right}-extra"),
            format!("{right} "),
            format!("ff-{TRACE}-{PARENT}-01"),
            format!("0-{TRACE}-{PARENT}-001"),
            format!("00-{}-{PARENT}-01", TRACE.to_uppercase()),
            format!("00-{TRACE}-{}-01", PARENT.to_uppercase()),
            format!("00-{TRACE}-{PARENT}-0A"),
            format!("0A-{TRACE}-{PARENT}-01"),
            format!("00-{TRACE}-{PARENT}-0g"),
            format!("00-{zero_trace}-{PARENT}-01"),
            format!("00-{TRACE}-{zero_parent}-01"),
            format!("00-{TRACE}{PARENT}-01-"),
            format!("00_{TRACE}_{PARENT}_01"),
            right[..54].to_owned(),
        ] {
            assert_eq!(context(&[&wrong]), None, "{wrong}");
        }
        assert_eq!(context(&[&right, &right]), None, "said twice");
        assert_eq!(context(&[]), None);
    }
}
