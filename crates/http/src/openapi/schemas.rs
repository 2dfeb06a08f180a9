//! Schemas of responses, derived from the types of the interface. The document is stricter than these: objects are closed,
//! since a response has the described members and no others, and names that the types leave open are enumerated.

use firmquote_api as api;
use firmquote_desk::{ConflictReason, LevelsRefusal, PartState, WithdrawalReason};
use serde_json::Value;
use strum::{IntoEnumIterator as _, VariantArray as _};
use utoipa::{
    PartialSchema as _, ToSchema,
    openapi::{Object, RefOr, Schema, schema::AdditionalProperties},
};

use crate::{
    endpoints::{Endpoint, NamedSchema, SuccessBody},
    error::{ErrorStatus, ErrorType, Reason},
    input::InvalidKind,
    levels::LevelFormat,
};

/// Returns all schemas of the responses of `endpoints`.
pub(super) fn all(endpoints: &[&Endpoint]) -> Vec<NamedSchema> {
    let mut schemas = Vec::new();
    for operation in endpoints.iter().filter_map(|endpoint| endpoint.operation.as_ref()) {
        if let SuccessBody::Json(response, _) | SuccessBody::PoolData(response, _) = &operation.body {
            (response.add_schemas)(&mut schemas);
        }
    }
    api::ErrorObject::schemas(&mut schemas);
    for reason in Reason::VARIANTS.iter().copied() {
        schemas.push((refusal_name(reason).to_owned(), RefOr::T(refusal(reason).into())));
    }
    for (name, schema) in &mut schemas {
        if let RefOr::T(Schema::Object(object)) = schema {
            close(name, object);
        }
    }
    schemas
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

/// The name of the schema of error responses with `reason`.
pub(super) fn refusal_name(reason: Reason) -> &'static str {
    match (reason, ErrorStatus::from_reason(reason).error_type) {
        (Reason::InvalidInput, _) => "InvalidInputError",
        (Reason::Conflict, _) => "ConflictError",
        (Reason::NotReady, _) => "NotReadyError",
        (reason, _) if Reason::POLICY.contains(&reason) => "PolicyError",
        (Reason::Levels, _) => "LevelsError",
        (_, ErrorType::BadData) => "BadDataError",
        (_, ErrorType::QuoteProblem) => "QuoteError",
        (_, ErrorType::Unauthorized) => "UnauthorizedError",
        (_, ErrorType::Forbidden) => "ForbiddenError",
        (_, ErrorType::NotFound) => "NotFoundError",
        (_, ErrorType::MethodNotAllowed) => "MethodError",
        (_, ErrorType::RateLimited) => "RateLimitError",
        (_, ErrorType::ExternalServiceError) => "UnavailableError",
        (_, ErrorType::InternalError) => "InternalError",
    }
}

/// The schema of errors with `reason`: the members that they have, and their names.
fn refusal(reason: Reason) -> Object {
    let ErrorStatus { error_type, error_code, .. } = ErrorStatus::from_reason(reason);
    let (required, optional): (&[&str], &[&str]) = match reason {
        Reason::InvalidInput => (&["data"], &[]),
        Reason::Conflict => (&["reason"], &["moved_bps", "fresh_quote"]),
        Reason::Levels => (&["reason"], &[]),
        Reason::NotReady => (&["ready", "parts"], &[]),
        _ if Reason::POLICY.contains(&reason) => (&["reason"], &[]),
        _ => (&[], &[]),
    };
    let RefOr::T(Schema::Object(mut error)) = api::ErrorObject::schema() else { return Object::default() };
    error.required.extend(error_code.map(|_| "errorCode".to_owned()));
    error.required.extend(required.iter().map(|name| (*name).to_owned()));
    let all = error.required.clone();
    error.properties.retain(|name, _| all.contains(name) || optional.contains(&name.as_str()));
    enumerate(&mut error, "errorType", [error_type.name()]);
    enumerate(&mut error, "errorCode", error_code);
    enumerate(&mut error, "ready", [false]);
    let policy = Reason::POLICY.map(Reason::label);
    match reason {
        Reason::Conflict => {
            enumerate(&mut error, "reason", ConflictReason::VARIANTS.iter().map(|reason| reason.name()));
        }
        Reason::Levels => {
            let names = LevelsRefusal::iter().map(LevelsRefusal::name);
            enumerate(&mut error, "reason", names.filter(|name| !policy.contains(name)));
        }
        _ => enumerate(&mut error, "reason", policy),
    }
    error
}
