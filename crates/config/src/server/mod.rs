//! `[server]`: listening addresses, identity, timeouts and connection limits.

pub(crate) mod auth;
pub(crate) mod limits;
mod tls;

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use firmquote_http::{AdminTokenHash, ConnectionSettings, CorsOrigin, Network, PublicUrl, ServiceName, Settings};

pub use tls::{TlsConfig, UnusableTlsFile};

use crate::{
    Environment,
    document::{
        error::KeyError,
        reader::{Field, Keys, Table},
    },
};

/// `[server]`.
pub struct ServerConfig {
    /// `bind`: IP address and port of version 1, and of version 2 unless `bind_v2` is set; port 0 selects a free one.
    /// Default `127.0.0.1:8080`.
    pub bind: SocketAddr,
    /// `bind_v2`: IP address and port of version 2. Default: those of `bind`.
    pub bind_v2: Option<SocketAddr>,
    /// `admin_bind`: IP address and port of health, readiness, metrics and pushed prices; never public. Default
    /// `127.0.0.1:9090`.
    pub admin_bind: SocketAddr,
    /// `admin_token_sha256`: SHA-256 of the token that grants access to the operator routes there. Default: those
    /// routes are disabled.
    pub admin_token: Option<AdminTokenHash>,
    /// `service_name`: realm of challenges and default `aux_data`, 1 to 32 printable ASCII characters.
    /// Default `Firmquote`.
    pub service_name: ServiceName,
    /// `public_url`: base URL of the links in error responses. Default: the host of the request.
    pub public_url: Option<PublicUrl>,
    /// `trusted_proxies`: networks whose `X-Forwarded-For` is trusted for the client address. Default none.
    pub trusted_proxies: Vec<Network>,
    /// `cors_origins`: origins whose scripts may use `bind` and `bind_v2`, as browsers send them in `Origin`. Default
    /// none.
    pub cors_origins: Vec<CorsOrigin>,
    /// `drain_seconds`: delay between the stop signal and closing the listeners, 0 to 300 s, during which readiness
    /// reports not ready. Default 0.
    pub drain: Duration,
    /// `tls_certificate_file` and `tls_key_file`: the TLS identity of `bind` and `bind_v2`. Default: plain HTTP.
    pub tls: Option<TlsConfig>,
    /// `body_timeout_seconds`: time limit for receiving the body of a request, 1 to 300 s. Default 5.
    pub body_timeout: Duration,
    /// `workers` (1 to 512 threads, default: the number of CPUs), `connections_per_worker` (1 to 1000000, default
    /// 10000), `max_connections` (1 to 1000000, default: what fits in half of the memory, 1000 to 100000, within the
    /// limit of open files), `max_connections_per_address` (1 to 1000000, default 256), `backlog` (1 to 65535, default
    /// 1024), `keep_alive_seconds` (1 to 3600, default 75), `head_timeout_seconds` (1 to 300, default 5),
    /// `write_timeout_seconds` (1 to 300, default 10), `shutdown_timeout_seconds` (1 to 600, default 15).
    pub connections: ConnectionSettings,
}

pub(super) const KEYS: Keys = Keys::new(&[
    "bind",
    "bind_v2",
    "admin_bind",
    "admin_token_sha256",
    "service_name",
    "public_url",
    "trusted_proxies",
    "cors_origins",
    "drain_seconds",
    "tls_certificate_file",
    "tls_key_file",
    "workers",
    "connections_per_worker",
    "max_connections",
    "max_connections_per_address",
    "backlog",
    "keep_alive_seconds",
    "head_timeout_seconds",
    "body_timeout_seconds",
    "write_timeout_seconds",
    "shutdown_timeout_seconds",
]);

