//! A complete firm-quote server that runs inside the host process.
//!
//! [`Application::build`] opens every resource that a [`Config`](firmquote_config::Config) names and is the only place
//! where the components are wired together; [`Application::run`] serves until shutdown. Prices, reserves and pauses are
//! kept up to date, changed files are reloaded, metrics and traces are collected. The process itself stays under the
//! host's control: this crate installs no allocator, logger or TLS provider, raises no limit and handles no signal.
#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(all(feature = "chain", feature = "redis")),
    allow(dead_code, unused_imports, reason = "only what is left out would use it")
)]

mod application;
mod assembly;
mod books;
mod breakers;
#[cfg(feature = "chain")]
mod chain;
#[cfg(not(feature = "chain"))]
#[path = "features/no_chain.rs"]
mod chain;
mod clock;
pub mod environment;
mod error;
mod features;
mod host;
mod inspection;
mod instrumented;
mod metrics;
mod pauses;
mod prices;
mod records;
#[cfg(feature = "redis")]
mod redis;
#[cfg(not(feature = "redis"))]
#[path = "features/no_redis.rs"]
mod redis;
mod reload;
mod supervise;
mod telemetry;
mod webhooks;

pub use application::{Application, ApplicationBuilder, PushClient};
pub use assembly::Addresses;
pub use clock::{SystemClock, system_time};
pub use environment::{CredentialsFile, raise_open_file_limit, system_environment};
pub use error::Error;
pub use inspection::{Inspection, PriceReport};
pub use reload::ConfigFile;
pub use telemetry::{LogWriter, SpanExport, Telemetry};
pub use webhooks::test_webhook;
