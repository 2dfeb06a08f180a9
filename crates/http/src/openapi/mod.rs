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
mod operations;
mod operator_examples;
mod parameters;
mod pool_examples;
mod reasons;
mod refusals;
mod schemas;
mod security;
mod words;

use std::sync::LazyLock;

use actix_web::web::Bytes;

use crate::{json, route::Route};

/// What a listener serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Document {
    /// Both versions on one listener.
    Both,
    /// Version 1 on a listener of its own.
    Version1,
    /// Version 2 on a listener of its own.
    Version2,
    /// What is the operator's own.
    Admin,
}

const VERSION_1: &[Route] = &[Route::PoolV1, Route::QuoteV1, Route::SignV1];
const VERSION_2: &[Route] = &[Route::PoolV2, Route::QuoteV2, Route::SignV2, Route::QuoteSignV2];
const OPERATORS: &[Route] =
    &[Route::Health, Route::Readiness, Route::Metrics, Route::Prices, Route::PausePool, Route::ResumePool];
const OPERATORS_PAGE: &[Route] = &[
    Route::OperatorPage,
    Route::OperatorStyle,
    Route::OperatorScript,
    Route::Overview,
    Route::Curve,
    Route::RecentSignatures,
];
const PAGES: &[Route] = &[Route::OpenApi, Route::Docs, Route::DocsFile, Route::ErrorIndex, Route::ErrorPage];

impl Document {
    /// The routes of the listener, in the order in which they are described.
    fn routes(self) -> Vec<Route> {
        let own: &[&[Route]] = match self {
            Self::Both => &[VERSION_1, VERSION_2, PAGES],
            Self::Version1 => &[VERSION_1, PAGES],
            Self::Version2 => &[VERSION_2, PAGES],
            Self::Admin => &[OPERATORS, OPERATORS_PAGE, PAGES],
        };
        own.concat()
    }

    /// The document as it is served; made once in the life of the process.
    pub(crate) fn bytes(self) -> Bytes {
        static BOTH: LazyLock<Bytes> = LazyLock::new(|| write(Document::Both));
        static VERSION_1: LazyLock<Bytes> = LazyLock::new(|| write(Document::Version1));
        static VERSION_2: LazyLock<Bytes> = LazyLock::new(|| write(Document::Version2));
        static ADMIN: LazyLock<Bytes> = LazyLock::new(|| write(Document::Admin));
        let made = match self {
            Self::Both => &BOTH,
            Self::Version1 => &VERSION_1,
            Self::Version2 => &VERSION_2,
            Self::Admin => &ADMIN,
        };
        Bytes::clone(made)
    }
}

fn write(document: Document) -> Bytes {
    // Maps with texts for keys and finite numbers always have a JSON form.
    json::bytes(&document::of(document)).unwrap_or_default().into()
}

#[cfg(test)]
mod tests;