impl ServerConfig {
    /// Reads the table.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid key.
    pub(super) fn read(table: &Table<'_>) -> Result<Self, KeyError> {
        const ALLOWED_NAMES: &str = "1 to 32 printable ASCII characters without quotation marks and backslashes";
        const URL: &str = "http:// or https://, a host, optionally a port and a path";
        let name = |field: Field<'_>| field.text(ALLOWED_NAMES, ServiceName::new);
        let url = |field: Field<'_>| field.text(URL, PublicUrl::new);
        let networks = |field: Field<'_>| field.list("networks")?.iter().map(network).collect();
        let origins = |field: Field<'_>| field.list("origins")?.iter().map(origin).collect();
        let server = Self {
            bind: table.field("bind").or(SocketAddr::from(([127, 0, 0, 1], 8080)), address)?,
            bind_v2: table.field("bind_v2").optional(address)?,
            admin_bind: table.field("admin_bind").or(SocketAddr::from(([127, 0, 0, 1], 9090)), address)?,
            admin_token: table.field("admin_token_sha256").secret().optional(admin_token)?,
            service_name: table.field("service_name").or(ServiceName::default(), name)?,
            public_url: table.field("public_url").optional(url)?,
            trusted_proxies: table.field("trusted_proxies").or(Vec::new(), networks)?,
            cors_origins: table.field("cors_origins").or(Vec::new(), origins)?,
            drain: seconds(table, "drain_seconds", Duration::ZERO, 0..=300)?,
            tls: TlsConfig::read(table)?,
            body_timeout: seconds(table, "body_timeout_seconds", Settings::default().body_timeout, 1..=300)?,
            connections: connections(table)?,
        };
        server.check_addresses(table)?;
        Ok(server)
    }

    /// Checks that no two listeners share an address.
    fn check_addresses(&self, table: &Table<'_>) -> Result<(), KeyError> {
        let all = [("bind", Some(self.bind)), ("bind_v2", self.bind_v2), ("admin_bind", Some(self.admin_bind))];
        for (position, (key, address)) in all.iter().enumerate() {
            let is_same = |(_, other): &&(&str, Option<SocketAddr>)| other == address;
            let Some(address) = address.filter(|address| address.port() != 0) else { continue };
            if let Some((earlier, _)) = all.iter().take(position).find(is_same) {
                let (key, other) = if table.field(key).is_present() { (key, earlier) } else { (earlier, key) };
                return Err(table.field(key).not_allowed(format!("an address other than that of {other}, {address}")));
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

fn connections(table: &Table<'_>) -> Result<ConnectionSettings, KeyError> {
    let default = ConnectionSettings::default();
    let count = |key, default, max| table.field(key).or(default, |field| field.integer(1..=max, ""));
    Ok(ConnectionSettings {
        workers: count("workers", default.workers, 512)?,
        connections_per_worker: count("connections_per_worker", default.connections_per_worker, 1_000_000)?,
        max_connections: count("max_connections", default_max_connections(&**table.environment()), 1_000_000)?,
        max_connections_per_address: count(
            "max_connections_per_address",
            default.max_connections_per_address,
            1_000_000,
        )?,
        backlog: table.field("backlog").or(default.backlog, |field| field.integer(1..=65_535, ""))?,
        keep_alive: seconds(table, "keep_alive_seconds", default.keep_alive, 1..=3_600)?,
        head_timeout: seconds(table, "head_timeout_seconds", default.head_timeout, 1..=300)?,
        write_timeout: seconds(table, "write_timeout_seconds", default.write_timeout, 1..=300)?,
        shutdown_timeout_seconds: table
            .field("shutdown_timeout_seconds")
            .or(default.shutdown_timeout_seconds, |field| field.integer(1..=600, " seconds"))?,
    })
}

fn seconds(
    table: &Table<'_>,
    key: &str,
    default: Duration,
    range: std::ops::RangeInclusive<u64>,
) -> Result<Duration, KeyError> {
    table.field(key).or(default, |field| field.integer(range, " seconds").map(Duration::from_secs))
}

fn admin_token(field: Field<'_>) -> Result<AdminTokenHash, KeyError> {
    field.text("the SHA-256 of an admin token: 64 hex digits", AdminTokenHash::from_hex)
}

fn network(field: &Field<'_>) -> Result<Network, KeyError> {
    let network = field.text("a network such as 10.0.0.0/8, zero beyond its prefix", Network::new)?;
    let is_everything = |[first, last]: [IpAddr; 2]| network.contains(first) && network.contains(last);
    let all_addresses = [
        [Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::BROADCAST.into()],
        [Ipv6Addr::UNSPECIFIED.into(), Ipv6Addr::from(u128::MAX).into()],
    ];
    if all_addresses.into_iter().any(is_everything) {
        return Err(
            field.not_allowed("the networks of the proxies: if every address is trusted, a client may choose its own")
        );
    }
    Ok(network)
}

fn origin(field: &Field<'_>) -> Result<CorsOrigin, KeyError> {
    const ORIGIN: &str = "an origin as browsers send it: http:// or https://, a host in lower case, a port only if it is not \
                          that of the scheme, no slash at the end";
    field.text(ORIGIN, CorsOrigin::new)
}

fn address(field: Field<'_>) -> Result<SocketAddr, KeyError> {
    field.text("an IP address and a port such as 127.0.0.1:8080 or [::1]:8080", str::parse)
}
