//! The operator's document: read once into a tree whose values keep their line and every digit, with environment variables
//! laid over it, and then asked for one key at a time.

pub(crate) mod displayed_value;
pub(crate) mod env_overrides;
pub(crate) mod error;
pub(crate) mod path;
pub(crate) mod reader;
pub(crate) mod restart_required;
pub(crate) mod secret_refs;
pub(crate) mod toml;
pub(crate) mod tree;
pub(crate) mod unknown_variables;
pub(crate) mod values;
