//! Building blocks of response schemas, and the value types that many responses share.

use serde_json::json;
use utoipa::openapi::{
    Ref, RefOr, Schema,
    schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, OneOfBuilder, RefBuilder, SchemaFormat, Type},
};

/// A number of base units in decimal digits, up to 2^256 - 1.
const BASE_UNITS: &str = "^(0|[1-9][0-9]{0,77})$";

/// A schema and its component name.
pub(super) type NamedSchema = (&'static str, Schema);

/// A response object: every member is described, and present unless it is optional.
pub(super) struct ClosedObject(ObjectBuilder);

impl ClosedObject {
    /// An object without members.
    pub(super) fn new(about: &str) -> Self {
        let object = ObjectBuilder::new().schema_type(Type::Object).description(Some(about));
        Self(object.additional_properties(Some(AdditionalProperties::FreeForm(false))))
    }

    /// Adds a required member.
    pub(super) fn with(self, name: &str, schema: impl Into<RefOr<Schema>>) -> Self {
        Self(self.0.property(name, schema).required(name))
    }

    /// Adds an optional member.
    pub(super) fn optional(self, name: &str, schema: impl Into<RefOr<Schema>>) -> Self {
        Self(self.0.property(name, schema))
    }

    /// The schema.
    pub(super) fn build(self) -> Schema {
        Schema::Object(self.0.build())
    }
}

/// A reference to the schema `name`, with a description of its own.
pub(super) fn described_ref(name: &str, about: &str) -> RefOr<Schema> {
    RefBuilder::new().ref_location_from_schema_name(name).description(Some(about)).build().into()
}

/// A reference to the schema `name`.
pub(super) fn schema_ref(name: &str) -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(name))
}

/// An array of at least one item of the schema `name`.
pub(super) fn non_empty_array(name: &str) -> Schema {
    ArrayBuilder::new().items(schema_ref(name)).min_items(Some(1)).build().into()
}

/// An array of any number of items.
pub(super) fn array(items: RefOr<Schema>, about: &str) -> Schema {
    ArrayBuilder::new().items(items).description(Some(about)).build().into()
}

/// The two symbols of a pair.
pub(super) fn symbols() -> Schema {
    ArrayBuilder::new().items(RefOr::T(text("A symbol."))).min_items(Some(2)).max_items(Some(2)).build().into()
}

/// A number of base units, also zero.
pub(super) fn base_units(about: &str) -> Schema {
    let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some(BASE_UNITS));
    text.description(Some(about)).build().into()
}

/// An integer, `minimum` or more.
pub(super) fn integer(minimum: u8, about: &str) -> Schema {
    let integer = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(minimum));
    integer.description(Some(about)).build().into()
}

/// A number, zero or more.
pub(super) fn number(about: &str) -> Schema {
    ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0)).description(Some(about)).build().into()
}

/// A number of either sign.
pub(super) fn any_number(about: &str) -> Schema {
    ObjectBuilder::new().schema_type(Type::Number).description(Some(about)).build().into()
}

/// `schema`, or `null`.
pub(super) fn or_null(schema: impl Into<RefOr<Schema>>) -> Schema {
    let null: Schema = ObjectBuilder::new().schema_type(Type::Null).build().into();
    Schema::OneOf(OneOfBuilder::new().item(schema.into()).item(null).build())
}

/// A string without a pattern.
pub(super) fn text(about: &str) -> Schema {
    ObjectBuilder::new().schema_type(Type::String).description(Some(about)).build().into()
}

/// `true` or `false`.
pub(super) fn boolean(about: &str) -> Schema {
    ObjectBuilder::new().schema_type(Type::Boolean).description(Some(about)).build().into()
}

/// A string with a fixed set of values.
pub(super) fn string_enum<'w>(words: impl IntoIterator<Item = &'w str>, about: &str) -> Schema {
    let text = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words));
    text.description(Some(about)).build().into()
}

/// Strings with a pattern, which generated clients can give types of their own.
pub(super) fn all() -> Vec<NamedSchema> {
    let text = |pattern: &str, about: &str| {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).description(Some(about))
    };
    let uuid = text("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$", "The id of a quote.");
    vec![
        ("Address", text("^0x[0-9a-fA-F]{40}$", "20 bytes of hex with the EIP-55 checksum.").build().into()),
        (
            "Amount",
            text("^[1-9][0-9]{0,77}$", "An amount in base units of its token, in decimal digits.").build().into(),
        ),
        ("BaseUnits", base_units("A number of base units, also zero, in decimal digits.")),
        ("Bytes32", text("^0x[0-9a-f]{64}$", "32 bytes of hex.").build().into()),
        ("StateId", text("^[0-9a-f]{32}$", "The id of a pool state: 16 bytes of hex.").build().into()),
        ("LevelsId", text("^[0-9a-f]{32}$", "The id of price levels: 16 bytes of hex.").build().into()),
        ("QuoteId", uuid.format(Some(SchemaFormat::Custom("uuid".to_owned()))).build().into()),
        (
            "UtcTime",
            text(
                r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}\+00:00$",
                "A time in UTC, with microseconds.",
            )
            .examples([json!("2023-10-13 22:24:20.932560+00:00")])
            .build()
            .into(),
        ),
    ]
}
