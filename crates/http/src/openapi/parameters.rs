//! Path and query parameters, from the lists that requests are decoded with.

use serde_json::json;
use utoipa::openapi::{
    Required,
    path::{Parameter, ParameterBuilder, ParameterIn},
    schema::{ObjectBuilder, Type},
};

use crate::{
    endpoints::{Endpoint, Inputs, PathWords, Purpose},
    input::{CHAIN_ID, Field},
};

/// The parameters of `endpoint`, path parameters first.
pub(super) fn parameters(endpoint: &Endpoint, inputs: &Inputs) -> Vec<Parameter> {
    if let Some(words) = &inputs.words {
        return vec![one_of(words)];
    }
    let path = inputs.path.iter().map(|field| parameter(field, ParameterIn::Path, Required::True));
    let query = inputs.query.iter().map(|field| {
        let required = if is_required(endpoint, inputs, field) { Required::True } else { Required::False };
        parameter(field, ParameterIn::Query, required)
    });
    let header = (endpoint.purpose == Purpose::QuoteAndSign).then(idempotency_key);
    path.chain(query).chain(header).collect()
}

/// Whether `endpoint` rejects requests without `field`. Without a chain, a pool is paused and resumed on every chain that
/// has its address, and the curve is that of the first such chain.
fn is_required(endpoint: &Endpoint, inputs: &Inputs, field: &Field) -> bool {
    field.is_required_of(inputs.query) && !(*field == CHAIN_ID.field && endpoint.is_for_operator())
}

fn parameter(field: &Field, parameter_in: ParameterIn, required: Required) -> Parameter {
    let mut schema = (field.schema)().build();
    // An empty value counts as absent.
    if required == Required::False && field.alternative.is_none() {
        schema.pattern = schema.pattern.map(|pattern| format!("^$|{pattern}"));
    }
    ParameterBuilder::new()
        .name(field.name)
        .parameter_in(parameter_in)
        .required(required)
        .description(Some(field.meaning))
        .schema(Some(schema))
        .example(field.example_value())
        .build()
}

fn idempotency_key() -> Parameter {
    let key = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(130));
    ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("A key of the client's choice, 1 to 128 visible ASCII characters: the same request with the same key gets the same answer."))
        .schema(Some(key.build()))
        .example(Some(json!("8e03978e-40d5-43dd-bc93-6894a57f9324")))
        .build()
}

/// A path parameter with a fixed set of values.
fn one_of(PathWords { name, about, words, example }: &PathWords) -> Parameter {
    ParameterBuilder::new()
        .name(*name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some(*about))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words())).build()))
        .example(Some(json!(example)))
        .build()
}
