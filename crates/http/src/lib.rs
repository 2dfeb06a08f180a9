//! The HTTP face of a firm-quote server.
//!
//! It decodes requests, asks the desk, and encodes what the desk says: routes, wire types, authentication, the
//! one table from error to status, metrics and the log line of each request. It prices nothing, keeps no quotes,
//! reads no environment and no time of day.
#![doc = include_str!("../README.md")]

mod addresses;
mod auth;
mod basic_notice;
mod body;
mod certificate_expiry;
mod civil_time;
mod client_metrics;
mod connection;
mod cors;
mod error;
mod error_body;
mod error_pages;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod handlers;
mod input;
mod json;
mod limits;
mod links;
mod live_service;
mod metrics;
mod middleware;
mod openapi;
mod outage_log;
mod outcome;
mod own_site;
mod pool_metrics;
mod probe;
mod readiness;
mod readiness_metrics;
mod request;
mod request_id;
mod response;
mod route;
mod routes;
mod server;
mod service;
mod service_snapshot;
mod settings;
mod subject;
mod tls;
mod trace_context;
mod traced;
mod trades;
mod unwind;
mod verdict;
mod viewer;
mod wire;

pub use auth::{
    AdminTokenHash, ApiKeyHash, ClientName, Credential, Credentials, InvalidCredential, NewAdminToken, NewApiKey,
    NewPassword, PasswordHash, RandomnessUnavailable, Username,
};
pub use connection::ConnectionConfig;
pub use cors::CorsOrigin;
pub use limits::{Limits, Network, Quota};
pub use links::Scheme;
pub use live_service::LiveService;
pub use metrics::{Metrics, MetricsError};
pub use routes::{admin_routes, public_routes};
pub use server::{Listeners, Server, StopHandle, serve};
pub use service::Service;
pub use settings::{BasicRetirement, ConnectionSettings, InvalidSetting, PublicUrl, ServiceName, Settings};
pub use tls::{InvalidTlsCertificate, TlsCertificate, TlsIdentity};
pub use trace_context::{TraceContext, TraceId};
pub use traced::{SPANS, Tracing};
