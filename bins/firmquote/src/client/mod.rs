//! Support for the client commands: amounts in whole tokens, pool data, documents. Nothing here signs or sends
//! transactions to a chain.

pub(crate) mod access;
pub(crate) mod call;
pub(crate) mod display;
pub(crate) mod document;
pub(crate) mod failure;
pub(crate) mod json_output;
pub(crate) mod pool_data;

pub(crate) use json_output::{Derived, DerivedAmount};
