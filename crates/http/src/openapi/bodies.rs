//! Request bodies, from the lists that they are decoded with.

use serde_json::{Map, Value};
use utoipa::openapi::{
    ContentBuilder, Object, RefOr, Required, Schema,
    request_body::{RequestBody, RequestBodyBuilder},
    schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, SchemaType, Type},
};

use crate::{endpoints::Inputs, input::Field};

/// The request body with these inputs, if there is one.
pub(super) fn request_body(inputs: &Inputs) -> Option<RequestBody> {
    let members = Some(inputs.body).filter(|members| !members.is_empty())?;
    let example = members.iter().filter_map(|field| Some((field.name.to_owned(), field.example_value()?)));
    let example: Map<_, _> = example.collect();
    let content =
        ContentBuilder::new().schema(Some(Schema::Object(object(members)))).example(Some(Value::Object(example)));
    let about = "One JSON object of at most 16 KiB, without a content coding.";
    let body = RequestBodyBuilder::new().content("application/json", content.build()).required(Some(Required::True));
    Some(body.description(Some(about)).build())
}

/// An object with `members`; others are ignored, and optional ones may be `null`. That of some exactly one is required, or at
/// most one true, is said in words: generators do not understand it otherwise.
fn object(members: &[&'static Field]) -> Object {
    let open = ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(true)));
    let object = members.iter().fold(open, |object, field| {
        let is_required = field.is_required_of(members);
        let object = if is_required { object.required(field.name) } else { object };
        object.property(field.name, member(field, is_required))
    });
    object.build()
}

fn member(field: &Field, is_required: bool) -> RefOr<Schema> {
    let about = Some(field.meaning);
    if !field.items.is_empty() {
        return ArrayBuilder::new().items(object(field.items)).min_items(Some(1)).description(about).build().into();
    }
    let schema = (field.schema)();
    let schema = if is_required { schema } else { or_null(schema.build()) };
    schema.description(about).build().into()
}

/// The schema of a member that may be `null`.
fn or_null(schema: Object) -> ObjectBuilder {
    let mut kinds = match &schema.schema_type {
        SchemaType::Type(kind) => vec![kind.clone()],
        SchemaType::Array(kinds) => kinds.clone(),
        SchemaType::AnyValue => Vec::new(),
    };
    kinds.push(Type::Null);
    ObjectBuilder::from(schema).schema_type(SchemaType::Array(kinds))
}
