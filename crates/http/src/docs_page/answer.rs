//! A file as an answer: in the coding that the client takes, or not at all if it has the file already.

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::header::{
        AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, Encoding, EntityTag, Header as _,
        HeaderValue, IfNoneMatch, VARY,
    },
};

use super::file::File;
use crate::error::ApiError;

/// A client may keep the file, and asks whether it is still the same: after an update of the service it is not.
const KEPT: HeaderValue = HeaderValue::from_static("no-cache");

impl File {
    /// The answer to `request` for this file (RFC 9110, sections 12.5.3 and 13.1.2).
    ///
    /// # Errors
    /// [`ApiError::Internal`] if the binary holds a broken file.
    pub(crate) fn answer(&self, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
        let is_compressed = self.is_compressed() && !self.is_inflated_for(request);
        let content = if is_compressed {
            self.as_stored()
        } else {
            self.inflated().map_err(|error| ApiError::Internal(error.to_string()))?
        };
        let tag = EntityTag::new_strong(content.tag);
        if has(request, &tag) {
            return Ok(self.head(HttpResponse::NotModified(), tag).finish());
        }
        let mut response = self.head(HttpResponse::Ok(), tag);
        response.insert_header((CONTENT_TYPE, self.content_type()));
        if is_compressed {
            response.insert_header((CONTENT_ENCODING, HeaderValue::from_static("gzip")));
        }
        Ok(response.body(content.bytes))
    }

    /// Whether the answer to `request` carries the file without the content coding that it has, several times as long.
    fn is_inflated_for(&self, request: &HttpRequest) -> bool {
        self.is_compressed() && !takes_gzip(request)
    }

    /// What an answer says of the file whether or not it carries it.
    fn head(&self, mut response: HttpResponseBuilder, tag: EntityTag) -> HttpResponseBuilder {
        response.insert_header((ETAG, tag)).insert_header((CACHE_CONTROL, KEPT));
        if self.is_compressed() {
            response.insert_header((VARY, HeaderValue::from_static("accept-encoding")));
        }
        response
    }
}

/// Whether the client would rather have the file compressed. One that says nothing, or what nobody understands, would not.
fn takes_gzip(request: &HttpRequest) -> bool {
    let accepted = AcceptEncoding::parse(request).ok();
    let chosen = accepted.and_then(|accepted| accepted.negotiate([Encoding::gzip(), Encoding::identity()].iter()));
    chosen == Some(Encoding::gzip())
}

/// Whether the client has the file that `tag` stands for.
fn has(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(tag)),
        Err(_) => false,
    }
}
