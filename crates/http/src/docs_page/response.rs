//! Responses for embedded files: content negotiation and conditional requests.

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, EntityTag, HeaderValue, VARY},
};

use super::file::EmbeddedFile;
use crate::compression::accepts_gzip;
use crate::entity_tag::matches_etag;
use crate::error::ApiError;

/// Clients may cache the file but must revalidate it, because it may change with an update of the service.
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

impl EmbeddedFile {
    /// Returns the response to `request` for this file (RFC 9110, sections 12.5.3 and 13.1.2).
    ///
    /// # Errors
    /// [`ApiError::Internal`] if the embedded file is corrupt.
    pub(crate) fn respond(&self, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
        let is_compressed = self.is_compressed() && !self.is_inflated_for(request);
        let content = if is_compressed {
            self.as_stored()
        } else {
            self.inflated().map_err(|error| ApiError::Internal(error.to_string()))?
        };
        if matches_etag(request, &content.tag) {
            return Ok(self.head(HttpResponse::NotModified(), content.tag).finish());
        }
        let mut response = self.head(HttpResponse::Ok(), content.tag);
        response.insert_header((CONTENT_TYPE, self.content_type()));
        if is_compressed {
            response.insert_header((CONTENT_ENCODING, HeaderValue::from_static("gzip")));
        }
        Ok(response.body(content.bytes))
    }

    /// Whether the response to `request` carries the file decompressed, several times its compressed size.
    fn is_inflated_for(&self, request: &HttpRequest) -> bool {
        self.is_compressed() && !accepts_gzip(request)
    }

    /// Adds the headers that the response carries with or without the file.
    fn head(&self, mut response: HttpResponseBuilder, tag: EntityTag) -> HttpResponseBuilder {
        response.insert_header((ETAG, tag)).insert_header((CACHE_CONTROL, NO_CACHE));
        if self.is_compressed() {
            response.insert_header((VARY, HeaderValue::from_static("accept-encoding")));
        }
        response
    }
}
