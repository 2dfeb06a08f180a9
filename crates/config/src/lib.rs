//! The operator's configuration of a firm-quote server: one TOML document, environment variables laid over it, parsed once
//! into the settings types of the crates that are configured.
#![doc = include_str!("../README.md")]

mod auth;
mod chain;
mod config;
mod credential;
pub mod credentials_document;
pub mod credentials_file;
mod demo;
mod document;
mod files;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod keystore_password;
mod limits;
mod log;
mod otlp;
mod pool;
mod price;
mod server;
mod signer;
mod sources;
mod store;
pub mod time_format;
mod tls;

pub use self::{
    chain::{ChainConfig, NodesConfig},
    config::Config,
    document::{
        env_overrides::{Override, PREFIX},
        error::ConfigError,
        restart_required::RestartRequired,
        unknown_variables::is_misspelled,
    },
    files::{Files, files},
    limits::LimitsConfig,
    log::{LogConfig, LogFormat},
    otlp::OtlpConfig,
    pool::{PoolConfig, ReservesConfig},
    price::{PriceSourceConfig, PricesConfig},
    server::ServerConfig,
    signer::SignerConfig,
    sources::{NoSources, Readers, SECRET_MODES, Sources, UnreadableFile},
    store::{MemoryConfig, StoreConfig},
    tls::{TlsConfig, UnusableTlsFile},
};
