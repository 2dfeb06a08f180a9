//! Response header fields.

use serde_json::{Value, json};
use utoipa::openapi::{
    Header, HeaderBuilder, Ref,
    schema::{ObjectBuilder, Type},
};

use crate::{error::Reason, routes::Route};

/// The component name of a header field.
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
const REVALIDATED: Name = "Kept";
const CONTENT_ENCODING: Name = "ContentEncoding";
const UPGRADE: Name = "Upgrade";
const VARY: Name = "Vary";

/// The header field name on the wire.
pub(super) fn field_name(name: Name) -> &'static str {
    match name {
        REQUEST_ID => "x-request-id",
        CACHE_CONTROL | REVALIDATED => "Cache-Control",
        ENTITY_TAG => "ETag",
        CONTENT_ENCODING => "Content-Encoding",
        RATE_LIMIT_POLICY => "RateLimit-Policy",
        RETRY_AFTER => "Retry-After",
        WWW_AUTHENTICATE => "WWW-Authenticate",
        name => name,
    }
}

/// A reference to the component `name`.
pub(super) fn reference(name: Name) -> Ref {
    Ref::new(format!("#/components/headers/{name}"))
}

/// The header fields that any response of `route` may contain.
pub(super) fn of_all(route: Route) -> Vec<Name> {
    let mut names = vec![REQUEST_ID];
    if route.is_operation() || route.requires_admin_token() || route.uses_anonymous_quota() {
        names.extend([RATE_LIMIT, RATE_LIMIT_POLICY]);
    }
    if route.cache_control().is_some() {
        names.push(CACHE_CONTROL);
    }
    if route.is_operation() && route.accepted_credentials().basic {
        names.extend([DEPRECATION, SUNSET]);
    }
    names
}

/// The header fields that a non-error response of `route` may contain.
pub(super) fn success_headers(route: Route) -> Vec<Name> {
    let mut names = of_all(route);
    if is_revalidated(route) {
        names.extend([ENTITY_TAG, REVALIDATED]);
    }
    if route == Route::DocsFile {
        names.extend([CONTENT_ENCODING, VARY]);
    }
    names
}

/// Whether clients may cache responses of `route` and revalidate them.
pub(super) const fn is_revalidated(route: Route) -> bool {
    matches!(route, Route::Docs | Route::DocsFile | Route::LevelsV2)
}

/// The header fields that an error response of `route` with one of these `reasons` may contain.
pub(super) fn refusal_headers(route: Route, status: u16, reasons: &[Reason]) -> Vec<Name> {
    let mut names = of_all(route);
    match status {
        400 if reasons.contains(&Reason::PoolLimit) => names.push(RETRY_AFTER),
        401 => names.push(WWW_AUTHENTICATE),
        405 => names.push(ALLOW),
        426 => names.push(UPGRADE),
        429 | 503 => names.push(RETRY_AFTER),
        _ => {}
    }
    names
}

/// All header components.
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
        .description(Some("Seconds after which the request may be retried."))
        .example(Some(json!(2)))
        .build();
    vec![
        (
            REQUEST_ID,
            text(
                "The request id of the client if it is 1 to 64 of these characters, otherwise a generated one.",
                "^[A-Za-z0-9._-]{1,64}$",
                json!("5f0c1c8e-6a39-4d3f-9a53-0f4c9cf0b1a7"),
            ),
        ),
        (
            CACHE_CONTROL,
            text(
                "`no-store` for operations; `no-cache` for the files of the operator's page, which are revalidated \
                 each time.",
                "^no-(store|cache)$",
                json!("no-store"),
            ),
        ),
        (UPGRADE, text("The required protocol.", "^websocket$", json!("websocket"))),
        (
            DEPRECATION,
            text(
                "Only for requests with Basic credentials: the time since which Basic is deprecated (RFC 9745).",
                "^@[0-9]+$",
                json!("@1767225600"),
            ),
        ),
        (
            SUNSET,
            text(
                "Only for requests with Basic credentials: the time at which Basic ends (RFC 8594), if one is set.",
                "^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$",
                json!("Sun, 06 Nov 2044 08:49:37 GMT"),
            ),
        ),
        (
            RATE_LIMIT,
            text(
                "Only if a rate limit applies: the number of requests left, and the seconds until one more is \
                 available (draft-ietf-httpapi-ratelimit-headers-10).",
                "^\"[a-z]+(-[a-z]+)*\";r=[0-9]+;t=[0-9]+$",
                json!("\"anonymous\";r=19;t=1"),
            ),
        ),
        (
            RATE_LIMIT_POLICY,
            text(
                "Only if a rate limit applies: the burst size, and the seconds in which an empty quota refills \
                 completely; without `w` the number allowed at a time.",
                "^\"[a-z]+(-[a-z]+)*\";q=[0-9]+(;w=[0-9]+)?$",
                json!("\"anonymous\";q=20;w=4"),
            ),
        ),
        (
            ENTITY_TAG,
            text(
                "Entity tag of the response body (RFC 9110, section 8.8.3).",
                "^\"[0-9a-f]{32}\"$",
                json!("\"9f86d081884c7d659a2feaa0c55ad015\""),
            ),
        ),
        (REVALIDATED, text("A cached copy has to be revalidated before it is used.", "^no-cache$", json!("no-cache"))),
        (CONTENT_ENCODING, text("The compression of the body, if any.", "^gzip$", json!("gzip"))),
        (VARY, text("Compression depends on the request.", "^accept-encoding$", json!("accept-encoding"))),
        (RETRY_AFTER, seconds),
        (ALLOW, text("The methods that the path supports.", "^[A-Z]+(, [A-Z]+)*$", json!("GET"))),
        (
            WWW_AUTHENTICATE,
            text(
                "One challenge for each accepted scheme.",
                "^(ApiKey|Basic|Bearer) realm=",
                json!("ApiKey realm=\"Firmquote\", header=\"x-api-key\""),
            ),
        ),
    ]
}
