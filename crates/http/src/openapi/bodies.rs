//! Request bodies, from the lists that they are decoded with.

use serde_json::{Map, Value};
use utoipa::openapi::{
    ContentBuilder, Object, RefOr, Required, Schema,
    request_body::{RequestBody, RequestBodyBuilder},
    schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder},
};

use super::inputs;
use crate::{endpoints::Inputs, input::Field};

/// Members of each price in a price update.
const PRICE: &[Field] = &[Field::Symbol, Field::PriceUsd, Field::ConfidenceUsd, Field::ObservedAt];

/// The request body with these inputs, if there is one.
pub(super) fn request_body(inputs: &Inputs) -> Option<RequestBody> {
    let members = Some(inputs.body).filter(|members| !members.is_empty())?;
    let example = members.iter().filter(|field| inputs::is_in_example(**field));
    let example: Map<_, _> = example.map(|field| (field.name().to_owned(), inputs::example(*field))).collect();
    let content =
        ContentBuilder::new().schema(Some(Schema::Object(object(members)))).example(Some(Value::Object(example)));
    let about = "One JSON object of at most 16 KiB, without a content coding.";
    let body = RequestBodyBuilder::new().content("application/json", content.build()).required(Some(Required::True));
    Some(body.description(Some(about)).build())
}

/// An object with `members`; others are ignored, and optional ones may be `null`. That of some exactly one is required, or at
/// most one true, is said in words: generators do not understand it otherwise.
fn object(members: &[Field]) -> Object {
    let open = ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(true)));
    let object = members.iter().fold(open, |object, field| {
        let object = if inputs::is_required(*field) { object.required(field.name()) } else { object };
        object.property(field.name(), member(*field))
    });
    object.build()
}

fn member(field: Field) -> RefOr<Schema> {
    let about = Some(inputs::meaning(field));
    if field == Field::Prices {
        return ArrayBuilder::new().items(object(PRICE)).min_items(Some(1)).description(about).build().into();
    }
    let schema = if inputs::is_required(field) { inputs::schema(field) } else { inputs::or_null(field) };
    schema.description(about).build().into()
}
