//! The description of an operation in the document.

use serde_json::Value;
use utoipa::openapi::{RefOr, Schema};

use crate::input::{Field, Fieldset};

/// An operation of the document.
pub(super) struct OperationSpec {
    /// Unique in a document; generated clients name their functions after it.
    pub(super) id: &'static str,
    /// One line.
    pub(super) summary: &'static str,
    /// The description: everything that the summary leaves out.
    pub(super) about: &'static str,
    /// The description of the successful response.
    pub(super) success: &'static str,
    pub(super) inputs: Inputs,
    /// The body of the 200 response.
    pub(super) body: SuccessBody,
}

/// The fields that a route decodes, by their place in the request.
pub(super) struct Inputs {
    pub(super) path: &'static [Field],
    pub(super) query: &'static [Field],
    /// The members of the body; empty for a route without a request body.
    pub(super) body: &'static [Field],
}

impl Inputs {
    /// No fields.
    pub(super) const NONE: Self = Self { path: &[], query: &[], body: &[] };

    /// Fields in the query.
    pub(super) const fn query(query: &'static [Field]) -> Self {
        Self { query, ..Self::NONE }
    }

    /// Fields in the path and in the query.
    pub(super) const fn path_and_query(path: &'static [Field], query: &'static [Field]) -> Self {
        Self { path, query, ..Self::NONE }
    }

    /// Members of the body.
    pub(super) const fn body(body: &'static [Field]) -> Self {
        Self { body, ..Self::NONE }
    }

    /// Whether the route decodes any field.
    pub(super) const fn is_any(&self) -> bool {
        !self.path.is_empty() || !self.query.is_empty() || !self.body.is_empty()
    }
}

/// The body of a successful response.
pub(super) enum SuccessBody {
    /// JSON of a named schema, with an example.
    Json(&'static str, fn() -> Value),
    /// Pool data of a named schema, with an example of each fieldset.
    PoolData(&'static str, fn(Fieldset) -> Value),
    /// JSON of a schema that is used once.
    AnyJson(fn() -> RefOr<Schema>),
    /// Text of a content type.
    Text(&'static str),
    /// None: the response is 101 and the connection is no longer HTTP.
    Upgrade,
    /// A file of the documentation page, of the content type of its kind.
    DocsFiles,
}

impl SuccessBody {
    /// A web page.
    pub(super) const HTML: Self = Self::Text("text/html; charset=utf-8");
}
