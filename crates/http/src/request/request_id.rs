//! The request id, which identifies a request in the log.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

/// The header that carries the request id, in requests and responses.
pub(crate) static X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id of a request: the client's own, or a generated one.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    /// Returns the client's id if it is 1 to 64 characters of `A-Z a-z 0-9 . _ -`, else a random one.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        let from_client = headers.get(&X_REQUEST_ID).filter(|value| is_plain(value.as_bytes()));
        Self(from_client.cloned().unwrap_or_else(random_id))
    }

    /// Returns the id as text.
    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// Returns the id as a header value.
    pub(crate) fn to_header(&self) -> HeaderValue {
        self.0.clone()
    }
}

fn is_plain(text: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    (1..=64).contains(&text.len()) && text.iter().all(is_plain)
}

fn random_id() -> HeaderValue {
    let mut buffer = Uuid::encode_buffer();
    let text = Uuid::new_v4().simple().encode_lower(&mut buffer);
    HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("unnamed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(received: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(X_REQUEST_ID.clone(), HeaderValue::from_str(received).unwrap());
        RequestId::from_headers(&headers).as_str().to_owned()
    }

    #[test]
    fn valid_request_ids_are_kept_and_others_replaced() {
        for received in ["a", "trace-1.2_3", &"x".repeat(64)] {
            assert_eq!(id(received), received);
        }
        for received in ["", "a b", "<x>", "a\tb", &"x".repeat(65)] {
            assert_eq!(id(received).len(), 32, "{received}");
        }
        assert_ne!(
            RequestId::from_headers(&HeaderMap::new()).as_str(),
            RequestId::from_headers(&HeaderMap::new()).as_str()
        );
    }
}
