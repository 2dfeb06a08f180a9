//! Cross-origin requests of browser wallets (the CORS protocol of the Fetch Standard), for the origins that the
//! operator configures. Without any, responses have no CORS headers. Credentials in the browser's sense, cookies, are
//! never allowed.

use actix_web::{
    HttpResponse,
    http::{
        Method, StatusCode,
        header::{
            ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
            ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HeaderMap,
            HeaderValue, ORIGIN, VARY,
        },
    },
};
use url::Url;

use super::setting_values::InvalidSetting;
use crate::error::AllowedMethods;

/// Request headers that a page may set in addition to the CORS-safelisted ones.
const ALLOWED_HEADERS: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, idempotency-key, x-api-key, x-request-id, traceparent, tracestate",
);

/// Response headers that a page may read in addition to the CORS-safelisted ones.
const EXPOSED_HEADERS: HeaderValue = HeaderValue::from_static(
    "retry-after, ratelimit, ratelimit-policy, x-request-id, www-authenticate, deprecation, sunset, etag",
);

/// Seconds for which a browser caches a permission; browsers cap it at their own maximum.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

/// The origin of a web page, as browsers write it in `Origin`: `https://wallet.example`, optionally with a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorsOrigin(HeaderValue);

impl CorsOrigin {
    /// Checks that `text` is an origin in exactly the form that browsers send.
    ///
    /// # Errors
    /// [`InvalidSetting::CorsOrigin`] for a path, a trailing slash, a default port, upper case, `*`, `null`, or a
    /// scheme other than http and https.
    pub fn new(text: &str) -> Result<Self, InvalidSetting> {
        let url = Url::parse(text).map_err(|_| InvalidSetting::CorsOrigin)?;
        let is_web = matches!(url.scheme(), "http" | "https") && !text.contains('*');
        let is_exact = is_web && url.origin().ascii_serialization() == text;
        let value = is_exact.then(|| HeaderValue::from_str(text).ok()).flatten();
        value.map(Self).ok_or(InvalidSetting::CorsOrigin)
    }

    /// Returns the one of `origins` that sent a request with `headers`.
    fn find<'o>(origins: &'o [Self], headers: &HeaderMap) -> Option<&'o Self> {
        let origin = headers.get(ORIGIN)?;
        origins.iter().find(|allowed| allowed.0 == *origin)
    }
}

/// Returns the response to a preflight from a page of one of `origins`; `None` if the request is no preflight, or not
/// from such a page.
pub(crate) fn preflight(
    origins: &[CorsOrigin],
    method: &Method,
    headers: &HeaderMap,
    allowed: AllowedMethods,
) -> Option<HttpResponse> {
    let is_preflight = *method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    if !is_preflight || CorsOrigin::find(origins, headers).is_none() {
        return None;
    }
    let mut response = HttpResponse::new(StatusCode::NO_CONTENT);
    let response_headers = response.headers_mut();
    response_headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(allowed.list()));
    response_headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS);
    response_headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    Some(response)
}

/// Adds the headers that let a page of one of `origins` read the response to a request with `request` headers.
pub(crate) fn add_headers(origins: &[CorsOrigin], request: &HeaderMap, response_headers: &mut HeaderMap) {
    if origins.is_empty() {
        return;
    }
    response_headers.append(VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = CorsOrigin::find(origins, request) {
        response_headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.0.clone());
        response_headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_browser_origins_are_valid() {
        for text in
            ["https://wallet.example", "http://localhost:5173", "https://[::1]:8443", "https://xn--bcher-kva.example"]
        {
            assert_eq!(CorsOrigin::new(text).unwrap().0, text);
        }
        for text in [
            "*",
            "null",
            "",
            "wallet.example",
            "https://wallet.example/",
            "https://wallet.example/path",
            "https://Wallet.example",
            "https://bücher.example",
            "https://wallet.example:443",
            "http://wallet.example:80",
            "https://user@wallet.example",
            "https://*.wallet.example",
            "ftp://wallet.example",
            "file:///tmp",
            "https://wallet.example?q",
        ] {
            assert_eq!(CorsOrigin::new(text), Err(InvalidSetting::CorsOrigin), "{text}");
        }
    }
}
