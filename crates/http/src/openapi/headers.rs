//! Header fields of answers.

use serde_json::{Value, json};
use utoipa::openapi::{
    Header, HeaderBuilder, Ref,
    schema::{ObjectBuilder, Type},
};

use crate::{error::Reason, routes::Route};

/// A described field, by the name of its component.
pub(super) type Name = &'static str;

const REQUEST_ID: Name = "RequestId";
const CACHE_CONTROL: Name = "CacheControl";
const DEPRECATION: Name = "Deprecation";
const SUNSET: Name = "Sunset";
const RATE_LIMIT: Name = "RateLimit";
const RATE_LIMIT_POLICY: Name = "RateLimitPolicy";
const RETRY_AFTER: Name = "RetryAfter";
const ALLOW: Name = "Allow";
const WWW_AUTHENTICATE: Name = "WwwAuthenticate";
const ENTITY_TAG: Name = "EntityTag";
const KEPT: Name = "Kept";
const CONTENT_ENCODING: Name = "ContentEncoding";
const VARY: Name = "Vary";

/// The name on the wire.
pub(super) fn field_name(name: Name) -> &'static str {
    match name {
        REQUEST_ID => "x-request-id",
        CACHE_CONTROL | KEPT => "Cache-Control",
        ENTITY_TAG => "ETag",
        CONTENT_ENCODING => "Content-Encoding",
        RATE_LIMIT_POLICY => "RateLimit-Policy",
        RETRY_AFTER => "Retry-After",
        WWW_AUTHENTICATE => "WWW-Authenticate",
        name => name,
    }
}

/// The component of this name.
pub(super) fn reference(name: Name) -> Ref {
    Ref::new(format!("#/components/headers/{name}"))
}

/// What every answer of `route` may carry.
pub(super) fn of_all(route: Route) -> Vec<Name> {
    let mut names = vec![REQUEST_ID];
    if route.is_operation() || route.is_operators() || route.is_counted() {
        names.extend([RATE_LIMIT, RATE_LIMIT_POLICY]);
    }
    if route.cache_control().is_some() {
        names.push(CACHE_CONTROL);
    }
    if route.is_operation() && route.accepted().basic {
        names.extend([DEPRECATION, SUNSET]);
    }
    names
}

/// What an answer of `route` that is no error may carry.
pub(super) fn of_success(route: Route) -> Vec<Name> {
    let mut names = of_all(route);
    if is_kept(route) {
        names.extend([ENTITY_TAG, KEPT]);
    }
    if route == Route::DocsFile {
        names.extend([CONTENT_ENCODING, VARY]);
    }
    names
}

/// Whether clients may keep what `route` answers, and ask whether it is still the same.
pub(super) const fn is_kept(route: Route) -> bool {
    matches!(route, Route::Docs | Route::DocsFile)
}

/// What an answer of `route` with one of these `reasons` may carry.
pub(super) fn of_refusal(route: Route, status: u16, reasons: &[Reason]) -> Vec<Name> {
    let mut names = of_all(route);
    match status {
        400 if reasons.contains(&Reason::PoolLimit) => names.push(RETRY_AFTER),
        401 => names.push(WWW_AUTHENTICATE),
        405 => names.push(ALLOW),
        429 | 503 => names.push(RETRY_AFTER),
        _ => {}
    }
    names
}

/// All of them.
pub(super) fn all() -> Vec<(Name, Header)> {
    let text = |about: &str, pattern: &str, example: Value| {
        HeaderBuilder::new()
            .schema(Some(ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern))))
            .description(Some(about))
            .example(Some(example))
            .build()
    };
    let seconds = HeaderBuilder::new()
        .schema(Some(ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1))))
        .description(Some("Seconds after which the request may be sent again."))
        .example(Some(json!(2)))
        .build();
    vec![
        (
            REQUEST_ID,
            text(
                "The client's, if it is 1 to 64 of these characters, else a new one.",
                "^[A-Za-z0-9._-]{1,64}$",
                json!("5f0c1c8e-6a39-4d3f-9a53-0f4c9cf0b1a7"),
            ),
        ),
        (
            CACHE_CONTROL,
            text(
                "Nobody keeps an answer of an operation; the operator's page is asked for anew each time.",
                "^no-(store|cache)$",
                json!("no-store"),
            ),
        ),
        (
            DEPRECATION,
            text(
                "Only to requests with Basic credentials: since when Basic is deprecated (RFC 9745).",
                "^@[0-9]+$",
                json!("@1767225600"),
            ),
        ),
        (
            SUNSET,
            text(
                "Only to requests with Basic credentials: when Basic ends (RFC 8594), if that is decided.",
                "^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$",
                json!("Sun, 06 Nov 2044 08:49:37 GMT"),
            ),
        ),
        (
            RATE_LIMIT,
            text(
                "To whoever is limited: how many requests are left, and the seconds until there is one more \
                 (draft-ietf-httpapi-ratelimit-headers-10).",
                "^\"(anonymous|anonymous-signatures|failed-logins|credential)\";r=[0-9]+;t=[0-9]+$",
                json!("\"anonymous\";r=19;t=1"),
            ),
        ),
        (
            RATE_LIMIT_POLICY,
            text(
                "To whoever is limited: so many requests at once, and the seconds in which all of them are there again.",
                "^\"(anonymous|anonymous-signatures|failed-logins|credential)\";q=[0-9]+;w=[0-9]+$",
                json!("\"anonymous\";q=20;w=4"),
            ),
        ),
        (
            ENTITY_TAG,
            text(
                "Stands for what is answered (RFC 9110, section 8.8.3).",
                "^\"[0-9a-f]{32}\"$",
                json!("\"9f86d081884c7d659a2feaa0c55ad015\""),
            ),
        ),
        (KEPT, text("What is kept is asked for again before it is used.", "^no-cache$", json!("no-cache"))),
        (CONTENT_ENCODING, text("How it is compressed, if it is.", "^gzip$", json!("gzip"))),
        (VARY, text("Whether it is compressed depends on the request.", "^accept-encoding$", json!("accept-encoding"))),
        (RETRY_AFTER, seconds),
        (ALLOW, text("The methods that the path answers.", "^[A-Z]+(, [A-Z]+)*$", json!("GET"))),
        (
            WWW_AUTHENTICATE,
            text(
                "A challenge for each scheme that would do.",
                "^(ApiKey|Basic|Bearer) realm=",
                json!("ApiKey realm=\"Firmquote\", header=\"x-api-key\""),
            ),
        ),
    ]
}
