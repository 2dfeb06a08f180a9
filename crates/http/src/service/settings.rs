//! The operator's settings of the HTTP interface, as typed values. Nothing here reads a file or the environment.

use std::time::Duration;

use super::{
    cors::CorsOrigin,
    setting_values::{PublicUrl, ServiceName},
};
use crate::{
    auth::BasicRetirement,
    limits::{Limits, Network},
};

/// The operator's settings of the HTTP interface, replaceable while the server runs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the service: the realm of its challenges and the default `aux_data` of its swaps.
    pub service_name: ServiceName,
    /// The URL where clients reach the service; links in error responses start with it. If absent, they start with the
    /// request's `Host`.
    pub public_url: Option<PublicUrl>,
    /// Whether quote and sign of version 1 accept requests without credentials.
    pub anonymous: bool,
    /// The rate limits of requests and failed logins.
    pub limits: Limits,
    /// How long a client may take to send the body of a request.
    pub body_timeout: Duration,
    /// Proxies whose `X-Forwarded-For` is trusted to contain the address of the client.
    pub trusted_proxies: Vec<Network>,
    /// Origins whose scripts may use the public listeners.
    pub cors_origins: Vec<CorsOrigin>,
    /// Share of the successful quotes and pool data reads whose access log line is at `info`, 0 to 1; the others are at
    /// `debug`. Signatures, rejected requests and operators' calls are always logged.
    pub log_sample_ratio: f64,
    /// How long the deprecated Basic scheme is accepted, and the headers that announce its end.
    pub basic: BasicRetirement,
}

impl Default for Settings {
    /// `Firmquote`, links with the request's host, anonymous use allowed, the default limits, no proxies, no pages of
    /// other origins, a log sample of 0, no end date for Basic, 5 s for a body.
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

/// Connection limits, fixed for the lifetime of a server. Each listener has its own, unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionSettings {
    /// Worker threads of each public listener, clamped to 1 to 512.
    pub workers: usize,
    /// Connections each worker keeps open at once; further ones wait in the backlog.
    pub connections_per_worker: usize,
    /// Connections to all public listeners together; further ones are refused.
    pub max_connections: usize,
    /// Connections from one address, or from one IPv6 /64, to all public listeners together; further ones are refused.
    /// Trusted proxies have no such limit.
    pub max_connections_per_address: usize,
    /// Connections that the kernel queues until they are accepted.
    pub backlog: u32,
    /// How long a connection stays open between two requests.
    pub keep_alive: Duration,
    /// How long a client may take for the first byte of a connection, for the head of a request, counted from its first
    /// byte, and for a TLS handshake. Bytes of an unread body count as the next head.
    pub head_timeout: Duration,
    /// How long a client may take to read the responses that are ready for it. On Linux, the connection of a client
    /// that acknowledges no bytes for five seconds longer is closed.
    pub write_timeout: Duration,
    /// How long requests in flight may take after a stop is requested, in whole seconds.
    pub shutdown_timeout_seconds: u64,
}

impl Default for ConnectionSettings {
    /// As many workers as the machine runs threads, 10,000 connections each and in total, 256 per address, a backlog of
    /// 1,024, 75 s of keep-alive, 5 s for a head, 10 s to read responses, 15 s to stop.
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
