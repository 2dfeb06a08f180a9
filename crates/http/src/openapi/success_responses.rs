//! Successful responses, and `304 Not Modified`.

use std::collections::BTreeSet;

use firmquote_api::PoolType;
use serde_json::Value;
use utoipa::openapi::{
    ContentBuilder, Ref, RefOr, Response, ResponseBuilder, Schema,
    example::{Example, ExampleBuilder},
    link::Link as OpenApiLink,
    schema::{ObjectBuilder, Type},
};

use super::headers::{add_headers, success_headers};
use crate::{
    endpoints::{Endpoint, Link, Operation, ResponseType, SuccessBody},
    input::QUOTE_ID,
};

/// Returns the status of a successful response.
pub(super) const fn success_status(described: &Operation) -> &'static str {
    match described.body {
        SuccessBody::Json(..)
        | SuccessBody::PoolData(..)
        | SuccessBody::AnyJson(_)
        | SuccessBody::Text(_)
        | SuccessBody::CompressedText(_) => "200",
    }
}

/// Returns the successful response of `endpoint`, without a body for `HEAD`.
pub(super) fn success(endpoint: &Endpoint, described: &Operation, has_body: bool) -> RefOr<Response> {
    let builder =
        add_headers(ResponseBuilder::new().description(described.success), success_headers(endpoint, described));
    let bodies = if has_body { bodies(&described.body) } else { Vec::new() };
    let builder = bodies.into_iter().fold(builder, |builder, (content_type, schema, example)| {
        let content = ContentBuilder::new().schema(Some(schema)).example(example);
        builder.content(content_type, content.examples_from_iter(pool_data(&described.body)).build())
    });
    let builder = described.links.iter().fold(builder, |builder, link| match link {
        Link::Sign(operation) => builder.link("sign", sign_link(operation)),
        Link::Status(operation) => builder.link("status", status_link(operation)),
    });
    builder.build().into()
}

/// Returns the 304 response of `endpoint`; `None` if its responses are not cacheable.
pub(super) fn not_modified(endpoint: &Endpoint, described: &Operation) -> Option<Response> {
    let builder = ResponseBuilder::new().description("The copy identified by `If-None-Match` is still current.");
    described.is_revalidated.then(|| add_headers(builder, success_headers(endpoint, described)).build())
}

/// Content type, schema and example of a body.
type Body = (&'static str, RefOr<Schema>, Option<Value>);

/// Returns the possible bodies, one per content type.
fn bodies(body: &SuccessBody) -> Vec<Body> {
    const JSON: &str = "application/json";
    let named = |response: &ResponseType| RefOr::Ref(Ref::from_schema_name((response.name)()));
    match *body {
        SuccessBody::Json(ref response, example) => vec![(JSON, named(response), Some(example()))],
        SuccessBody::PoolData(ref response, _) => vec![(JSON, named(response), None)],
        SuccessBody::AnyJson(schema) => vec![(JSON, schema(), None)],
        SuccessBody::Text(content_type) => vec![(content_type, text(), None)],
        SuccessBody::CompressedText(types) => {
            let types: BTreeSet<_> = types().into_iter().collect();
            types.into_iter().map(|content_type| (content_type, text(), None)).collect()
        }
    }
}

/// Returns an example of each set of pool data, if `body` is pool data. The first one matches the example parameters.
fn pool_data(body: &SuccessBody) -> Vec<(&'static str, Example)> {
    let SuccessBody::PoolData(_, show) = *body else { return Vec::new() };
    let example = |(pool_type, about): (PoolType, &str)| {
        let built = ExampleBuilder::new().summary(about).value(Some(show(pool_type))).build();
        (pool_type.name(), built)
    };
    let sets = [
        (PoolType::Offchain, "With `fieldset=offchain-data`"),
        (PoolType::Onchain, "Without `fieldset`"),
        (PoolType::All, "With `fieldset=all`"),
    ];
    sets.map(example).into()
}

fn text() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).build().into()
}

/// Links a quote to the operation that returns its status.
fn status_link(operation: &str) -> OpenApiLink {
    let link = OpenApiLink::builder().operation_id(operation).parameter(QUOTE_ID.field.name, "$response.body#/id");
    link.description("The status of the quote.").build()
}

/// Links a quote to the operation that signs it. Generators refuse bodies of links that are objects.
fn sign_link(operation: &str) -> OpenApiLink {
    let link = OpenApiLink::builder().operation_id(operation);
    link.description("Sign the quote: `id` is the `quote_id` of the body.").build()
}
