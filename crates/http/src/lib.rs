//! The HTTP face of a firm-quote server.
//!
//! It decodes requests, asks the desk, and encodes what the desk says: routes, wire types, authentication, the
//! one table from error to status, metrics and the log line of each request. It prices nothing, keeps no quotes,
//! reads no environment and no time of day.
#![doc = include_str!("../README.md")]

mod addresses;
mod asked;
mod auth;
mod basic_notice;
mod body;
mod boundary;
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
mod in_force;
mod input;
mod json;
mod limits;
mod links;
mod live_service;
mod metrics;
mod openapi;
mod outage_log;
mod outcome;
mod own_site;
mod pass;
mod pool_metrics;
mod probe;
mod readiness;
mod readiness_metrics;
mod request_id;
mod route;
mod routes;
mod server;
mod service;
mod settings;
mod site;
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
pub use cors::CorsOrigin;
pub use limits::{Limits, Network, Quota};
pub use live_service::LiveService;
pub use metrics::{Metrics, MetricsError};
pub use server::{Listeners, Server, StopHandle};
pub use service::Service;
pub use settings::{BasicRetirement, ConnectionSettings, InvalidSetting, PublicUrl, ServiceName, Settings};
pub use tls::{InvalidTlsCertificate, TlsCertificate, TlsIdentity};
pub use trace_context::{TraceContext, TraceId};
pub use traced::{SPANS, Tracing};
