//! `[server]`: listening addresses, identity, timeouts and connection limits.

pub(crate) mod auth;
pub(crate) mod limits;
pub(crate) mod operator;
mod tls;
pub(crate) mod webhook;

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use firmquote_http::{AdminTokenHash, ConnectionSettings, CorsOrigin, Network, PublicUrl, ServiceName, Settings};
use serde::Deserialize;

pub use tls::{TlsConfig, UnusableTlsFile};

use crate::{
    Environment,
    document::{
        error::KeyError,
        field::Field,
        values::{
            array::{Array, Plural},
            integer::{Integer, Second, Seconds},
            setting::OptionalSetting as _,
            text::{FilePath, FromText, Text},
        },
    },
};

/// Listening addresses, identity, timeouts and connection limits.
pub struct ServerConfig {
    /// The address of version 1, and of version 2 unless it has its own; port 0 selects a free one.
    pub bind: SocketAddr,
    /// The address of version 2, if it is another one.
    pub bind_v2: Option<SocketAddr>,
    /// The address of health, readiness, metrics and the operator's routes; never public.
    pub admin_bind: SocketAddr,
    /// The realm of challenges and default `aux_data`.
    pub service_name: ServiceName,
    /// The base URL of the links in error responses, if it is not the host of the request.
    pub public_url: Option<PublicUrl>,
    /// The networks whose `X-Forwarded-For` is trusted for the client address.
    pub trusted_proxies: Vec<Network>,
    /// The origins whose scripts may use `bind` and `bind_v2`, as browsers send them in `Origin`.
    pub cors_origins: Vec<CorsOrigin>,
    /// The delay between the stop signal and closing the listeners, during which readiness reports not ready.
    pub drain: Duration,
    /// The TLS identity of `bind` and `bind_v2`; without it they are plain HTTP.
    pub tls: Option<TlsConfig>,
    /// The time limit for receiving the body of a request.
    pub body_timeout: Duration,
    /// Threads, connections and their time limits. By default, as many connections as fit in half of the memory, within
    /// the limit of open files.
    pub connections: ConnectionSettings,
}

/// `[server]`.
#[derive(Deserialize)]
pub(crate) struct ServerTable {
    bind: Option<Text<SocketAddr>>,
    bind_v2: Option<Text<SocketAddr>>,
    admin_bind: Option<Text<SocketAddr>>,
    admin_token_sha256: Option<Text<AdminTokenHash>>,
    service_name: Option<Text<ServiceName>>,
    public_url: Option<Text<PublicUrl>>,
    trusted_proxies: Option<Array<Network>>,
    cors_origins: Option<Array<CorsOrigin>>,
    drain_seconds: Option<Seconds<0, 300>>,
    tls_certificate_file: Option<Text<FilePath>>,
    tls_key_file: Option<Text<FilePath>>,
    workers: Option<Integer<usize, 1, 512>>,
    connections_per_worker: Option<Integer<usize, 1, 1_000_000>>,
    max_connections: Option<Integer<usize, 1, 1_000_000>>,
    max_connections_per_address: Option<Integer<usize, 1, 1_000_000>>,
    backlog: Option<Integer<u32, 1, 65_535>>,
    keep_alive_seconds: Option<Seconds<1, 3_600>>,
    head_timeout_seconds: Option<Seconds<1, 300>>,
    body_timeout_seconds: Option<Seconds<1, 300>>,
    write_timeout_seconds: Option<Seconds<1, 300>>,
    shutdown_timeout_seconds: Option<Integer<u64, 1, 600, Second>>,
}

impl ServerTable {
    /// Returns the hash of the token of the operator called `admin`, if there is one.
    pub(crate) fn admin_token(&self) -> Option<AdminTokenHash> {
        self.admin_token_sha256.as_ref().map(|token| token.0.clone())
    }
}

