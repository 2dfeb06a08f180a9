//! The documentation page with its files.

use actix_web::{HttpResponse, http::header::CONTENT_SECURITY_POLICY, web};

use super::{
    access::Access,
    endpoint::{Endpoint, Listeners, LogLevel, NO_STORE, Purpose},
    operation::{HTML, Inputs, Operation, PathWords, SuccessBody},
    pages::redirect,
};
use crate::{
    docs_page::{self, EmbeddedFile},
    error::{AllowedMethods, ApiError},
    request::RequestContext,
    wire::json,
};

pub(crate) static DOCS: Endpoint = Endpoint {
    path: "/docs",
    listeners: Listeners::All,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Page,
    cache_control: None,
    log: LogLevel::Info,
    handler: || web::to(docs),
    operation: Some(Operation {
        id: "docs",
        summary: "Interactive documentation",
        about: "A web page that shows this document and can send requests to the service.",
        success: "The page.",
        body: SuccessBody::Text(HTML),
        is_revalidated: true,
        ..Operation::NEW
    }),
};

/// Returns the documentation page, which shows the OpenAPI description.
async fn docs(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let mut page = docs_page::PAGE.respond(context.http())?;
    page.headers_mut().insert(CONTENT_SECURITY_POLICY, docs_page::POLICY);
    Ok(page)
}

pub(crate) static DOCS_EXAMPLES: Endpoint = Endpoint {
    path: "/docs/examples.json",
    listeners: Listeners::Public,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Page,
    cache_control: NO_STORE,
    log: LogLevel::Debug,
    handler: || web::to(docs_examples),
    operation: None,
};

/// Returns inputs that the first pool accepts, which the documentation page shows in place of the examples of the document.
async fn docs_examples(context: RequestContext) -> Result<HttpResponse, ApiError> {
    json::response(&docs_page::examples(&context.service().desk))
}

pub(crate) static DOCS_FILE: Endpoint = Endpoint {
    path: "/docs/{file}",
    listeners: Listeners::All,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Page,
    cache_control: None,
    log: LogLevel::Info,
    handler: || web::to(docs_file),
    operation: Some(Operation {
        id: "docs_file",
        summary: "A file of the documentation page",
        about: "A script or style sheet of the page, or its license; compressed with gzip if the client accepts that.",
        success: "The file.",
        body: SuccessBody::CompressedText(|| docs_page::FILES.iter().map(|file| file.media_type().name()).collect()),
        inputs: Inputs::words(PathWords {
            name: "file",
            about: "The name of the file.",
            words: || docs_page::FILES.iter().map(EmbeddedFile::name).collect(),
            example: "LICENSE",
        }),
        is_revalidated: true,
        ..Operation::NEW
    }),
};

/// Returns a file that the documentation page loads.
async fn docs_file(context: RequestContext) -> Result<HttpResponse, ApiError> {
    docs_page::file(context.parameter()).ok_or(ApiError::NoRoute)?.respond(context.http())
}

pub(crate) static DOCS_SLASH: Endpoint = Endpoint {
    path: "/docs/",
    listeners: Listeners::All,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Page,
    cache_control: None,
    log: LogLevel::Info,
    handler: || web::to(docs_slash),
    operation: None,
};

/// Redirects `/docs/` to the documentation page.
async fn docs_slash() -> HttpResponse {
    redirect("../docs")
}
