//! The API browser at `/docs`: Swagger UI, served from the binary, which shows `/openapi.json` and sends requests.
//!
//! Everything it loads is listed here. Links are relative, so the page works behind a proxy that adds a path prefix.

mod examples;
mod file;
mod response;

use actix_web::http::header::HeaderValue;

use self::file::MediaType;
pub(crate) use self::{examples::examples, file::EmbeddedFile};

/// Content security policy of the page: it runs only its own scripts and connects only to its own server. No inline
/// scripts, other hosts, form submissions or framing. Images are embedded in its style sheet.
pub(crate) const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'",
);

/// The HTML page.
pub(crate) static PAGE: EmbeddedFile =
    EmbeddedFile::plain("", MediaType::Html, include_bytes!("../../viewer/page.html"));

/// The files that the page loads, and the licenses of third-party files.
pub(crate) static FILES: [EmbeddedFile; 7] = [
    EmbeddedFile::compressed(
        "swagger-ui-bundle.js",
        MediaType::Script,
        include_bytes!("../../viewer/swagger-ui-bundle.js.gz"),
    ),
    EmbeddedFile::compressed("swagger-ui.css", MediaType::Style, include_bytes!("../../viewer/swagger-ui.css.gz")),
    EmbeddedFile::plain("start.js", MediaType::Script, include_bytes!("../../viewer/start.js")),
    EmbeddedFile::plain("style.css", MediaType::Style, include_bytes!("../../viewer/style.css")),
    EmbeddedFile::plain(
        "swagger-ui-bundle.js.LICENSE.txt",
        MediaType::Text,
        include_bytes!("../../viewer/swagger-ui-bundle.js.LICENSE.txt"),
    ),
    EmbeddedFile::plain("LICENSE", MediaType::Text, include_bytes!("../../viewer/LICENSE")),
    EmbeddedFile::plain("NOTICE", MediaType::Text, include_bytes!("../../viewer/NOTICE")),
];

/// Returns the file with this name, if any.
pub(crate) fn file(name: &str) -> Option<&'static EmbeddedFile> {
    FILES.iter().find(|file| file.name() == name)
}
