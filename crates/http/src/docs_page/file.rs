//! Files embedded in the binary, stored plain or compressed.

use std::{
    io::{self, Read as _},
    sync::OnceLock,
};

use actix_web::{
    http::header::{EntityTag, HeaderValue},
    web::Bytes,
};
use flate2::read::GzDecoder;

use crate::entity_tag::entity_tag;

/// The media type of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MediaType {
    Html,
    Script,
    Style,
    Text,
}

impl MediaType {
    /// Returns the value of `Content-Type`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Script => "text/javascript; charset=utf-8",
            Self::Style => "text/css; charset=utf-8",
            Self::Text => "text/plain; charset=utf-8",
        }
    }
}

/// The bytes of a response, and their entity tag.
#[derive(Clone)]
pub(super) struct Content {
    pub(super) bytes: Bytes,
    pub(super) tag: EntityTag,
}

/// An embedded file. Its bytes are never copied for a request.
pub(crate) struct EmbeddedFile {
    name: &'static str,
    media_type: MediaType,
    stored: &'static [u8],
    is_compressed: bool,
    as_stored: OnceLock<Content>,
    /// Decompressed on the first request of a client that does not accept gzip; browsers do.
    inflated: OnceLock<Content>,
}

impl EmbeddedFile {
    /// Creates a file that is stored uncompressed because it is small.
    pub(super) const fn plain(name: &'static str, media_type: MediaType, stored: &'static [u8]) -> Self {
        Self::new(name, media_type, stored, false)
    }

    /// Creates a file that is stored compressed with gzip.
    pub(super) const fn compressed(name: &'static str, media_type: MediaType, stored: &'static [u8]) -> Self {
        Self::new(name, media_type, stored, true)
    }

    const fn new(name: &'static str, media_type: MediaType, stored: &'static [u8], is_compressed: bool) -> Self {
        Self { name, media_type, stored, is_compressed, as_stored: OnceLock::new(), inflated: OnceLock::new() }
    }

    /// Returns the last segment of the path.
    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the media type.
    pub(crate) const fn media_type(&self) -> MediaType {
        self.media_type
    }

    /// Whether the file is stored with the content coding gzip.
    pub(super) const fn is_compressed(&self) -> bool {
        self.is_compressed
    }

    /// Returns the value of `Content-Type`.
    pub(super) const fn content_type(&self) -> HeaderValue {
        HeaderValue::from_static(self.media_type.name())
    }

    /// Returns the file as stored in the binary.
    pub(super) fn as_stored(&self) -> Content {
        self.as_stored.get_or_init(|| content(Bytes::from_static(self.stored))).clone()
    }

    /// Returns the file without content coding.
    ///
    /// # Errors
    /// [`io::Error`] if the stored bytes are not valid gzip.
    pub(super) fn inflated(&self) -> io::Result<Content> {
        if !self.is_compressed {
            return Ok(self.as_stored());
        }
        if let Some(content) = self.inflated.get() {
            return Ok(content.clone());
        }
        let mut bytes = Vec::new();
        GzDecoder::new(self.stored).read_to_end(&mut bytes)?;
        Ok(self.inflated.get_or_init(|| content(bytes.into())).clone())
    }
}

fn content(bytes: Bytes) -> Content {
    let tag = entity_tag(&bytes);
    Content { bytes, tag }
}
