//! Outbound HTTP and TLS: the parts that every crate with outbound calls shares.
//!
//! [`Endpoint`] is a checked URL that never shows its path, [`client_tls`] builds a TLS configuration from trust roots, and
//! [`HttpClient`] sends requests with a connect timeout, at most one retry and a limit on the response. Redirects are never
//! followed, nothing is logged, and no process-wide TLS provider is installed or needed.
#![doc = include_str!("../README.md")]

mod client;
mod connector;
mod endpoint;
mod error;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod tls;

pub use client::{HttpClient, HttpClientConfig, Retry, read_body};
pub use endpoint::{Endpoint, InvalidEndpoint};
pub use error::{Error, error_chain};
pub use tls::{ClientIdentity, InvalidTls, client_tls};
