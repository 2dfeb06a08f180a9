//! The page at `/docs` that shows `/openapi.json` and sends requests from it: Swagger UI, served from the binary.
//!
//! Everything it loads has a name here; links are relative, so that the page holds behind a proxy that adds a path.

mod answer;
mod file;

use actix_web::http::header::HeaderValue;

pub(crate) use self::file::File;
use self::file::MediaType;

/// The page runs the scripts that come with it and speaks with the server it comes from, nothing else: no script of an
/// answer, no other host, no form that leaves, no frame. Pictures are in its style sheet.
pub(crate) const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'",
);

/// The page itself.
pub(crate) static PAGE: File = File::plain("", MediaType::Html, include_bytes!("../../viewer/page.html"));

/// What the page loads, and the licences of what is not ours.
pub(crate) static FILES: [File; 7] = [
    File::compressed("swagger-ui-bundle.js", MediaType::Script, include_bytes!("../../viewer/swagger-ui-bundle.js.gz")),
    File::compressed("swagger-ui.css", MediaType::Style, include_bytes!("../../viewer/swagger-ui.css.gz")),
    File::plain("start.js", MediaType::Script, include_bytes!("../../viewer/start.js")),
    File::plain("style.css", MediaType::Style, include_bytes!("../../viewer/style.css")),
    File::plain(
        "swagger-ui-bundle.js.LICENSE.txt",
        MediaType::Text,
        include_bytes!("../../viewer/swagger-ui-bundle.js.LICENSE.txt"),
    ),
    File::plain("LICENSE", MediaType::Text, include_bytes!("../../viewer/LICENSE")),
    File::plain("NOTICE", MediaType::Text, include_bytes!("../../viewer/NOTICE")),
];

/// The file of this name, if there is one.
pub(crate) fn file(name: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.name() == name)
}
