//! Schemas of responses, derived from the types of the interface. The document is stricter than these: objects are closed,
//! since a response has the described members and no others, and names that the types leave open are enumerated.

use firmquote_api as api;
use firmquote_desk::{PartState, WithdrawalReason};
use serde_json::Value;
use strum::{IntoEnumIterator as _, VariantArray as _};
use utoipa::{
    PartialSchema as _, ToSchema as _,
    openapi::{Object, RefOr, Schema, schema::AdditionalProperties},
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
    for (name, schema) in &mut schemas {
        if let RefOr::T(Schema::Object(object)) = schema {
            close(name, object);
        }
    }
    schemas
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

/// Closes an object, and enumerates the names that its type leaves open.
fn close(name: &str, object: &mut Object) {
    if !object.properties.is_empty() {
        object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
    }
    // The formats of OpenAPI are signed; the minimum says more.
    for member in object.properties.values_mut() {
        if let RefOr::T(Schema::Object(member)) = member {
            member.format = None;
        }
    }
    match name {
        "OnchainData" | "OnchainPools" => enumerate(object, "pool_type", [api::PoolType::Onchain.name()]),
        "OffchainData" | "OffchainPools" => enumerate(object, "pool_type", [api::PoolType::Offchain.name()]),
        "PoolData" | "AllPools" => enumerate(object, "pool_type", [api::PoolType::All.name()]),
        "Health" => enumerate(object, "status", ["ok"]),
        "Readiness" => enumerate(object, "ready", [true]),
        "ReadinessPart" => enumerate(object, "state", PartState::VARIANTS.iter().map(|state| state.name())),
        "LevelBook" => enumerate(object, "semantics", LevelFormat::VARIANTS.iter().map(|format| format.semantics())),
        "WithdrawnLevels" => enumerate(object, "reason", WithdrawalReason::iter().map(WithdrawalReason::name)),
        ERROR | NOT_READY => {
            enumerate(object, "errorType", ErrorType::VARIANTS.iter().map(|error_type| error_type.name()));
            enumerate(object, "reason", Reason::VARIANTS.iter().map(|reason| reason.name()));
        }
        "InvalidInput" => enumerate(object, "type", InvalidKind::VARIANTS.iter().map(|kind| kind.name())),
        _ => {}
    }
}

/// Allows only `values` for a member.
fn enumerate<V: Into<Value>>(object: &mut Object, member: &str, values: impl IntoIterator<Item = V>) {
    if let Some(RefOr::T(Schema::Object(schema))) = object.properties.get_mut(member) {
        schema.enum_values = Some(values.into_iter().map(Into::into).collect());
    }
}
