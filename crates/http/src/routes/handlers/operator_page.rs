//! The operator's page: a document, a style sheet and modules, all embedded in the binary.

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue},
};

use crate::{error::ApiError, request::RequestContext};

/// Restricts the page to its own modules and the routes of its own listener: external text remains text even if the
/// page has a bug.
const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const CSS: HeaderValue = HeaderValue::from_static("text/css; charset=utf-8");
const JAVASCRIPT: HeaderValue = HeaderValue::from_static("text/javascript; charset=utf-8");

/// Embeds the modules, by name.
macro_rules! scripts {
    ($($name:literal),+ $(,)?) => {
        /// Names of the modules.
        pub(crate) const SCRIPT_NAMES: &[&str] = &[$($name),+];
        const SCRIPTS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../assets/operator/", $name, ".js")))),+];
    };
}

scripts!(
    "access",
    "api",
    "book",
    "chart",
    "composition",
    "confirmation",
    "curve",
    "dom",
    "levels",
    "main",
    "numbers",
    "pools",
    "prices",
    "scale",
    "signatures"
);

/// Returns the document.
pub(crate) async fn page() -> HttpResponse {
    let mut response = asset(HTML, include_str!("../../../assets/operator/index.html"));
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, PAGE_POLICY);
    response
}

/// Returns the style sheet.
pub(crate) async fn style() -> HttpResponse {
    asset(CSS, include_str!("../../../assets/operator/style.css"))
}

/// Returns one of the modules.
pub(crate) async fn script(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let (_, text) = SCRIPTS.iter().find(|(name, _)| *name == context.parameter()).ok_or(ApiError::NoRoute)?;
    Ok(asset(JAVASCRIPT, text))
}

fn asset(content_type: HeaderValue, text: &'static str) -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, content_type)).body(text)
}
