//! Documentation: the OpenAPI description, the contract's ABI and typed data, and the pages about invalid inputs.

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
    endpoint::{Endpoint, Listeners, LogLevel, NO_CACHE, Purpose},
    operation::{HTML, Inputs, Operation, PathWords, SuccessBody},
};
use crate::{
    entity_tag::json_unless_known,
    error::{AllowedMethods, ApiError, pages},
    input::InvalidKind,
    openapi,
    request::RequestContext,
    wire::json::JSON,
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

/// Redirects the root to the documentation page, or, without one, to the document.
async fn root() -> HttpResponse {
    redirect(if cfg!(feature = "viewer") { "docs" } else { "openapi.json" })
}

/// Redirects to `location`, relative to the path of the request, so that it works behind a proxy that adds a path
/// prefix.
pub(super) fn redirect(location: &'static str) -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, HeaderValue::from_static(location))).finish()
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
