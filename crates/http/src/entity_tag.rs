//! Entity tags of responses, and conditional requests (RFC 9110, sections 8.8.3 and 13.1.2).

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{CONTENT_TYPE, ETAG, EntityTag, Header as _, HeaderValue, IfNoneMatch, VARY},
    web::Bytes,
};
use alloy_primitives::hex;
use sha2::{Digest as _, Sha256};

use crate::wire::json::JSON;

/// Returns the strong entity tag of a body: the first half of its SHA-256.
pub(crate) fn entity_tag(body: &[u8]) -> EntityTag {
    let hash: [u8; 32] = Sha256::digest(body).into();
    let (half, _) = hash.split_at(16);
    EntityTag::new_strong(hex::encode(half))
}

/// Whether the client has the body with this `tag`.
pub(crate) fn matches_etag(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|listed| listed.weak_eq(tag)),
        Err(_) => false,
    }
}

/// Returns the JSON in `body`, or that the client has it already.
pub(crate) fn json_unless_known(request: &HttpRequest, body: impl Into<Bytes>, tag: EntityTag) -> HttpResponse {
    if matches_etag(request, &tag) {
        // As the body would have: what the client has may be compressed (RFC 9110, section 15.4.5).
        let vary = (VARY, HeaderValue::from_static("accept-encoding"));
        return HttpResponse::NotModified().insert_header((ETAG, tag)).insert_header(vary).finish();
    }
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).insert_header((ETAG, tag)).body(body.into())
}
