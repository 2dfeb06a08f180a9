//! Successful responses, and `304 Not Modified`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use utoipa::openapi::{
    ContentBuilder, Ref, RefOr, Response, ResponseBuilder, Schema,
    example::{Example, ExampleBuilder},
    link::Link,
    schema::{ObjectBuilder, Type},
};

use super::{
    headers::{add_headers, is_revalidated, success_headers},
    inputs,
    operation_spec::{OperationSpec, SuccessBody},
    operations::operation,
};
use crate::{
    docs_page,
    input::{Field, Fieldset},
    routes::Route,
};

/// Returns the status of a successful response.
pub(super) const fn success_status(spec: &OperationSpec) -> &'static str {
    match spec.body {
        SuccessBody::Upgrade => "101",
        SuccessBody::Json(..)
        | SuccessBody::PoolData(..)
        | SuccessBody::AnyJson(_)
        | SuccessBody::Text(_)
        | SuccessBody::DocsFiles => "200",
    }
}

/// Returns the successful response of `route`, without a body for `HEAD`.
pub(super) fn success(route: Route, spec: &OperationSpec, has_body: bool) -> RefOr<Response> {
    let builder = add_headers(ResponseBuilder::new().description(spec.success), success_headers(route));
    let bodies = if has_body { bodies(&spec.body) } else { Vec::new() };
    let builder = bodies.into_iter().fold(builder, |builder, (content_type, schema, example)| {
        let content = ContentBuilder::new().schema(Some(schema)).example(example);
        builder.content(content_type, content.examples_from_iter(pool_data(&spec.body)).build())
    });
    let builder = match signing_route(route).and_then(operation) {
        Some(sign) => builder.link("sign", sign_link(sign.id)),
        None => builder,
    };
    let builder = match status_route(route).and_then(operation) {
        Some(status) => builder.link("status", status_link(status.id)),
        None => builder,
    };
    builder.build().into()
}

/// Returns the 304 response of `route`; `None` if its responses are not cacheable.
pub(super) fn not_modified(route: Route) -> Option<Response> {
    let builder = ResponseBuilder::new().description("The copy identified by `If-None-Match` is still current.");
    is_revalidated(route).then(|| add_headers(builder, success_headers(route)).build())
}

/// Content type, schema and example of a body.
type Body = (&'static str, RefOr<Schema>, Option<Value>);

/// Returns the possible bodies, one per content type.
fn bodies(body: &SuccessBody) -> Vec<Body> {
    const JSON: &str = "application/json";
    let named = |name: &str| RefOr::Ref(Ref::from_schema_name(name));
    match *body {
        SuccessBody::Json(name, example) => vec![(JSON, named(name), Some(example()))],
        SuccessBody::PoolData(name, _) => vec![(JSON, named(name), None)],
        SuccessBody::AnyJson(schema) => vec![(JSON, schema(), None)],
        SuccessBody::Upgrade => Vec::new(),
        SuccessBody::Text(content_type) => vec![(content_type, text(), None)],
        SuccessBody::DocsFiles => {
            let kinds: BTreeSet<_> = docs_page::FILES.iter().map(|file| file.media_type().name()).collect();
            kinds.into_iter().map(|kind| (kind, text(), None)).collect()
        }
    }
}

/// Returns an example of each set of pool data, if `body` is pool data. The first one matches the example parameters.
fn pool_data(body: &SuccessBody) -> Vec<(&'static str, Example)> {
    let SuccessBody::PoolData(_, show) = *body else { return Vec::new() };
    let example = |(fieldset, about): (Fieldset, &str)| {
        let built = ExampleBuilder::new().summary(about).value(Some(show(fieldset))).build();
        (fieldset.pool_type().name(), built)
    };
    let sets = [
        (Fieldset::Offchain, "With `fieldset=offchain-data`"),
        (Fieldset::Onchain, "Without `fieldset`"),
        (Fieldset::All, "With `fieldset=all`"),
    ];
    sets.map(example).into()
}

fn text() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).build().into()
}

/// The operation of the same API version that signs quotes of `route`.
const fn signing_route(route: Route) -> Option<Route> {
    match route {
        Route::QuoteV1 => Some(Route::SignV1),
        Route::QuoteV2 => Some(Route::SignV2),
        _ => None,
    }
}

/// The operation of the same API version that returns the status of quotes of `route`.
const fn status_route(route: Route) -> Option<Route> {
    match route {
        Route::QuoteV2 | Route::QuoteSignV2 => Some(Route::QuoteStatusV2),
        _ => None,
    }
}

/// Links a quote to the operation that returns its status.
fn status_link(operation: &str) -> Link {
    let link = Link::builder().operation_id(operation).parameter(Field::QuoteId.name(), "$response.body#/id");
    link.description("The status of the quote.").build()
}

/// Links a quote to the operation that signs it.
fn sign_link(operation: &str) -> Link {
    let body = json!({
        Field::QuoteId.name(): "$response.body#/id",
        Field::DestinationAddress.name(): inputs::example(Field::DestinationAddress),
    });
    Link::builder().operation_id(operation).request_body(Some(body)).description("Sign the quote.").build()
}
