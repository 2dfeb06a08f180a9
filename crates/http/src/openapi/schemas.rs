//! Schemas of responses, derived from the types of the interface. The document is stricter than these: objects are closed,
//! since a response has the described members and no others, and names that the types leave open are enumerated.

use firmquote_api as api;
use firmquote_desk::{PartState, WithdrawalReason};
use serde_json::Value;
use strum::{IntoEnumIterator as _, VariantArray as _};
use utoipa::{
    PartialSchema as _, ToSchema as _,
    openapi::{
        KnownFormat, Object, Ref, RefOr, Schema, SchemaFormat, Type,
        schema::{AdditionalProperties, AnyOfBuilder, OneOfBuilder, SchemaType},
    },
};

use crate::{
    endpoints::{Endpoint, NamedSchema, SuccessBody},
    error::{ErrorType, Reason},
    input::InvalidKind,
    levels::LevelFormat,
};

/// The name of the schema of errors.
pub(super) const ERROR: &str = "ErrorObject";

/// The name of the schema of the error of a service that is not ready.
pub(super) const NOT_READY: &str = "NotReadyError";

/// The members of errors that only a service which is not ready has.
const READINESS: [&str; 2] = ["ready", "parts"];

/// Returns all schemas of the responses of `endpoints`.
pub(super) fn all(endpoints: &[&Endpoint]) -> Vec<NamedSchema> {
    let mut schemas = Vec::new();
    for operation in endpoints.iter().filter_map(|endpoint| endpoint.operation.as_ref()) {
        if let SuccessBody::Json(response, _) | SuccessBody::PoolData(response, _) = &operation.body {
            (response.add_schemas)(&mut schemas);
        }
    }
    for reports_readiness in [false, true] {
        if !reports_readiness || endpoints.iter().any(|endpoint| reports_not_ready(endpoint)) {
            add_error(reports_readiness, &mut schemas);
        }
    }
    separate_versions(&mut schemas);
    let mut enums = Vec::new();
    for (name, schema) in &mut schemas {
        match schema {
            RefOr::T(Schema::Object(object)) => close(name, object, &mut enums),
            RefOr::T(Schema::OneOf(one_of)) => undescribe(&mut one_of.items),
            _ => {}
        }
    }
    if let Some((_, schema)) = schemas.iter_mut().find(|(name, _)| name == "Step") {
        as_any_of(schema);
    }
    schemas.extend(enums);
    schemas
}

/// Gives the response of version 1, a single pool with its `pool_type`, schemas of its own: pools of version 2 have none.
fn separate_versions(schemas: &mut Vec<NamedSchema>) {
    let mut of_version_1: Vec<NamedSchema> = Vec::new();
    for (name, schema) in schemas.iter_mut() {
        let Some(response) = version_1_response(name) else { continue };
        // A schema that several responses have is in the list as often.
        let is_known = of_version_1.iter().any(|(known, _)| known == response);
        let RefOr::T(Schema::Object(pool)) = schema else { continue };
        let mut answered = pool.clone();
        answered.required.push(POOL_TYPE.to_owned());
        if !is_known {
            of_version_1.push((response.to_owned(), RefOr::T(answered.into())));
        }
        pool.properties.shift_remove(POOL_TYPE);
    }
    let responses = of_version_1.iter().map(|(name, _)| Ref::from_schema_name(name.as_str()));
    let one_of = responses.fold(OneOfBuilder::new(), OneOfBuilder::item).build();
    if let Some((_, response)) = schemas.iter_mut().find(|(name, _)| name == "PoolResponse") {
        *response = RefOr::T(one_of.into());
    }
    schemas.extend(of_version_1);
}

/// The member that tells which data of a pool a response has.
const POOL_TYPE: &str = "pool_type";

/// Returns the name of the schema of a version 1 response with the data of a pool.
fn version_1_response(pool: &str) -> Option<&'static str> {
    match pool {
        "OnchainData" => Some("OnchainResponse"),
        "OffchainData" => Some("OffchainResponse"),
        "PoolData" => Some("AllDataResponse"),
        _ => None,
    }
}

/// Removes descriptions beside references: some generators do not follow those.
fn undescribe(items: &mut [RefOr<Schema>]) {
    for item in items {
        if let RefOr::Ref(reference) = item {
            reference.description = String::new();
        }
    }
}

