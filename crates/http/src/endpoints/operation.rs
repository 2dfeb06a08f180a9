//! The description of an endpoint in the OpenAPI document.

use std::borrow::Cow;

use firmquote_api as api;
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{error::Reason, input::Field};

/// An operation of the document.
pub(crate) struct Operation {
    /// Unique in a document; generated clients name their functions after it.
    pub(crate) id: &'static str,
    /// One line.
    pub(crate) summary: &'static str,
    /// The description: everything that the summary leaves out.
    pub(crate) about: &'static str,
    /// The description of the successful response.
    pub(crate) success: &'static str,
    pub(crate) inputs: Inputs,
    /// The body of the 200 response.
    pub(crate) body: SuccessBody,
    /// The operations that continue with the response.
    pub(crate) links: &'static [Link],
    /// Whether clients may cache responses and revalidate them.
    pub(crate) is_revalidated: bool,
    /// The reasons of errors that only this operation has.
    pub(crate) reasons: &'static [Reason],
}

impl Operation {
    /// An operation without inputs, to be described.
    pub(super) const NEW: Self = Self {
        id: "",
        summary: "",
        about: "",
        success: "",
        inputs: Inputs::NONE,
        body: SuccessBody::Text(HTML),
        links: &[],
        is_revalidated: false,
        reasons: &[],
    };
}

/// A link from a quote to the operation with this id.
pub(crate) enum Link {
    /// The operation that signs it.
    Sign(&'static str),
    /// The operation that returns its status.
    Status(&'static str),
}

/// The fields that an endpoint decodes, by their place in the request.
pub(crate) struct Inputs {
    pub(crate) path: &'static [&'static Field],
    pub(crate) query: &'static [&'static Field],
    /// The members of the body; empty for an endpoint without a request body.
    pub(crate) body: &'static [&'static Field],
    /// The path parameter, if it has a fixed set of values.
    pub(crate) words: Option<PathWords>,
}

/// A path parameter with a fixed set of values.
pub(crate) struct PathWords {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) words: fn() -> Vec<&'static str>,
    pub(crate) example: &'static str,
}

impl Inputs {
    /// No fields.
    pub(crate) const NONE: Self = Self { path: &[], query: &[], body: &[], words: None };

    /// Fields in the query.
    pub(super) const fn query(query: &'static [&'static Field]) -> Self {
        Self { query, ..Self::NONE }
    }

    /// Fields in the path and in the query.
    pub(super) const fn path_and_query(path: &'static [&'static Field], query: &'static [&'static Field]) -> Self {
        Self { path, query, ..Self::NONE }
    }

    /// Members of the body.
    pub(super) const fn body(body: &'static [&'static Field]) -> Self {
        Self { body, ..Self::NONE }
    }

    /// A path parameter with a fixed set of values.
    pub(super) const fn words(words: PathWords) -> Self {
        Self { words: Some(words), ..Self::NONE }
    }

    /// Whether the endpoint decodes any field.
    pub(crate) const fn is_any(&self) -> bool {
        !self.path.is_empty() || !self.query.is_empty() || !self.body.is_empty()
    }
}

/// A schema and its component name.
pub(crate) type NamedSchema = (String, RefOr<Schema>);

/// The content type of a web page.
pub(super) const HTML: &str = "text/html; charset=utf-8";

/// The body of a successful response.
pub(crate) enum SuccessBody {
    /// JSON of a type, with an example.
    Json(ResponseType, fn() -> Value),
    /// Pool data of a type, with an example of each fieldset.
    PoolData(ResponseType, fn(api::PoolType) -> Value),
    /// JSON of a schema that is used once.
    AnyJson(fn() -> RefOr<Schema>),
    /// Text of a content type.
    Text(&'static str),
    /// Text of one of these content types, which may be repeated; compressed if the client accepts that.
    #[cfg_attr(not(feature = "viewer"), expect(dead_code, reason = "only the documentation page has such files"))]
    CompressedText(fn() -> Vec<&'static str>),
}

/// The type of a response, as far as the document needs it.
pub(crate) struct ResponseType {
    /// Returns the name of its schema.
    pub(crate) name: fn() -> Cow<'static, str>,
    /// Adds its schema and those that it references.
    pub(crate) add_schemas: fn(&mut Vec<NamedSchema>),
}

impl ResponseType {
    const fn new<T: ToSchema>() -> Self {
        Self { name: T::name, add_schemas: add_schemas::<T> }
    }
}

fn add_schemas<T: ToSchema>(schemas: &mut Vec<NamedSchema>) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}

/// A response of type `T`.
pub(super) const fn json<T: ToSchema>(example: fn() -> Value) -> SuccessBody {
    SuccessBody::Json(ResponseType::new::<T>(), example)
}

/// A response of type `T` whose members the fieldset selects.
pub(super) const fn pool_data<T: ToSchema>(example: fn(api::PoolType) -> Value) -> SuccessBody {
    SuccessBody::PoolData(ResponseType::new::<T>(), example)
}
