//! Outbound HTTP and TLS, shared by all crates that make outbound calls.
//!
//! [`Endpoint`] is a validated URL that never displays its path, [`client_tls`] builds a TLS configuration from trust
//! roots, and [`HttpClient`] sends requests with a connect timeout and at most one retry; [`read_body`] limits the size
//! of a response, [`retry_after_seconds`] the delay that it requests. Redirects are never followed, nothing is logged,
//! and no process-wide TLS provider is installed or needed.
#![doc = include_str!("../README.md")]

mod client;
mod connector;
mod endpoint;
mod error;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod public_address;
mod response;
mod tls;

pub use client::{HttpClient, HttpClientConfig, Retry};
pub use endpoint::{Endpoint, InvalidEndpoint};
pub use error::{Error, error_chain};
pub use public_address::NOT_PUBLIC;
pub use response::{excerpt, next_part, read_body, retry_after_seconds};
pub use tls::{ClientIdentity, InvalidTls, client_tls};
