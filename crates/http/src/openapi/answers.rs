//! Answers that say yes.

use serde_json::{Value, json};
use utoipa::openapi::{
    ContentBuilder, Ref, RefOr, Response, ResponseBuilder, Schema,
    link::Link,
    schema::{AdditionalProperties, ObjectBuilder, Type},
};

use super::{examples, headers, inputs, words};
use crate::{input::Field, route::Route};

/// The answer of `route` that has the status 200; `HEAD` has no body.
pub(super) fn success(route: Route, about: &str, has_body: bool) -> RefOr<Response> {
    let builder =
        headers::of_all(route).into_iter().fold(ResponseBuilder::new().description(about), |builder, name| {
            builder.header_ref(headers::field_name(name), headers::reference(name))
        });
    let (content_type, schema, example) = body(route);
    let builder = if has_body {
        builder.content(content_type, ContentBuilder::new().schema(Some(schema)).example(example).build())
    } else {
        builder
    };
    match signs_what_is_quoted_by(route).and_then(words::of) {
        Some(words) => builder.link("sign", link(words.id)).build().into(),
        None => builder.build().into(),
    }
}

/// Content type, schema and example.
fn body(route: Route) -> (&'static str, RefOr<Schema>, Option<Value>) {
    const JSON: &str = "application/json";
    let named = |name: &str, example: Value| (JSON, RefOr::Ref(Ref::from_schema_name(name)), Some(example));
    match route {
        Route::QuoteV1 | Route::QuoteV2 => named("Quote", examples::quote()),
        Route::SignV1 | Route::SignV2 => named("SignedSwap", examples::signed()),
        Route::QuoteSignV2 => named("QuotedAndSignedSwap", examples::quoted_and_signed()),
        Route::PoolV1 => named("Pool", examples::pool()),
        Route::PoolV2 => named("Pools", examples::pools()),
        Route::Prices => named("AcceptedPrices", json!({"accepted": 1})),
        Route::PausePool => named("Pauses", examples::pauses(true)),
        Route::ResumePool => named("Pauses", examples::pauses(false)),
        Route::Overview => named("Overview", examples::overview()),
        Route::Curve => named("Curve", examples::curve()),
        Route::RecentSignatures => named("RecentSignatures", examples::recent_signatures()),
        Route::OperatorStyle => ("text/css; charset=utf-8", text(), None),
        Route::OperatorScript => ("text/javascript; charset=utf-8", text(), None),
        Route::Health => named("Health", json!({"status": "ok"})),
        Route::Readiness => named("Readiness", json!({"status": "ready"})),
        Route::OpenApi => {
            let any = ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(true)));
            (JSON, any.required("openapi").property("openapi", text()).build().into(), None)
        }
        Route::Metrics => ("text/plain; version=0.0.4; charset=utf-8", text(), None),
        Route::OperatorPage | Route::ErrorIndex | Route::ErrorPage | Route::Unmatched => {
            ("text/html; charset=utf-8", text(), None)
        }
    }
}

fn text() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).build().into()
}

/// The operation of the same version that signs quotes of `route`.
const fn signs_what_is_quoted_by(route: Route) -> Option<Route> {
    match route {
        Route::QuoteV1 => Some(Route::SignV1),
        Route::QuoteV2 => Some(Route::SignV2),
        _ => None,
    }
}

/// How a quote is signed.
fn link(operation: &str) -> Link {
    let body = json!({
        Field::QuoteId.name(): "$response.body#/id",
        Field::DestinationAddress.name(): inputs::example(Field::DestinationAddress),
    });
    Link::builder().operation_id(operation).request_body(Some(body)).description("Sign the quote.").build()
}
