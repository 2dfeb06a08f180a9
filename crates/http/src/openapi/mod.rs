//! The description of the service in OpenAPI 3.1, as each listener serves it at `/openapi.json`.
//!
//! It is made of what the service itself works with: inputs of the lists that requests are decoded by, errors of the table
//! that answers them, methods and credentials of the routes. What it says of answers the tests hold against every answer
//! they get.

mod answers;
mod bodies;
mod document;
mod examples;
mod headers;
mod inputs;
mod operation_text;
mod parameters;
mod reasons;
mod schemas;
mod security;

use std::sync::LazyLock;

use actix_web::web::Bytes;

use crate::{routes::Routes, wire::json};

/// The document of a listener as it is served; made once in the life of the process.
pub(crate) fn document(routes: Routes) -> Bytes {
    static BOTH: LazyLock<Bytes> = LazyLock::new(|| write(Routes::Both));
    static VERSION_1: LazyLock<Bytes> = LazyLock::new(|| write(Routes::Version1));
    static VERSION_2: LazyLock<Bytes> = LazyLock::new(|| write(Routes::Version2));
    static ADMIN: LazyLock<Bytes> = LazyLock::new(|| write(Routes::Admin));
    let made = match routes {
        Routes::Both => &BOTH,
        Routes::Version1 => &VERSION_1,
        Routes::Version2 => &VERSION_2,
        Routes::Admin => &ADMIN,
    };
    Bytes::clone(made)
}

fn write(routes: Routes) -> Bytes {
    // Maps with texts for keys and finite numbers always have a JSON form.
    json::bytes(&document::build(routes)).unwrap_or_default().into()
}

#[cfg(test)]
mod tests;
