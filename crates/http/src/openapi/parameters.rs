//! Path and query parameters, from the lists that requests are decoded with.

use serde_json::{Value, json};
use strum::VariantArray as _;
use utoipa::openapi::{
    Required,
    path::{Parameter, ParameterBuilder, ParameterIn},
    schema::{ObjectBuilder, Type},
};

use super::{
    inputs::{self, Place},
    operation_spec::Inputs,
};
use crate::{
    docs_page::{self, EmbeddedFile},
    input::{Field, InvalidKind},
    routes::{Route, SCRIPT_NAMES},
};

/// The parameters of `route`, path parameters first.
pub(super) fn parameters(route: Route, inputs: &Inputs) -> Vec<Parameter> {
    match route {
        Route::ErrorPage => return vec![error_type()],
        Route::DocsFile => return vec![file_name()],
        Route::OperatorScript => return vec![script()],
        _ => {}
    }
    let path = inputs.path.iter().map(|field| parameter(*field, Place::Path, true));
    let query = inputs.query.iter().map(|field| parameter(*field, Place::Query, is_required(route, *field)));
    path.chain(query).collect()
}

/// Whether `route` rejects requests without `field`. Without a chain, a pool is paused and resumed on every chain that
/// has its address, and the curve is that of the first such chain.
const fn is_required(route: Route, field: Field) -> bool {
    match field {
        Field::ChainId => !matches!(route, Route::PausePool | Route::ResumePool | Route::PairCurve),
        field => inputs::is_required(field),
    }
}

fn parameter(field: Field, place: Place, is_required: bool) -> Parameter {
    let (parameter_in, required) = match (place, is_required) {
        (Place::Path, _) => (ParameterIn::Path, Required::True),
        (_, true) => (ParameterIn::Query, Required::True),
        (_, false) => (ParameterIn::Query, Required::False),
    };
    let schema = if may_be_empty(field, is_required) { inputs::or_empty(field) } else { inputs::schema(field, place) };
    ParameterBuilder::new()
        .name(field.name())
        .parameter_in(parameter_in)
        .required(required)
        .description(Some(inputs::meaning(field)))
        .schema(Some(schema.build()))
        .example(example(field))
        .build()
}

/// Whether an empty value counts as absent. An empty amount does not: exactly one of the two amounts is required.
const fn may_be_empty(field: Field, is_required: bool) -> bool {
    !is_required && !matches!(field, Field::InputAmount | Field::OutputAmount)
}

/// Of the two amounts and of the two native sides, only one each has an example: the other would contradict it. Levels
/// have none: those of an example would have expired.
fn example(field: Field) -> Option<Value> {
    let contradicts = matches!(field, Field::OutputAmount | Field::NativeOutput | Field::LevelsId);
    let in_query = |example: Value| match example {
        Value::Bool(flag) => Value::String(flag.to_string()),
        other => other,
    };
    (!contradicts).then(|| in_query(inputs::example(field)))
}

/// The path parameter that names a script of the operator's page.
fn script() -> Parameter {
    one_of("script", "The name of the module.", SCRIPT_NAMES.iter().copied(), "main")
}

/// The path parameter that names a type of invalid input.
fn error_type() -> Parameter {
    let names = InvalidKind::VARIANTS.iter().map(|kind| kind.name());
    one_of("type", "The `type` of an item of `data`.", names, InvalidKind::Missing.name())
}

/// The path parameter that names a file of the documentation page.
fn file_name() -> Parameter {
    one_of("file", "The name of the file.", docs_page::FILES.each_ref().map(EmbeddedFile::name), "LICENSE")
}

/// A path parameter with a fixed set of values.
fn one_of(name: &str, about: &str, words: impl IntoIterator<Item = &'static str>, example: &str) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some(about))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).build()))
        .example(Some(json!(example)))
        .build()
}
