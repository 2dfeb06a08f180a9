//! A complete document: the operations of a listener by path and method, and the components they reference.

use serde_json::Value;
use strum::VariantArray as _;
use utoipa::openapi::{
    Components, Deprecated, HttpMethod, InfoBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder, RefOr,
    ServerBuilder,
    path::{Operation, OperationBuilder, PathItemBuilder},
    response::ResponsesBuilder,
};

use super::{
    bodies, examples,
    headers::HeaderField,
    operation_spec::OperationSpec,
    operations, parameters, reasons,
    schemas::{self, NamedSchema},
    security, success_responses,
};
use crate::{
    error::AllowedMethods,
    routes::{ListenerRole, Purpose, Route},
};

const ABOUT: &str = "Firm quotes for token swaps, and signatures that the pool contract accepts.\n\n\
    Amounts are in base units of the token: decimal strings in responses, strings or JSON integers of any size in \
    requests. Unknown members and parameters are ignored, a JSON `null` counts as absent, and a repeated input is an \
    error. Every error is a JSON object with `errorMessage` and `errorType`.";

const ABOUT_ADMIN: &str = "Operations for the operator's own machines. This listener must never be public.";

/// Builds the document of a listener.
pub(super) fn build(role: ListenerRole) -> OpenApi {
    let routes: Vec<_> = role.routes().collect();
    let paths = routes.iter().fold(PathsBuilder::new(), |paths, route| match path_item(*route) {
        Some(item) => paths.path(route.path(), item),
        None => paths,
    });
    let paths = paths.build();
    let mut components = components(&serde_json::to_value(&paths).unwrap_or_default());
    for (name, scheme) in security::schemes(&routes) {
        components.security_schemes.insert(name.to_owned(), RefOr::T(scheme));
    }
    let (title, about) = match role {
        ListenerRole::Admin => ("Firmquote operator API", ABOUT_ADMIN),
        ListenerRole::BothVersions | ListenerRole::Version1 | ListenerRole::Version2 => ("Firmquote", ABOUT),
    };
    let info = InfoBuilder::new().title(title).version(env!("CARGO_PKG_VERSION")).description(Some(about));
    OpenApiBuilder::new()
        .info(info)
        // Relative to the document itself, so that it works behind a proxy that adds a path prefix.
        .servers(Some([ServerBuilder::new().url(".").description(Some("The server of this document")).build()]))
        .paths(paths)
        .components(Some(components))
        .build()
}

/// Returns the components that `paths` references, directly or transitively, and no others.
fn components(paths: &Value) -> Components {
    let mut rendered = paths.to_string();
    let (mut schemas, mut components) = (schemas::all(), Components::new());
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

/// Returns the path item of `route`; `None` for redirects and for unmatched paths.
pub(super) fn path_item(route: Route) -> Option<PathItem> {
    let spec = operations::operation(route)?;
    let method = match route.methods() {
        AllowedMethods::Get => HttpMethod::Get,
        AllowedMethods::Post => HttpMethod::Post,
        AllowedMethods::Put => HttpMethod::Put,
        AllowedMethods::GetAndHead => {
            let item = PathItemBuilder::new().operation(HttpMethod::Get, operation(route, &spec, true));
            return Some(item.operation(HttpMethod::Head, operation(route, &spec, false)).build());
        }
    };
    Some(PathItem::new(method, operation(route, &spec, true)))
}

/// Describes one method of `route`: `HEAD` if its responses have no bodies.
fn operation(route: Route, spec: &OperationSpec, has_bodies: bool) -> Operation {
    let success = success_responses::success(route, spec, has_bodies);
    let responses = ResponsesBuilder::new().response(success_responses::success_status(spec), success);
    let responses = responses.responses_from_iter(reasons::responses(route, has_bodies));
    let not_modified = success_responses::not_modified(route).map(|response| ("304", response));
    let responses = responses.responses_from_iter(not_modified);
    let id = if has_bodies { spec.id.to_owned() } else { format!("head_{}", spec.id) };
    OperationBuilder::new()
        .operation_id(Some(id))
        .summary(Some(spec.summary))
        .description(Some(spec.about))
        .tag(tag(route))
        .deprecated(is_basic_only(route).then_some(Deprecated::True))
        .securities(Some(security::requirements(route)))
        .parameters(Some(parameters::parameters(route, &spec.inputs)))
        .request_body(bodies::request_body(route, &spec.inputs))
        .responses(responses.build())
        .build()
}

/// Whether `route` accepts only the deprecated Basic scheme, and is therefore deprecated too.
fn is_basic_only(route: Route) -> bool {
    let accepted = route.accepted_credentials();
    accepted.basic && !accepted.api_key && !accepted.anonymous
}

/// The group that the operation of `route` is listed in.
const fn tag(route: Route) -> &'static str {
    match route.purpose() {
        Purpose::Operator => "operator",
        Purpose::Page | Purpose::ErrorPage => "pages",
        Purpose::Quote
        | Purpose::QuoteAndSign
        | Purpose::Sign
        | Purpose::Status
        | Purpose::Chains
        | Purpose::Pools
        | Purpose::Grid
        | Purpose::Levels
        | Purpose::LevelStream => {
            if route.is_version_1() {
                "version 1"
            } else {
                "version 2"
            }
        }
    }
}
