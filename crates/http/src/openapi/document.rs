//! A complete document: the operations of a listener by path and method, and the components they reference.

use serde_json::Value;
use strum::VariantArray as _;
use utoipa::openapi::{
    Components, Contact, ContactBuilder, Deprecated, HttpMethod, InfoBuilder, License, LicenseBuilder, OpenApi,
    OpenApiBuilder, PathItem, PathsBuilder, RefOr, ServerBuilder,
    path::{Operation as OpenApiOperation, OperationBuilder, PathItemBuilder},
    response::ResponsesBuilder,
    tag::{Tag, TagBuilder},
};

use super::{bodies, examples, headers::HeaderField, parameters, reasons, schemas, security, success_responses};
use crate::{
    endpoints::{Endpoint, ListenerRole, NamedSchema, Operation, Purpose},
    error::AllowedMethods,
};

const ABOUT: &str = "Firm quotes for token swaps, and signatures that the pool contract accepts.\n\n\
    **Where to begin.** Enter your API key under *Authorize*. `GET /rfq/v2/chains` lists what is traded, \
    `GET /rfq/v2/quote/{chain_id}` makes a quote, `POST /rfq/v2/sign` signs it, and `GET /rfq/v2/quote-status/{quote_id}` shows what \
    became of the swap.\n\n\
    Amounts are in base units of the token: decimal strings in responses, strings or JSON integers of any size in \
    requests. Unknown members and parameters are ignored, a JSON `null` counts as absent, and a repeated input is an \
    error. Every error is a JSON object with `errorMessage` and `errorType`.";

const ABOUT_ADMIN: &str = "Operations for the operator's own machines. This listener must never be public.";

/// Builds the document of a listener, which serves those of `endpoints` for its role.
pub(super) fn build(role: ListenerRole, endpoints: &[&Endpoint]) -> OpenApi {
    let endpoints: Vec<&Endpoint> = endpoints.iter().copied().filter(|endpoint| endpoint.is_served_by(role)).collect();
    let paths = endpoints.iter().fold(PathsBuilder::new(), |paths, endpoint| match &endpoint.operation {
        Some(described) => paths.path(endpoint.path, path_item(endpoint, described)),
        None => paths,
    });
    let paths = paths.build();
    let mut components = components(&serde_json::to_value(&paths).unwrap_or_default(), &endpoints);
    for (name, scheme) in security::schemes(&endpoints) {
        components.security_schemes.insert(name.to_owned(), RefOr::T(scheme));
    }
    let (title, about) = match role {
        ListenerRole::Admin => ("Firmquote operator API", ABOUT_ADMIN),
        ListenerRole::BothVersions | ListenerRole::Version1 | ListenerRole::Version2 => ("Firmquote", ABOUT),
    };
    let info = InfoBuilder::new()
        .title(title)
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(about))
        .contact(Some(contact()))
        .license(Some(license()));
    OpenApiBuilder::new()
        .info(info)
        // Relative to the document itself, so that it works behind a proxy that adds a path prefix.
        .servers(Some([ServerBuilder::new().url(".").description(Some("The server of this document")).build()]))
        .paths(paths)
        .components(Some(components))
        .tags(Some(tags(&endpoints)))
        .build()
}

fn contact() -> Contact {
    ContactBuilder::new().name(Some("The operator of this service")).build()
}

/// The license of the interface, as an SPDX expression.
fn license() -> License {
    const EXPRESSION: &str = "MIT OR Apache-2.0";
    LicenseBuilder::new().name(EXPRESSION).identifier(Some(EXPRESSION)).build()
}

/// Returns the groups of the operations of `endpoints`, with what they have.
fn tags(endpoints: &[&Endpoint]) -> Vec<Tag> {
    let about = [
        ("version 2", "Quotes, signatures, pool data and price levels."),
        ("version 1", "The first version: one body for each request, and one pool for each chain."),
        ("pages", "Documents of the interface, and pages for people."),
        ("operator", "Readiness, metrics, pauses and prices."),
    ];
    let used: Vec<&str> = endpoints.iter().filter(|one| one.operation.is_some()).map(|one| tag(one)).collect();
    let used = about.into_iter().filter(|(name, _)| used.contains(name));
    used.map(|(name, about)| TagBuilder::new().name(name).description(Some(about)).build()).collect()
}

