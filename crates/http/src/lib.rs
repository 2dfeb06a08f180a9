//! The HTTP face of a firm-quote server.
//!
//! It decodes requests, asks the desk, and encodes what the desk says: routes, wire types, authentication, the
//! one table from error to status, metrics and the log line of each request. It prices nothing, keeps no quotes,
//! reads no environment and no time of day.
#![doc = include_str!("../README.md")]

mod auth;
mod body;
mod boundary;
mod civil_time;
mod error;
mod error_body;
mod error_pages;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod handlers;
mod input;
mod json;
mod links;
mod metrics;
mod outcome;
mod pass;
mod request_id;
mod route;
mod routes;
mod server;
mod settings;
mod unwind;
mod wire;

pub use auth::{
    AdminTokenHash, ApiKeyHash, Authenticator, ClientName, Credential, Credentials, InvalidCredential, NewAdminToken,
    NewApiKey, NewPassword, PasswordHash, RandomnessUnavailable, Username,
};
pub use metrics::{Metrics, MetricsError};
pub use server::{Listeners, Server, Service, StopHandle};
pub use settings::{BasicRetirement, ConnectionSettings, InvalidSetting, PublicUrl, ServiceName, Settings};
