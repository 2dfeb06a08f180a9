//! What an operator decides about the HTTP side, as typed values. Nothing here reads a file or the environment.

use std::time::Duration;

use super::{
    cors::CorsOrigin,
    setting_values::{PublicUrl, ServiceName},
};
use crate::{
    auth::BasicRetirement,
    limits::{Limits, Network},
};

/// What an operator decides about the HTTP side, and may decide anew while the server runs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Name of the service: realm of its challenges and default `aux_data` of its swaps.
    pub service_name: ServiceName,
    /// Where clients reach the service; links in error answers start with it. When absent, they start with the
    /// `Host` the request itself named.
    pub public_url: Option<PublicUrl>,
    /// Whether quote and sign of version 1 answer requests without credentials.
    pub anonymous: bool,
    /// How often clients may ask.
    pub limits: Limits,
    /// How long a client may take for the body of a request.
    pub body_timeout: Duration,
    /// Proxies whose `X-Forwarded-For` is believed when it says which address a request comes from.
    pub trusted_proxies: Vec<Network>,
    /// Web pages whose scripts may use the public listeners.
    pub cors_origins: Vec<CorsOrigin>,
    /// Share of the successful quotes and reads of pool data whose access log line is at `info`, 0 to 1; the others are at
    /// `debug`. Signatures, refused requests and operators' calls are always logged.
    pub log_sample_ratio: f64,
    /// How long the deprecated Basic scheme is taken, and what its clients are told.
    pub basic: BasicRetirement,
}

impl Default for Settings {
    /// `Firmquote`, links by the request's host, anonymous use allowed, the default limits, no proxies, no pages of other
    /// origins, no date for the end of Basic, 5 s for a body.
    fn default() -> Self {
        Self {
            service_name: ServiceName::default(),
            public_url: None,
            anonymous: true,
            limits: Limits::default(),
            body_timeout: Duration::from_secs(5),
            trusted_proxies: Vec::new(),
            cors_origins: Vec::new(),
            log_sample_ratio: 0.0,
            basic: BasicRetirement::default(),
        }
    }
}

/// Limits of connections, fixed for the life of a server. Every listener has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionSettings {
    /// Worker threads of each public listener, 1 to 512; what is beyond is taken for the nearest of them.
    pub workers: usize,
    /// Connections each worker keeps open at once; further ones wait in the backlog.
    pub connections_per_worker: usize,
    /// Connections of all public listeners together; further ones are refused.
    pub max_connections: usize,
    /// Connections of one address, or of one IPv6 network of 64 bits, at all public listeners together; further ones are
    /// refused. Trusted proxies have no such limit.
    pub max_connections_per_address: usize,
    /// Connections the kernel keeps waiting.
    pub backlog: u32,
    /// How long an idle connection stays open, also one on which nothing was ever asked.
    pub keep_alive: Duration,
    /// How long a client may take for the head of a request, counted from its first byte, and for a TLS handshake. What
    /// a client sends of a body that nobody reads counts as well.
    pub head_timeout: Duration,
    /// How long a client may take to read the answers that are ready for it.
    pub write_timeout: Duration,
    /// How long requests under way may take after a stop was asked for, in whole seconds.
    pub shutdown_timeout_seconds: u64,
}

impl Default for ConnectionSettings {
    /// As many workers as the machine runs threads, 10,000 connections each and altogether, 256 of one
    /// address, a backlog of 1,024,
    /// 75 s of keep-alive, 5 s for a head, 10 s to read answers, 15 s to stop.
    fn default() -> Self {
        Self {
            workers: std::thread::available_parallelism().map_or(2, std::num::NonZero::get).min(512),
            connections_per_worker: 10_000,
            max_connections: 10_000,
            max_connections_per_address: 256,
            backlog: 1_024,
            keep_alive: Duration::from_secs(75),
            head_timeout: Duration::from_secs(5),
            write_timeout: Duration::from_secs(10),
            shutdown_timeout_seconds: 15,
        }
    }
}