/// Returns the components that `paths` references, directly or transitively, and no others.
fn components(paths: &Value, endpoints: &[&Endpoint]) -> Components {
    let mut rendered = paths.to_string();
    let (mut schemas, mut components) = (schemas::all(endpoints), Components::new());
    loop {
        let named = |name: &str| rendered.contains(&format!("\"#/components/schemas/{name}\""));
        let (found, rest): (Vec<NamedSchema>, Vec<_>) = schemas.into_iter().partition(|(name, _)| named(name));
        if found.is_empty() {
            break;
        }
        for (name, schema) in found {
            rendered.push_str(&serde_json::to_string(&schema).unwrap_or_default());
            components.schemas.insert(name, schema);
        }
        schemas = rest;
    }
    for field in HeaderField::VARIANTS {
        let name = field.component();
        if rendered.contains(&format!("\"#/components/headers/{name}\"")) {
            components.headers.insert(name.to_owned(), RefOr::T(field.header()));
        }
    }
    for (name, example) in examples::refusal_examples() {
        if rendered.contains(&format!("\"#/components/examples/{name}\"")) {
            components.examples.insert(name.to_owned(), RefOr::T(example));
        }
    }
    components
}

fn path_item(endpoint: &Endpoint, described: &Operation) -> PathItem {
    let method = match endpoint.methods {
        AllowedMethods::Get => HttpMethod::Get,
        AllowedMethods::Post => HttpMethod::Post,
        AllowedMethods::Put => HttpMethod::Put,
        AllowedMethods::GetAndHead => {
            let item = PathItemBuilder::new().operation(HttpMethod::Get, operation(endpoint, described, true));
            return item.operation(HttpMethod::Head, operation(endpoint, described, false)).build();
        }
    };
    PathItem::new(method, operation(endpoint, described, true))
}

/// Describes one method of `endpoint`: `HEAD` if its responses have no bodies.
fn operation(endpoint: &Endpoint, described: &Operation, has_bodies: bool) -> OpenApiOperation {
    let success = success_responses::success(endpoint, described, has_bodies);
    let responses = ResponsesBuilder::new().response(success_responses::success_status(described), success);
    let responses = responses.responses_from_iter(reasons::responses(endpoint, described, has_bodies));
    let not_modified = success_responses::not_modified(endpoint, described).map(|response| ("304", response));
    let responses = responses.responses_from_iter(not_modified);
    let id = if has_bodies { described.id.to_owned() } else { format!("head_{}", described.id) };
    OperationBuilder::new()
        .operation_id(Some(id))
        .summary(Some(described.summary))
        .description(Some(described.about))
        .tag(tag(endpoint))
        .deprecated(is_basic_only(endpoint).then_some(Deprecated::True))
        .securities(Some(security::requirements(endpoint)))
        .parameters(Some(parameters::parameters(endpoint, &described.inputs)))
        .request_body(bodies::request_body(&described.inputs))
        .responses(responses.build())
        .build()
}

/// Whether `endpoint` accepts only the deprecated Basic scheme, and is therefore deprecated too.
fn is_basic_only(endpoint: &Endpoint) -> bool {
    let accepted = endpoint.access.accepted_credentials();
    accepted.basic && !accepted.api_key && !accepted.anonymous
}

/// The group that the operation of `endpoint` is listed in.
const fn tag(endpoint: &Endpoint) -> &'static str {
    match endpoint.purpose {
        Purpose::Operator => "operator",
        Purpose::Page | Purpose::ErrorPage => "pages",
        Purpose::Quote
        | Purpose::QuoteAndSign
        | Purpose::Sign
        | Purpose::Status
        | Purpose::Swaps
        | Purpose::Chains
        | Purpose::Pools
        | Purpose::Grid
        | Purpose::Levels
        | Purpose::LevelStream
        | Purpose::QuoteEvents => {
            if endpoint.is_version_1() {
                "version 1"
            } else {
                "version 2"
            }
        }
    }
}
