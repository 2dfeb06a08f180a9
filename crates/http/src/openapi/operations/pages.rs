//! Documents and pages.

use utoipa::openapi::{
    RefOr, Schema,
    schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, Type},
};

use crate::openapi::operation_spec::{
    Inputs, OperationSpec,
    SuccessBody::{self, AnyJson, DocsFiles},
};

pub(super) const OPENAPI: OperationSpec = OperationSpec {
    id: "openapi",
    summary: "This document",
    about: "The document of this listener.",
    success: "This document.",
    inputs: Inputs::NONE,
    body: AnyJson(document),
};

pub(super) const ASYNCAPI: OperationSpec = OperationSpec {
    id: "asyncapi",
    summary: "The messages of the streams of levels",
    about: "An AsyncAPI 3 document.",
    success: "The document.",
    inputs: Inputs::NONE,
    body: AnyJson(asyncapi),
};

pub(super) const CONTRACT_ABI: OperationSpec = OperationSpec {
    id: "contract_abi",
    summary: "The ABI of the pool contract",
    about: "The functions that `calldata` calls and the swap event, in the JSON format of the Solidity compiler.",
    success: "The ABI.",
    inputs: Inputs::NONE,
    body: AnyJson(abi),
};

pub(super) const TYPED_DATA: OperationSpec = OperationSpec {
    id: "typed_data",
    summary: "The EIP-712 types of a signed swap",
    about: "EIP-712 types and primary type, for signing libraries. The domain is `eip712_domain` of the pool data.",
    success: "The types.",
    inputs: Inputs::NONE,
    body: AnyJson(typed_data),
};

pub(super) const DOCS: OperationSpec = OperationSpec {
    id: "docs",
    summary: "Interactive documentation",
    about: "A web page that shows this document and can send requests to the service.",
    success: "The page.",
    inputs: Inputs::NONE,
    body: SuccessBody::HTML,
};

pub(super) const DOCS_FILE: OperationSpec = OperationSpec {
    id: "docs_file",
    summary: "A file of the documentation page",
    about: "A script or style sheet of the page, or its license; compressed with gzip if the client accepts that.",
    success: "The file.",
    inputs: Inputs::NONE,
    body: DocsFiles,
};

pub(super) const ERROR_INDEX: OperationSpec = OperationSpec {
    id: "error_index",
    summary: "All types of invalid input",
    about: "A web page that lists every `type` that an item of `data` can have.",
    success: "The page.",
    inputs: Inputs::NONE,
    body: SuccessBody::HTML,
};

pub(super) const ERROR_PAGE: OperationSpec = OperationSpec {
    id: "error_page",
    summary: "One type of invalid input",
    about: "The web page that the `url` of an item of `data` links to.",
    success: "The page.",
    inputs: Inputs::NONE,
    body: SuccessBody::HTML,
};

/// An OpenAPI document.
fn document() -> RefOr<Schema> {
    open_object("openapi").into()
}

/// An AsyncAPI document.
fn asyncapi() -> RefOr<Schema> {
    open_object("asyncapi").into()
}

/// A contract ABI.
fn abi() -> RefOr<Schema> {
    ArrayBuilder::new().items(RefOr::T(open_object("type"))).build().into()
}

/// EIP-712 types.
fn typed_data() -> RefOr<Schema> {
    open_object("primaryType").into()
}

/// An object with one required text and any other members.
fn open_object(required: &str) -> Schema {
    let any = ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(true)));
    any.required(required).property(required, ObjectBuilder::new().schema_type(Type::String)).build().into()
}
