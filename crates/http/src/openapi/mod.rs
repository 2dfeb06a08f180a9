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
mod parameters;
mod reasons;
mod schemas;
mod security;
mod success_responses;

use std::sync::OnceLock;

use actix_web::{http::header::EntityTag, web::Bytes};

use crate::{
    endpoints::{Endpoint, ListenerRole},
    entity_tag::entity_tag,
    wire::json,
};

/// A serialized document with its entity tag.
#[derive(Clone)]
pub(crate) struct Document {
    pub(crate) bytes: Bytes,
    pub(crate) tag: EntityTag,
}

/// Returns the document of a listener that serves those of `endpoints` for its role; built once per process.
pub(crate) fn document(role: ListenerRole, endpoints: &[&Endpoint]) -> Document {
    static BOTH: OnceLock<Document> = OnceLock::new();
    static VERSION_1: OnceLock<Document> = OnceLock::new();
    static VERSION_2: OnceLock<Document> = OnceLock::new();
    static ADMIN: OnceLock<Document> = OnceLock::new();
    let document = match role {
        ListenerRole::BothVersions => &BOTH,
        ListenerRole::Version1 => &VERSION_1,
        ListenerRole::Version2 => &VERSION_2,
        ListenerRole::Admin => &ADMIN,
    };
    let build = || {
        // Maps with string keys and finite numbers always serialize to JSON.
        let bytes = Bytes::from(json::bytes(&document::build(role, endpoints)).unwrap_or_default());
        Document { tag: entity_tag(&bytes), bytes }
    };
    document.get_or_init(build).clone()
}

#[cfg(test)]
mod tests;
