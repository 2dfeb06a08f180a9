//! The HTTP interface of a firm-quote server.
//!
//! Decodes requests, calls the desk and encodes its results: routes, wire types, authentication, the table from errors
//! to statuses, metrics and the access log. Never prices, stores quotes, or reads the environment or the system clock.
#![doc = include_str!("../README.md")]

mod auth;
mod compression;
#[cfg(feature = "viewer")]
mod docs_page;
mod endpoints;
mod entity_tag;
mod error;
mod events;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod input;
mod levels;
mod limits;
mod metrics;
mod openapi;
mod readiness;
mod request;
mod routes;
mod sample;
mod server;
mod service;
mod wire;

pub use self::{
    auth::{
        AdminTokenHash, ApiKeyHash, AuthenticatedClient, BasicRetirement, ClientCredential, ClientName, Credential,
        Credentials, InvalidCredential, NewAdminToken, NewApiKey, NewPassword, Operator, OperatorName, PasswordHash,
        RandomnessUnavailable, Role, SANDBOX_PREFIX, Username,
    },
    events::{OPERATOR_EVENT_KINDS, OperatorEvent, OperatorEventPage, read_operator_events},
    limits::{Limits, Network, Quota},
    metrics::{Metrics, MetricsError},
    request::{MAX_BODY_BYTES, SPAN_TARGET, TraceContext, TraceId, TracingHooks, links::Scheme},
    routes::{admin_routes, public_routes},
    server::{
        ConnectionConfig, InvalidTlsCertificate, Listeners, Server, StopHandle, TlsCertificate, TlsIdentity, serve,
    },
    service::{
        ConnectionSettings, Earnings, EarningsReport, EarningsReporter, EarningsRow, InvalidSetting, LiveService,
        PoolEarnings, PublicUrl, ReplicaStatus, Service, ServiceName, Settings, cors::CorsOrigin,
    },
};
