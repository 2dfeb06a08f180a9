//! Successful responses, and `304 Not Modified`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use utoipa::openapi::{
    ContentBuilder, Ref, RefOr, Response, ResponseBuilder, Schema,
    example::{Example, ExampleBuilder},
    link::Link,
    schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, Type},
};

use super::{examples, headers, inputs, operation_text};
use crate::{
    docs_page,
    input::{Field, Fieldset},
    routes::Route,
};

/// Returns the response of `route` with status 200, without a body for `HEAD`.
pub(super) fn success(route: Route, about: &str, has_body: bool) -> RefOr<Response> {
    let builder =
        headers::of_success(route).into_iter().fold(ResponseBuilder::new().description(about), |builder, name| {
            builder.header_ref(headers::field_name(name), headers::reference(name))
        });
    let bodies = if has_body { bodies(route) } else { Vec::new() };
    let builder = bodies.into_iter().fold(builder, |builder, (content_type, schema, example)| {
        let content = ContentBuilder::new().schema(Some(schema)).example(example);
        builder.content(content_type, content.examples_from_iter(pool_data(route)).build())
    });
    match signing_route(route).and_then(operation_text::operation_text) {
        Some(text) => builder.link("sign", link(text.id)).build().into(),
        None => builder.build().into(),
    }
}

/// Returns the 304 response of `route`; `None` if its responses are not cacheable.
pub(super) fn not_modified(route: Route) -> Option<Response> {
    let builder = ResponseBuilder::new().description("The copy that `If-None-Match` names is still current.");
    let builder = headers::of_success(route)
        .into_iter()
        .fold(builder, |builder, name| builder.header_ref(headers::field_name(name), headers::reference(name)));
    headers::is_revalidated(route).then(|| builder.build())
}

/// Content type, schema and example of a body.
type Body = (&'static str, RefOr<Schema>, Option<Value>);

/// Returns the possible bodies, one per content type.
fn bodies(route: Route) -> Vec<Body> {
    if route == Route::DocsFile {
        let kinds: BTreeSet<_> = docs_page::FILES.iter().map(|file| file.media_type().name()).collect();
        return kinds.into_iter().map(|kind| (kind, text(), None)).collect();
    }
    vec![body(route)]
}

fn body(route: Route) -> Body {
    const JSON: &str = "application/json";
    let named = |name: &str, example: Value| (JSON, RefOr::Ref(Ref::from_schema_name(name)), Some(example));
    match route {
        Route::QuoteV1 | Route::QuoteV2 => named("Quote", examples::quote()),
        Route::SignV1 | Route::SignV2 => named("SignedSwap", examples::signed()),
        Route::QuoteSignV2 => named("QuotedAndSignedSwap", examples::quoted_and_signed()),
        Route::ChainsV2 => named("Chains", examples::chains()),
        Route::PoolV1 => (JSON, RefOr::Ref(Ref::from_schema_name("Pool")), None),
        Route::PoolV2 => (JSON, RefOr::Ref(Ref::from_schema_name("Pools")), None),
        Route::Prices => named("AcceptedPrices", json!({"accepted": 1})),
        Route::PausePool => named("Pauses", examples::pauses(true)),
        Route::ResumePool => named("Pauses", examples::pauses(false)),
        Route::Overview => named("Overview", examples::overview()),
        Route::Curve => named("Curve", examples::curve()),
        Route::RecentSignatures => named("RecentSignatures", examples::recent_signatures()),
        Route::OperatorStyle => ("text/css; charset=utf-8", text(), None),
        Route::OperatorScript => ("text/javascript; charset=utf-8", text(), None),
        Route::Health => named("Health", json!({"status": "ok"})),
        Route::Readiness => named("Readiness", examples::readiness(true)),
        Route::OpenApi => {
            let any = ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(true)));
            (JSON, any.required("openapi").property("openapi", text()).build().into(), None)
        }
        Route::ContractAbi => {
            let entry = ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(true)));
            let entry = entry.required("type").property("type", text());
            (JSON, ArrayBuilder::new().items(RefOr::T(entry.build().into())).build().into(), None)
        }
        Route::TypedData => {
            let any = ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(true)));
            (JSON, any.required("primaryType").property("primaryType", text()).build().into(), None)
        }
        Route::Metrics => ("text/plain; version=0.0.4; charset=utf-8", text(), None),
        Route::OperatorPage
        | Route::Docs
        | Route::DocsFile
        | Route::ErrorIndex
        | Route::ErrorPage
        | Route::Root
        | Route::DocsSlash
        | Route::Unmatched => ("text/html; charset=utf-8", text(), None),
    }
}

/// Returns an example of each set of pool data, if `route` returns pool data. The first one matches the example
/// parameters.
fn pool_data(route: Route) -> Vec<(&'static str, Example)> {
    let show = match route {
        Route::PoolV1 => examples::pool,
        Route::PoolV2 => examples::pools,
        _ => return Vec::new(),
    };
    let example = |(fieldset, about): (Fieldset, &str)| {
        let built = ExampleBuilder::new().summary(about).value(Some(show(fieldset))).build();
        (fieldset.pool_type(), built)
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

/// Links a quote to the operation that signs it.
fn link(operation: &str) -> Link {
    let body = json!({
        Field::QuoteId.name(): "$response.body#/id",
        Field::DestinationAddress.name(): inputs::example(Field::DestinationAddress),
    });
    Link::builder().operation_id(operation).request_body(Some(body)).description("Sign the quote.").build()
}
