//! Entity tags of responses, and conditional requests (RFC 9110, sections 8.8.3 and 13.1.2).

use actix_web::{
    HttpRequest,
    http::header::{EntityTag, Header as _, IfNoneMatch},
};
use alloy_primitives::hex;
use sha2::{Digest as _, Sha256};

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
