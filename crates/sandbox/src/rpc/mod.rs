//! The simulated chain as a node: JSON-RPC over HTTP, as the libraries of takers use it to read, send and wait.

mod error;
mod handler;
mod methods;
mod view;

pub(crate) use self::handler::{MAX_BODY_BYTES, handle};
