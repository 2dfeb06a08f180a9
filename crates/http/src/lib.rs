//! The HTTP face of a firm-quote server.
//!
//! It decodes requests, asks the desk, and encodes what the desk says: routes, wire types, authentication, the
//! one table from error to status, metrics and the log line of each request. It prices nothing, keeps no quotes,
//! reads no environment and no time of day.
#![doc = include_str!("../README.md")]

mod auth;
mod docs_page;
mod error;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod input;
mod limits;
mod metrics;
mod openapi;
mod readiness;
mod request;
mod routes;
mod server;
mod service;
mod wire;

pub use crate::request::{SPANS, TraceContext, TraceId, Tracing, links::Scheme};
pub use auth::{
    AdminTokenHash, ApiKeyHash, BasicRetirement, ClientName, Credential, Credentials, InvalidCredential, NewAdminToken,
    NewApiKey, NewPassword, PasswordHash, RandomnessUnavailable, Username,
};
pub use limits::{Limits, Network, Quota};
pub use metrics::{Metrics, MetricsError};
pub use routes::{admin_routes, public_routes};
pub use server::{
    ConnectionConfig, InvalidTlsCertificate, Listeners, Server, StopHandle, TlsCertificate, TlsIdentity, serve,
};
pub use service::{
    ConnectionSettings, InvalidSetting, LiveService, PublicUrl, Service, ServiceName, Settings, cors::CorsOrigin,
};
