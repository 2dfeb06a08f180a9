//! Reads the body of a request, bounded in size and in time.

use std::time::Duration;

use actix_http::{
    Payload,
    body::{BodyStream, MessageBody, SizedStream, to_bytes_limited},
};
use actix_web::{
    http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap},
    rt::time::timeout,
    web::Bytes,
};

use crate::{
    error::ApiError,
    input::{Echo, InvalidInput, InvalidKind},
};

/// The largest accepted body, in bytes. The largest realistic one has a few hundred.
pub const MAX_BODY_BYTES: usize = 16 * 1_024;

const TOO_LARGE: ApiError = ApiError::BodyTooLarge { limit: MAX_BODY_BYTES };

/// Returns the `Content-Length`, if there is one, of a body that may be read: JSON, and not too large.
///
/// # Errors
/// [`ApiError::UnsupportedMediaType`] for another content type or a content coding, [`ApiError::BodyTooLarge`] above
/// [`MAX_BODY_BYTES`].
pub(crate) fn content_length(headers: &HeaderMap) -> Result<Option<usize>, ApiError> {
    if !is_plain_json(headers) {
        return Err(ApiError::UnsupportedMediaType);
    }
    let length = parse_content_length(headers);
    if length.is_some_and(|length| length > MAX_BODY_BYTES) { Err(TOO_LARGE) } else { Ok(length) }
}

/// Reads the whole body, of length `content_length` if that is known. It has to arrive within `allowed`.
///
/// # Errors
/// [`ApiError::BodyTooLarge`] above [`MAX_BODY_BYTES`], [`ApiError::BodyTooSlow`] after `allowed`,
/// [`ApiError::InvalidInput`] when the body is truncated or badly framed.
pub(crate) async fn read(
    payload: Payload,
    content_length: Option<usize>,
    allowed: Duration,
) -> Result<Bytes, ApiError> {
    let reading = async {
        // A known length allows an exact allocation.
        match content_length.and_then(|length| u64::try_from(length).ok()) {
            Some(length) => read_to_end(SizedStream::new(length, payload)).await,
            None => read_to_end(BodyStream::new(payload)).await,
        }
    };
    timeout(allowed, reading).await.map_err(|_| ApiError::BodyTooSlow)?
}

async fn read_to_end(body: impl MessageBody) -> Result<Bytes, ApiError> {
    let read = to_bytes_limited(body, MAX_BODY_BYTES).await;
    read.map_err(|_| TOO_LARGE)?.map_err(|_| truncated_body())
}

/// Returns whether the content type is `application/json`, with any parameters, and the body is not compressed.
pub(crate) fn is_plain_json(headers: &HeaderMap) -> bool {
    let is_json = headers.get(CONTENT_TYPE).is_some_and(|value| {
        let value = value.as_bytes();
        let essence = value.split(|byte| *byte == b';').next().unwrap_or(value);
        essence.trim_ascii().eq_ignore_ascii_case(b"application/json")
    });
    is_json && headers.get(CONTENT_ENCODING).is_none_or(|value| value.as_bytes().eq_ignore_ascii_case(b"identity"))
}

fn parse_content_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn truncated_body() -> ApiError {
    ApiError::InvalidInput(vec![InvalidInput {
        kind: InvalidKind::JsonInvalid,
        path: Vec::new(),
        message: "the body is truncated or does not match its framing".into(),
        input: Echo::Absent,
    }])
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn json_content_types_are_case_insensitive_and_may_have_parameters() {
        let says = |content_type: &str, coding: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_str(content_type).unwrap());
            if let Some(coding) = coding {
                headers.insert(CONTENT_ENCODING, HeaderValue::from_str(coding).unwrap());
            }
            is_plain_json(&headers)
        };
        assert!(says("application/json", None));
        assert!(says("Application/JSON ; charset=utf-8", Some("identity")));
        for content_type in ["", "text/json", "application/json5", "application/problem+json", "text/plain"] {
            assert!(!says(content_type, None), "{content_type}");
        }
        assert!(!says("application/json", Some("gzip")));
        assert!(!is_plain_json(&HeaderMap::new()));
    }
}
