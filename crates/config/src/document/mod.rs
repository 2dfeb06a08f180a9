//! The operator's document: read once into a tree whose values keep their line and every digit, with environment
//! variable overrides applied, and then deserialized into tables of typed settings.

pub(crate) mod deserializer;
pub(crate) mod displayed_value;
pub(crate) mod env_overrides;
pub(crate) mod error;
pub(crate) mod field;
pub(crate) mod path;
pub(crate) mod secret_keys;
pub(crate) mod secret_refs;
pub(crate) mod text;
pub(crate) mod toml;
pub(crate) mod tree;
pub(crate) mod unknown_variables;
pub(crate) mod values;
