//! A whole firm-quote server in a process.
//!
//! [`Application::build`] opens everything that a [`Config`](firmquote_config::Config) names and is the one place where the
//! parts are put together; [`Application::run`] serves until it is told to stop. Prices, reserves and pauses are kept up to
//! date, a changed file comes into force, metrics and traces are collected. The process itself stays the host's: no
//! allocator, logger or TLS provider is installed, no limit raised, no signal caught.
#![doc = include_str!("../README.md")]

mod application;
mod assembly;
mod chain;
mod clock;
mod error;
mod inspection;
mod instrumented;
mod metrics;
mod pauses;
mod prices;
mod reload;
mod sources;
mod telemetry;

pub use application::Application;
pub use assembly::Addresses;
pub use clock::{SystemClock, system_time};
pub use error::Error;
pub use inspection::{Inspection, PriceOrigin};
pub use reload::ConfigFile;
pub use sources::{environment, raise_open_file_limit, system_sources};
pub use telemetry::{LogWriter, SpanExport, Telemetry};