/// Allows any of the alternatives, not exactly one: clients in Go validate the alternatives of the latter as objects.
fn as_any_of(schema: &mut RefOr<Schema>) {
    if let RefOr::T(Schema::OneOf(one_of)) = schema {
        let any_of = one_of.items.drain(..).fold(AnyOfBuilder::new(), AnyOfBuilder::item);
        *schema = RefOr::T(any_of.description(one_of.description.take()).build().into());
    }
}

fn reports_not_ready(endpoint: &Endpoint) -> bool {
    endpoint.operation.as_ref().is_some_and(|operation| operation.reasons.contains(&Reason::NotReady))
}

/// Adds the schema of errors, with or without the state of every part.
fn add_error(has_parts: bool, schemas: &mut Vec<NamedSchema>) {
    let RefOr::T(Schema::Object(mut error)) = api::ErrorObject::schema() else { return };
    let mut referenced = Vec::new();
    api::ErrorObject::schemas(&mut referenced);
    if !has_parts {
        error.properties.retain(|name, _| !READINESS.contains(&name.as_str()));
        referenced.retain(|(name, _)| !name.starts_with("Readiness"));
    }
    schemas.extend(referenced);
    let name = if has_parts { NOT_READY } else { ERROR };
    schemas.push((name.to_owned(), RefOr::T(error.into())));
}

/// Closes an object, and enumerates the names that its type leaves open; `enums` gets the schemas of the enumerations.
fn close(name: &str, object: &mut Object, enums: &mut Vec<NamedSchema>) {
    if !object.properties.is_empty() {
        object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
    }
    // Clients in Go and Java take 32 bits otherwise.
    for member in object.properties.values_mut() {
        if let RefOr::T(Schema::Object(member)) = member
            && member.schema_type == SchemaType::Type(Type::Integer)
        {
            member.format = Some(SchemaFormat::KnownFormat(KnownFormat::Int64));
        }
    }
    match name {
        "OnchainResponse" | "OnchainPools" => enumerate(object, "pool_type", [api::PoolType::Onchain.name()]),
        "OffchainResponse" | "OffchainPools" => enumerate(object, "pool_type", [api::PoolType::Offchain.name()]),
        "AllDataResponse" | "AllPools" => enumerate(object, "pool_type", [api::PoolType::All.name()]),
        "Health" => enumerate(object, "status", ["ok"]),
        "Readiness" => enumerate(object, "ready", [true]),
        "ReadinessPart" => {
            enums.extend(name_enum(object, "state", "PartState", PartState::VARIANTS.iter().map(|state| state.name())));
        }
        "LevelBook" => {
            let names = LevelFormat::VARIANTS.iter().map(|format| format.semantics());
            enums.extend(name_enum(object, "semantics", "LevelSemantics", names));
        }
        // Without a name: in Go the values of all named enumerations are in one namespace, and some are reasons of errors.
        "WithdrawnLevels" => enumerate(object, "reason", WithdrawalReason::iter().map(WithdrawalReason::name)),
        ERROR | NOT_READY => {
            let error_types = ErrorType::VARIANTS.iter().map(|error_type| error_type.name());
            enums.extend(name_enum(object, "errorType", "ErrorType", error_types));
            enums.extend(name_enum(object, "reason", "Reason", Reason::ALL.iter().map(|reason| reason.name())));
        }
        "InvalidInput" => {
            enums.extend(name_enum(
                object,
                "type",
                "InvalidInputType",
                InvalidKind::VARIANTS.iter().map(|kind| kind.name()),
            ));
        }
        _ => {}
    }
}

/// Allows only `names` for a member, by an enumeration with a name of its own, which is returned.
fn name_enum(
    object: &mut Object,
    member: &str,
    name: &str,
    names: impl Iterator<Item = &'static str>,
) -> Option<NamedSchema> {
    let RefOr::T(Schema::Object(mut values)) = object.properties.get(member)?.clone() else { return None };
    values.enum_values = Some(names.map(Into::into).collect());
    let mut reference = Ref::from_schema_name(name);
    reference.description = values.description.clone().unwrap_or_default();
    object.properties.insert(member.to_owned(), reference.into());
    Some((name.to_owned(), RefOr::T(values.into())))
}

/// Allows only `values` for a member.
fn enumerate<V: Into<Value>>(object: &mut Object, member: &str, values: impl IntoIterator<Item = V>) {
    if let Some(RefOr::T(Schema::Object(schema))) = object.properties.get_mut(member) {
        schema.enum_values = Some(values.into_iter().map(Into::into).collect());
    }
}
