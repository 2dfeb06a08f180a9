//! The operator's configuration of a firm-quote server: one TOML document with environment variable overrides, parsed
//! once into the settings types of the configured crates.
#![doc = include_str!("../README.md")]

mod auth;
mod built_in;
mod chain;
mod config;
mod credential;
pub mod credentials_file;
mod document;
mod files;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod keystore_password;
mod limits;
mod log;
mod mode;
mod otlp;
mod pool;
mod price;
mod sandbox;
mod server;
mod signer;
mod sources;
mod store;
pub mod time_format;
mod tls;

pub use chain::{ChainConfig, NodesConfig};
pub use config::Config;
pub use document::{
    env_overrides::{Override, PREFIX, is_misspelled},
    error::ConfigError,
    restart_required::RestartRequired,
};
pub use files::{Files, files};
pub use limits::LimitsConfig;
pub use log::{LogConfig, LogFormat};
pub use otlp::OtlpConfig;
pub use pool::{PoolConfig, ReservesConfig};
pub use price::{PriceSourceConfig, PricesConfig};
pub use sandbox::SandboxConfig;
pub use server::ServerConfig;
pub use signer::SignerConfig;
pub use sources::{FileReaders, NoSources, SECRET_MODES, Sources, UnreadableFile};
pub use store::{MemoryConfig, StoreConfig};
pub use tls::{TlsConfig, UnusableTlsFile};
