//! Documentation: the OpenAPI description, the contract's ABI and typed data, the documentation page, and the pages about
//! invalid inputs.

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, LOCATION},
    web,
};
use strum::VariantArray as _;
use utoipa::openapi::{
    RefOr, Schema,
    schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, Type},
};

use super::{
    access::Access,
    endpoint::{Endpoint, Listeners, LogLevel, NO_CACHE, NO_STORE, Purpose},
    operation::{HTML, Inputs, Operation, PathWords, SuccessBody},
};
use crate::{
    docs_page::{self, EmbeddedFile},
    entity_tag::json_unless_known,
    error::{AllowedMethods, ApiError, pages},
    input::InvalidKind,
    openapi,
    request::RequestContext,
    wire::json::{self, JSON},
};

/// The pages are text and links, which the default policy renders; as HTML they also get `base-uri` and `form-action`.
const PAGE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");

pub(crate) static OPENAPI: Endpoint = Endpoint {
    path: "/openapi.json",
    listeners: Listeners::All,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Page,
    cache_control: NO_CACHE,
    log: LogLevel::Info,
    handler: || web::to(openapi_document),
    operation: Some(Operation {
        id: "openapi",
        summary: "This document",
        about: "The document of this listener.",
        success: "This document.",
        body: SuccessBody::AnyJson(openapi_schema),
        is_revalidated: true,
        ..Operation::NEW
    }),
};

/// Returns the OpenAPI description of the listener's routes.
async fn openapi_document(context: RequestContext) -> HttpResponse {
    let openapi::Document { bytes, tag } = openapi::document(context.listener_role(), context.endpoints());
    json_unless_known(context.http(), bytes, tag)
}

pub(crate) static ASYNCAPI: Endpoint = Endpoint {
    path: "/asyncapi.json",
    listeners: Listeners::Version2,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Page,
    cache_control: None,
    log: LogLevel::Info,
    handler: || web::to(asyncapi),
    operation: Some(Operation {
        id: "asyncapi",
        summary: "The messages of the streams of levels",
        about: "An AsyncAPI 3 document.",
        success: "The document.",
        body: SuccessBody::AnyJson(asyncapi_schema),
        ..Operation::NEW
    }),
};

/// Returns the AsyncAPI description of the streams of levels.
async fn asyncapi() -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(include_str!("../contract/asyncapi.json"))
}

pub(crate) static CONTRACT_ABI: Endpoint = Endpoint {
    path: "/abi.json",
    listeners: Listeners::All,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Page,
    cache_control: None,
    log: LogLevel::Info,
    handler: || web::to(contract_abi),
    operation: Some(Operation {
        id: "contract_abi",
        summary: "The ABI of the pool contract",
        about: "The functions that `calldata` calls and the swap event, in the JSON format of the Solidity compiler.",
        success: "The ABI.",
        body: SuccessBody::AnyJson(abi_schema),
        ..Operation::NEW
    }),
};

/// Returns the ABI of the pool contract: the functions that calldata calls, and the swap event.
async fn contract_abi() -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(include_str!("../contract/abi.json"))
}

pub(crate) static TYPED_DATA: Endpoint = Endpoint {
    path: "/typed-data.json",
    listeners: Listeners::All,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Page,
    cache_control: None,
    log: LogLevel::Info,
    handler: || web::to(typed_data),
    operation: Some(Operation {
        id: "typed_data",
        summary: "The EIP-712 types of a signed swap",
        about: "EIP-712 types and primary type, for signing libraries. The domain is `eip712_domain` of the pool data.",
        success: "The types.",
        body: SuccessBody::AnyJson(typed_data_schema),
        ..Operation::NEW
    }),
};

/// Returns the EIP-712 types of the signed data; a pool's domain is part of its pool data.
async fn typed_data() -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(include_str!("../contract/typed-data.json"))
}

pub(crate) static ROOT: Endpoint = Endpoint {
    path: "/",
    listeners: Listeners::Public,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Page,
    cache_control: None,
    log: LogLevel::Info,
    handler: || web::to(root),
    operation: None,
};

/// Redirects the root to the documentation page.
async fn root() -> HttpResponse {
    redirect("docs")
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

/// Redirects to `location`, relative to the path of the request, so that it works behind a proxy that adds a path
/// prefix.
fn redirect(location: &'static str) -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, HeaderValue::from_static(location))).finish()
}

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
        body: SuccessBody::DocsFiles,
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

pub(crate) static ERROR_INDEX: Endpoint = Endpoint {
    path: "/errors",
    listeners: Listeners::All,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::ErrorPage,
    cache_control: None,
    log: LogLevel::Debug,
    handler: || web::to(error_index),
    operation: Some(Operation {
        id: "error_index",
        summary: "All types of invalid input",
        about: "A web page that lists every `type` that an item of `data` can have.",
        success: "The page.",
        body: SuccessBody::Text(HTML),
        ..Operation::NEW
    }),
};

/// Returns the page that lists all kinds of invalid input.
async fn error_index() -> HttpResponse {
    page(pages::index())
}

pub(crate) static ERROR_PAGE: Endpoint = Endpoint {
    path: "/errors/{type}",
    listeners: Listeners::All,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::ErrorPage,
    cache_control: None,
    log: LogLevel::Debug,
    handler: || web::to(error_page),
    operation: Some(Operation {
        id: "error_page",
        summary: "One type of invalid input",
        about: "The web page that the `url` of an item of `data` links to.",
        success: "The page.",
        body: SuccessBody::Text(HTML),
        inputs: Inputs::words(PathWords {
            name: "type",
            about: "The `type` of an item of `data`.",
            words: || InvalidKind::VARIANTS.iter().map(|kind| kind.name()).collect(),
            example: "missing",
        }),
        ..Operation::NEW
    }),
};

/// Returns the page about one kind of invalid input.
async fn error_page(context: RequestContext) -> Result<HttpResponse, ApiError> {
    pages::about(context.parameter()).map(page).ok_or(ApiError::NoRoute)
}

fn page(html: String) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, HeaderValue::from_static(HTML)))
        .insert_header((CONTENT_SECURITY_POLICY, PAGE_POLICY))
        .body(html)
}

/// An OpenAPI document.
fn openapi_schema() -> RefOr<Schema> {
    open_object("openapi").into()
}

/// An AsyncAPI document.
fn asyncapi_schema() -> RefOr<Schema> {
    open_object("asyncapi").into()
}

/// A contract ABI.
fn abi_schema() -> RefOr<Schema> {
    ArrayBuilder::new().items(RefOr::T(open_object("type"))).build().into()
}

/// EIP-712 types.
fn typed_data_schema() -> RefOr<Schema> {
    open_object("primaryType").into()
}

/// An object with one required text and any other members.
fn open_object(required: &str) -> Schema {
    let any = ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(true)));
    any.required(required).property(required, ObjectBuilder::new().schema_type(Type::String)).build().into()
}
