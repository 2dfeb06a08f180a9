//! The OpenAPI 3.1 document of the service, served by each listener at `/openapi.json`.
//!
//! It is generated from the tables that the service itself uses: inputs from the lists that requests are decoded with,
//! errors from the table of error responses, methods and credentials from the endpoints, schemas of responses from their
//! types. The tests validate every response they receive against it.

mod bodies;
mod document;
mod example_messages;
pub(crate) mod examples;
mod headers;
mod inputs;
mod parameters;
mod reasons;
mod schemas;
mod security;
mod success_responses;

use std::sync::OnceLock;

use actix_web::web::Bytes;

use crate::{
    endpoints::{Endpoint, ListenerRole},
    wire::json,
};

/// Returns the serialized document of a listener that serves those of `endpoints` for its role; built once per process.
pub(crate) fn document(role: ListenerRole, endpoints: &[&Endpoint]) -> Bytes {
    static BOTH: OnceLock<Bytes> = OnceLock::new();
    static VERSION_1: OnceLock<Bytes> = OnceLock::new();
    static VERSION_2: OnceLock<Bytes> = OnceLock::new();
    static ADMIN: OnceLock<Bytes> = OnceLock::new();
    let document = match role {
        ListenerRole::BothVersions => &BOTH,
        ListenerRole::Version1 => &VERSION_1,
        ListenerRole::Version2 => &VERSION_2,
        ListenerRole::Admin => &ADMIN,
    };
    // Maps with string keys and finite numbers always serialize to JSON.
    document.get_or_init(|| json::bytes(&document::build(role, endpoints)).unwrap_or_default().into()).clone()
}

#[cfg(test)]
mod tests;
