//! The operator's configuration of a firm-quote server: one TOML document with environment variable overrides, parsed
//! once into the settings types of the configured crates.
#![doc = include_str!("../README.md")]

mod built_in;
mod chain;
mod config;
mod credentials;
mod document;
mod environment;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod mode;
mod pool;
mod price;
mod sandbox;
mod server;
mod signer;
mod store;
mod tape;
mod telemetry;
#[cfg(test)]
mod tests;
pub mod time_format;

pub use chain::{ChainConfig, NodesConfig};
pub use config::{Config, token_symbols};
pub use credentials::credentials_file;
pub use document::{
    env_overrides::{Override, PREFIX, is_misspelled},
    error::ConfigError,
    text::{ConfigText, SourceText},
};
pub use environment::{
    EmptyEnvironment, Environment, FileReaders, Files, SECRET_MODES, UnreadableFile, files, secret_file,
};
pub use pool::{
    AcceptedUnproved, PoolConfig, ReservesConfig,
    breakers::{BreakerPolicy, BreakerThresholds},
};
pub use price::{PriceSourceConfig, PricesConfig};
pub use sandbox::SandboxConfig;
pub use server::{
    ServerConfig, TlsConfig, UnusableTlsFile,
    limits::LimitsConfig,
    webhook::{WebhookConfig, new_webhook_secret},
};
pub use signer::SignerConfig;
pub use store::{MemoryConfig, StoreConfig};
pub use tape::TapeConfig;
pub use telemetry::{
    log::{LogConfig, LogFormat},
    otlp::OtlpConfig,
};
