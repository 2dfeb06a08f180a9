//! The `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header): a client that repeats a request with it
//! gets the first answer.

use actix_web::http::header::HeaderMap;
use firmquote_api::Step;

use crate::{
    error::ApiError,
    input::{Echo, InvalidInput, InvalidKind},
};

/// The name of the header field.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The maximum length of a key.
const MAX_LENGTH: usize = 128;

/// Returns the key, without the quotation marks of a string (RFC 9651), which may be left out; `None` if there is none.
///
/// # Errors
/// [`ApiError::InvalidInput`] for a key that is empty, too long, repeated, or not of visible ASCII characters.
pub(crate) fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    let mut keys = headers.get_all(IDEMPOTENCY_KEY);
    let Some(field) = keys.next() else { return Ok(None) };
    let text = field.to_str().ok().filter(|_| keys.next().is_none());
    let key = text.map(|text| text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text));
    let is_valid = |key: &&str| {
        (1..=MAX_LENGTH).contains(&key.len())
            && key.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\".contains(&byte))
    };
    match key.filter(is_valid) {
        Some(key) => Ok(Some(key)),
        None => Err(ApiError::InvalidInput(vec![InvalidInput {
            kind: InvalidKind::OutOfRange,
            path: vec![Step::Name("Idempotency-Key".into())],
            message: "one key of 1 to 128 visible ASCII characters without quotation marks and backslashes".into(),
            input: Echo::beginning_of(field.as_bytes()),
        }])),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn a_key_is_one_string() {
        let read = |fields: &[&str]| {
            let mut headers = HeaderMap::new();
            for field in fields {
                headers.append(HeaderName::from_static(IDEMPOTENCY_KEY), HeaderValue::from_str(field).unwrap());
            }
            idempotency_key(&headers).map(|key| key.map(str::to_owned))
        };
        assert_eq!(read(&[]).unwrap(), None);
        assert_eq!(read(&["\"8e03978e\""]).unwrap().as_deref(), Some("8e03978e"));
        assert_eq!(read(&["8e03978e"]).unwrap().as_deref(), Some("8e03978e"));
        for fields in [&[""][..], &["\"\""], &["a b"], &["\"a"], &["a\\b"], &["a", "a"], &[&"x".repeat(129)]] {
            assert!(matches!(read(fields), Err(ApiError::InvalidInput(_))), "{fields:?}");
        }
    }
}
