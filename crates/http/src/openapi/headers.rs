//! Response header fields.

use serde_json::{Value, json};
use strum::{IntoStaticStr, VariantArray};
use utoipa::openapi::{
    Header, HeaderBuilder, Ref, ResponseBuilder,
    schema::{ObjectBuilder, Type},
};

use crate::{
    endpoints::{Endpoint, Operation, SuccessBody},
    error::Reason,
};

/// A header component, named like its variant.
#[derive(Clone, Copy, IntoStaticStr, VariantArray)]
#[strum(const_into_str)]
pub(super) enum HeaderField {
    RequestId,
    CacheControl,
    CacheControlRevalidate,
    Deprecation,
    Sunset,
    RateLimit,
    RateLimitPolicy,
    EntityTag,
    ContentEncoding,
    Vary,
    RetryAfter,
    Allow,
    WwwAuthenticate,
}

/// The values of a header field.
enum Format {
    Text { pattern: &'static str, example: &'static str },
    Seconds,
}

impl HeaderField {
    /// Returns the name of the component.
    pub(super) const fn component(self) -> &'static str {
        self.into_str()
    }

    /// Returns the description of the component.
    pub(super) fn header(self) -> Header {
        let (schema, example) = match self.format() {
            Format::Text { pattern, example } => {
                (ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)), Value::from(example))
            }
            Format::Seconds => (ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)), json!(2)),
        };
        HeaderBuilder::new().schema(Some(schema)).description(Some(self.about())).example(Some(example)).build()
    }

    /// Returns the name on the wire.
    const fn name(self) -> &'static str {
        match self {
            Self::RequestId => "x-request-id",
            Self::CacheControl | Self::CacheControlRevalidate => "Cache-Control",
            Self::Deprecation => "Deprecation",
            Self::Sunset => "Sunset",
            Self::RateLimit => "RateLimit",
            Self::RateLimitPolicy => "RateLimit-Policy",
            Self::EntityTag => "ETag",
            Self::ContentEncoding => "Content-Encoding",
            Self::Vary => "Vary",
            Self::RetryAfter => "Retry-After",
            Self::Allow => "Allow",
            Self::WwwAuthenticate => "WWW-Authenticate",
        }
    }

    const fn about(self) -> &'static str {
        match self {
            Self::RequestId => {
                "The request id of the client if it is 1 to 64 of these characters, otherwise a generated one."
            }
            Self::CacheControl => {
                "`no-store` for operations; `no-cache` for the files of the operator's page, which are revalidated \
                 each time."
            }
            Self::CacheControlRevalidate => "Revalidate a cached copy before use.",
            Self::Deprecation => {
                "Only for requests with Basic credentials: the time since which Basic is deprecated (RFC 9745)."
            }
            Self::Sunset => {
                "Only for requests with Basic credentials: the time at which Basic ends (RFC 8594), if one is set."
            }
            Self::RateLimit => {
                "Only if a rate limit applies: the number of requests left, and the seconds until one more is \
                 available (draft-ietf-httpapi-ratelimit-headers-10)."
            }
            Self::RateLimitPolicy => {
                "Only if a rate limit applies: the burst size, and the seconds in which an empty quota refills \
                 completely; without `w`, the maximum number at a time, such as of streams."
            }
            Self::EntityTag => "Entity tag of the response body (RFC 9110, section 8.8.3); weak for a compressed one.",
            Self::ContentEncoding => "The compression of the body, if any.",
            Self::Vary => "The body is compressed if the client accepts gzip.",
            Self::RetryAfter => "Seconds after which the request may be retried.",
            Self::Allow => "The methods that the path supports.",
            Self::WwwAuthenticate => "One challenge for each accepted scheme.",
        }
    }

    const fn format(self) -> Format {
        let (pattern, example) = match self {
            Self::RequestId => ("^[A-Za-z0-9._-]{1,64}$", "5f0c1c8e-6a39-4d3f-9a53-0f4c9cf0b1a7"),
            Self::CacheControl => ("^no-(store|cache)$", "no-store"),
            Self::CacheControlRevalidate => ("^no-cache$", "no-cache"),
            Self::Deprecation => ("^@[0-9]+$", "@1767225600"),
            Self::Sunset => (
                "^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$",
                "Sun, 06 Nov 2044 08:49:37 GMT",
            ),
            Self::RateLimit => ("^\"[a-z]+(-[a-z]+)*\";r=[0-9]+;t=[0-9]+$", "\"anonymous\";r=19;t=1"),
            Self::RateLimitPolicy => ("^\"[a-z]+(-[a-z]+)*\";q=[0-9]+(;w=[0-9]+)?$", "\"anonymous\";q=20;w=4"),
            Self::EntityTag => ("^(W/)?\"[0-9a-f]{32}\"$", "\"9f86d081884c7d659a2feaa0c55ad015\""),
            Self::ContentEncoding => ("^gzip$", "gzip"),
            Self::Vary => ("^accept-encoding$", "accept-encoding"),
            Self::RetryAfter => return Format::Seconds,
            Self::Allow => ("^[A-Z]+(, [A-Z]+)*$", "GET"),
            Self::WwwAuthenticate => {
                ("^(ApiKey|Basic|Bearer) realm=", "ApiKey realm=\"Firmquote\", header=\"x-api-key\"")
            }
        };
        Format::Text { pattern, example }
    }
}

/// Adds references to the components of `fields` to a response.
pub(super) fn add_headers(response: ResponseBuilder, fields: Vec<HeaderField>) -> ResponseBuilder {
    fields.into_iter().fold(response, |response, field| {
        response.header_ref(field.name(), Ref::new(format!("#/components/headers/{}", field.component())))
    })
}

/// The header fields that any response of `endpoint` may contain.
pub(super) fn common_headers(endpoint: &Endpoint) -> Vec<HeaderField> {
    let mut fields = vec![HeaderField::RequestId];
    if endpoint.is_operation() || endpoint.access.required_role().is_some() || endpoint.uses_anonymous_quota() {
        fields.extend([HeaderField::RateLimit, HeaderField::RateLimitPolicy]);
    }
    if endpoint.cache_control.is_some() {
        fields.push(HeaderField::CacheControl);
    }
    if endpoint.access.accepted_credentials().basic {
        fields.extend([HeaderField::Deprecation, HeaderField::Sunset]);
    }
    fields
}

/// The header fields that a non-error response of `endpoint` may contain.
pub(super) fn success_headers(endpoint: &Endpoint, described: &Operation) -> Vec<HeaderField> {
    let mut fields = common_headers(endpoint);
    if described.is_revalidated {
        fields.extend([HeaderField::EntityTag, HeaderField::CacheControlRevalidate]);
    }
    if !matches!(described.body, SuccessBody::Text(_)) {
        fields.extend([HeaderField::ContentEncoding, HeaderField::Vary]);
    }
    fields
}

/// The header fields that an error response of `endpoint` with one of these `reasons` may contain.
pub(super) fn error_headers(endpoint: &Endpoint, status: u16, reasons: &[Reason]) -> Vec<HeaderField> {
    let mut fields = common_headers(endpoint);
    match status {
        400 if reasons.contains(&Reason::PoolLimit) => fields.push(HeaderField::RetryAfter),
        401 => fields.push(HeaderField::WwwAuthenticate),
        405 => fields.push(HeaderField::Allow),
        429 | 503 => fields.push(HeaderField::RetryAfter),
        _ => {}
    }
    fields
}