impl ServerConfig {
    /// Creates the settings of the table at `field`.
    ///
    /// # Errors
    /// [`KeyError`] for two listeners on one address, and for an unusable TLS identity.
    pub(crate) fn new(table: ServerTable, field: &Field<'_>) -> Result<Self, KeyError> {
        let default = ConnectionSettings::default();
        let connections = ConnectionSettings {
            workers: table.workers.value_or(default.workers),
            connections_per_worker: table.connections_per_worker.value_or(default.connections_per_worker),
            max_connections: table.max_connections.value_or(default_max_connections(&**field.environment())),
            max_connections_per_address: table
                .max_connections_per_address
                .value_or(default.max_connections_per_address),
            backlog: table.backlog.value_or(default.backlog),
            keep_alive: table.keep_alive_seconds.value_or(default.keep_alive),
            head_timeout: table.head_timeout_seconds.value_or(default.head_timeout),
            write_timeout: table.write_timeout_seconds.value_or(default.write_timeout),
            shutdown_timeout_seconds: table.shutdown_timeout_seconds.value_or(default.shutdown_timeout_seconds),
        };
        let server = Self {
            bind: table.bind.value_or(SocketAddr::from(([127, 0, 0, 1], 8080))),
            bind_v2: table.bind_v2.value(),
            admin_bind: table.admin_bind.value_or(SocketAddr::from(([127, 0, 0, 1], 9090))),
            service_name: table.service_name.value_or(ServiceName::default()),
            public_url: table.public_url.value(),
            trusted_proxies: table.trusted_proxies.map(|networks| networks.0).unwrap_or_default(),
            cors_origins: table.cors_origins.map(|origins| origins.0).unwrap_or_default(),
            drain: table.drain_seconds.value_or(Duration::ZERO),
            tls: TlsConfig::new(table.tls_certificate_file.value(), table.tls_key_file.value(), field)?,
            body_timeout: table.body_timeout_seconds.value_or(Settings::default().body_timeout),
            connections,
        };
        server.check_addresses(field)?;
        Ok(server)
    }

    /// Checks that no two listeners share an address.
    fn check_addresses(&self, table: &Field<'_>) -> Result<(), KeyError> {
        let all = [("bind", Some(self.bind)), ("bind_v2", self.bind_v2), ("admin_bind", Some(self.admin_bind))];
        for (position, (key, address)) in all.iter().enumerate() {
            let is_same = |(_, other): &&(&str, Option<SocketAddr>)| other == address;
            let Some(address) = address.filter(|address| address.port() != 0) else { continue };
            if let Some((earlier, _)) = all.iter().take(position).find(is_same) {
                let (key, other) = if table.key(key).is_present() { (key, earlier) } else { (earlier, key) };
                return Err(table.key(key).not_allowed(format!("an address other than that of {other}, {address}")));
            }
        }
        Ok(())
    }
}

/// Maximum memory of a connection in bytes, with TLS: its buffers, those of the kernel, and a request in progress.
const BYTES_PER_CONNECTION: u64 = 160 * 1_024;

/// Returns the number of connections that fit in half of the memory, within the limit of open files.
fn default_max_connections(environment: &dyn Environment) -> usize {
    let connections = environment.memory_bytes().map_or(10_000, |bytes| bytes / 2 / BYTES_PER_CONNECTION);
    let connections = connections.clamp(1_000, 100_000).min(environment.max_connections().unwrap_or(u64::MAX).max(1));
    usize::try_from(connections).unwrap_or(usize::MAX)
}

impl FromText for Network {
    fn from_text(text: &str) -> Result<Self, String> {
        let network = Self::new(text).map_err(|_| "a network such as 10.0.0.0/8, zero beyond its prefix")?;
        let is_everything = |[first, last]: [IpAddr; 2]| network.contains(first) && network.contains(last);
        let all_addresses = [
            [Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::BROADCAST.into()],
            [Ipv6Addr::UNSPECIFIED.into(), Ipv6Addr::from(u128::MAX).into()],
        ];
        if all_addresses.into_iter().any(is_everything) {
            return Err("the networks of the proxies: if every address is trusted, a client may choose its own".into());
        }
        Ok(network)
    }
}

impl Plural for Network {
    const PLURAL: &'static str = "networks";
}

impl Plural for CorsOrigin {
    const PLURAL: &'static str = "origins";
}
