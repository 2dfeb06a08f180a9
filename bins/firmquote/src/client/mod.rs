//! Support for the client commands: amounts in whole tokens, pool data, documents. Nothing here signs or sends
//! transactions to a chain.

pub(crate) mod access;
pub(crate) mod call;
pub(crate) mod compact_json;
pub(crate) mod document;
pub(crate) mod failure;
pub(crate) mod json_output;
pub(crate) mod pool_data;
pub(crate) mod text_table;
pub(crate) mod time_format;

pub(crate) use json_output::{Derived, DerivedAmount};
