//! Compression of responses that do not fit into a packet, for clients that accept it (RFC 9110, section 12.5.3).

use std::io::{self, Write as _};

use actix_web::{
    HttpRequest, HttpResponse,
    body::{BodySize, BoxBody, MessageBody as _},
    http::{
        StatusCode,
        header::{
            AcceptEncoding, CONTENT_ENCODING, CONTENT_TYPE, ETAG, Encoding, EntityTag, Header as _, HeaderMap,
            HeaderValue, VARY,
        },
    },
};
use flate2::{Compression, write::GzEncoder};

use crate::wire::json::JSON;

/// What fits into one packet beside its headers is not compressed, in bytes.
const MAX_PLAIN_BYTES: u64 = 1_200;

/// Whether the client prefers a compressed body. A client without `Accept-Encoding`, or with an invalid one, does not.
pub(crate) fn accepts_gzip(request: &HttpRequest) -> bool {
    let accepted = AcceptEncoding::parse(request).ok();
    let chosen = accepted.and_then(|accepted| accepted.negotiate([Encoding::gzip(), Encoding::identity()].iter()));
    chosen == Some(Encoding::gzip())
}

/// Compresses the JSON of a successful response that is larger than a packet, if the client accepts that.
pub(crate) fn compress(mut response: HttpResponse, request: &HttpRequest) -> HttpResponse {
    if !is_compressible(&response) {
        return response;
    }
    response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
    if !accepts_gzip(request) {
        return response;
    }
    let (head, body) = response.into_parts();
    match body.try_into_bytes() {
        Ok(plain) => match gzip(&plain) {
            Ok(compressed) => {
                let mut response = head.set_body(BoxBody::new(compressed));
                let headers = response.headers_mut();
                headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                weaken_etag(headers);
                response
            }
            // A vector accepts every write.
            Err(_) => head.set_body(BoxBody::new(plain)),
        },
        Err(body) => head.set_body(body),
    }
}

fn is_compressible(response: &HttpResponse) -> bool {
    matches!(response.body().size(), BodySize::Sized(bytes) if bytes > MAX_PLAIN_BYTES)
        && response.status() == StatusCode::OK
        && response.headers().get(CONTENT_TYPE) == Some(&JSON)
        && !response.headers().contains_key(CONTENT_ENCODING)
}

/// Quickly: a body is made for one request, and most of it is names that repeat.
fn gzip(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::fast());
    encoder.write_all(plain)?;
    encoder.finish()
}

/// A strong entity tag names the bytes of the plain body; a weak one both forms.
fn weaken_etag(headers: &mut HeaderMap) {
    let strong = headers.get(ETAG).and_then(|tag| tag.to_str().ok()?.parse::<EntityTag>().ok());
    let weak =
        strong.and_then(|tag| HeaderValue::from_str(&EntityTag::new_weak(tag.tag().to_owned()).to_string()).ok());
    if let Some(weak) = weak {
        headers.insert(ETAG, weak);
    }
}
