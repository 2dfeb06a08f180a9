//! The OpenAPI 3.1 document of the service, served by each listener at `/openapi.json`.
//!
//! It is generated from the tables that the service itself uses: inputs from the lists that requests are decoded with,
//! errors from the table of error responses, methods and credentials from the routes. Response schemas are written by
//! hand; the tests validate every response they receive against them.

mod bodies;
mod document;
mod examples;
mod headers;
mod inputs;
mod operation_spec;
mod operations;
mod parameters;
mod reason_text;
mod reasons;
mod schemas;
mod security;
mod success_responses;

use std::sync::LazyLock;

use actix_web::web::Bytes;

use crate::{routes::ListenerRole, wire::json};

/// Returns the serialized document of a listener; built once per process.
pub(crate) fn document(role: ListenerRole) -> Bytes {
    static BOTH: LazyLock<Bytes> = LazyLock::new(|| write(ListenerRole::BothVersions));
    static VERSION_1: LazyLock<Bytes> = LazyLock::new(|| write(ListenerRole::Version1));
    static VERSION_2: LazyLock<Bytes> = LazyLock::new(|| write(ListenerRole::Version2));
    static ADMIN: LazyLock<Bytes> = LazyLock::new(|| write(ListenerRole::Admin));
    let made = match role {
        ListenerRole::BothVersions => &BOTH,
        ListenerRole::Version1 => &VERSION_1,
        ListenerRole::Version2 => &VERSION_2,
        ListenerRole::Admin => &ADMIN,
    };
    Bytes::clone(made)
}

fn write(role: ListenerRole) -> Bytes {
    // Maps with string keys and finite numbers always serialize to JSON.
    json::bytes(&document::build(role)).unwrap_or_default().into()
}

#[cfg(test)]
mod tests;
