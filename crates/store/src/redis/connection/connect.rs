//! Opens connections to a single server, to the master named by Sentinels, or to a Cluster.

use std::{future::pending, io, time::Duration};

use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, RedisConnectionInfo, RedisError, RedisResult,
    TlsMode,
    cluster::{ClusterClient, ClusterClientBuilder},
    io::tcp::TcpSettings,
    sentinel::{SentinelClient, SentinelClientBuilder, SentinelServerType},
};
use tokio::sync::watch;

use super::Connection;
use crate::redis::{RedisAddress, RedisConfig, RedisCredentials, Servers, TlsFiles, config::InvalidRedisConfig};

/// Minimum and maximum pause between the attempts of one call in a Cluster, in milliseconds: slots move and masters
/// change within them.
const RETRY_PAUSES_MS: (u64, u64) = (20, 100);

/// A library must not choose a process-wide provider; the program does.
const NO_PROVIDER: &str = "rediss:// requires the process to install a TLS provider first, for example with \
                           rustls::crypto::ring::default_provider().install_default()";

/// A factory of connections of one kind.
pub(crate) enum ConnectionFactory {
    Server(Client),
    Sentinels(SentinelClient),
    Cluster(ClusterClient),
    /// Connects to the server that another connection currently uses, and to no other.
    Follower {
        server: watch::Receiver<Option<Client>>,
        /// Whether requests can use the followed connection instead.
        has_fallback: bool,
    },
}

impl ConnectionFactory {
    /// # Errors
    /// [`InvalidRedisConfig`] for invalid certificates, for a mix of TLS and plain addresses, and for TLS without a
    /// process-wide provider.
    pub(crate) fn new(config: &RedisConfig) -> Result<Self, InvalidRedisConfig> {
        let addresses = config.servers.addresses();
        let is_tls = addresses.iter().any(RedisAddress::is_tls);
        if is_tls && addresses.iter().any(|address| !address.is_tls()) {
            return Err(InvalidRedisConfig("the addresses mix rediss:// with other schemes".to_owned()));
        }
        if is_tls {
            if rustls::crypto::CryptoProvider::get_default().is_none() {
                return Err(InvalidRedisConfig(NO_PROVIDER.to_owned()));
            }
            config.tls.check()?;
        } else if !config.tls.is_empty() {
            return Err(InvalidRedisConfig("TLS files need rediss:// addresses".to_owned()));
        }
        let factory = match &config.servers {
            Servers::One(address) => server(address, config).map(Self::Server),
            Servers::Cluster(addresses) => cluster(addresses, config).map(Self::Cluster),
            Servers::Sentinels { master, addresses } => sentinels(master, addresses, config).map(Self::Sentinels),
        };
        factory.map_err(|error| InvalidRedisConfig(error.to_string()))
    }

    /// Connects, and returns the client of the server unless it is a Cluster. May take a few times `timeout`; the
    /// caller bounds the total.
    pub(crate) async fn dial(&mut self, timeout: Duration) -> RedisResult<(Connection, Option<Client>)> {
        let server = match self {
            Self::Server(client) => client.clone(),
            Self::Sentinels(client) => client.async_get_client().await?,
            Self::Cluster(client) => return Ok((Connection::Cluster(client.get_async_connection().await?), None)),
            Self::Follower { server, .. } => server.borrow_and_update().clone().ok_or_else(not_connected)?,
        };
        // The caller sets the response timeout.
        let config = AsyncConnectionConfig::new().set_connection_timeout(Some(timeout)).set_response_timeout(None);
        let connection = server.get_multiplexed_async_connection_with_config(&config).await?;
        Ok((Connection::to_server(connection).await?, Some(server)))
    }

    /// Returns when the followed connection has reconnected, perhaps to another server; never for a connection that
    /// follows none.
    pub(crate) async fn followed_reconnected(&self) {
        let Self::Follower { server, .. } = self else { return pending().await };
        if server.clone().changed().await.is_err() {
            // The followed connection was dropped, and this one is about to be.
            pending().await
        }
    }

    /// Whether it follows another connection.
    pub(crate) const fn is_follower(&self) -> bool {
        matches!(self, Self::Follower { .. })
    }

    /// Whether requests can use another connection instead.
    pub(crate) const fn has_fallback(&self) -> bool {
        matches!(self, Self::Follower { has_fallback: true, .. })
    }

    /// Whether a connection finds nodes by itself after their roles have changed.
    pub(crate) const fn is_self_healing(&self) -> bool {
        matches!(self, Self::Cluster(_))
    }
}

fn not_connected() -> RedisError {
    RedisError::from(io::Error::new(io::ErrorKind::NotConnected, "the shared connection is not established yet"))
}

/// The error of an attempt that exceeded its timeout.
pub(crate) fn timed_out() -> RedisError {
    RedisError::from(io::Error::from(io::ErrorKind::TimedOut))
}

pub(crate) fn server(address: &RedisAddress, config: &RedisConfig) -> RedisResult<Client> {
    let info = with_credentials(address.info().clone(), config.credentials.as_ref());
    match certificates(&config.tls) {
        Some(certificates) => Client::build_with_tls(info, certificates),
        None => Client::open(info),
    }
}

fn cluster(addresses: &[RedisAddress], config: &RedisConfig) -> RedisResult<ClusterClient> {
    let nodes = addresses.iter().map(|node| with_credentials(node.info().clone(), config.credentials.as_ref()));
    let (min, max) = RETRY_PAUSES_MS;
    let mut builder = ClusterClientBuilder::new(nodes)
        .tcp_settings(without_delay())
        .connection_timeout(config.timeout)
        .response_timeout(config.timeout)
        .min_retry_wait(min)
        .max_retry_wait(max);
    if let Some(certificates) = certificates(&config.tls) {
        builder = builder.certs(certificates);
    }
    builder.build()
}

pub(crate) fn sentinels(master: &str, addresses: &[RedisAddress], config: &RedisConfig) -> RedisResult<SentinelClient> {
    let nodes: Vec<ConnectionAddr> = addresses.iter().map(|node| node.info().addr().clone()).collect();
    let mut builder = SentinelClientBuilder::new(nodes, master, SentinelServerType::Master)?
        .set_client_to_redis_tcp_settings(without_delay());
    if let Some(first) = addresses.first() {
        builder = builder.set_client_to_redis_db(first.database());
        let settings = first.info().redis_settings();
        if let Some(username) = settings.username() {
            builder = builder.set_client_to_sentinel_username(username);
        }
        if let Some(password) = settings.password() {
            builder = builder.set_client_to_sentinel_password(password);
        }
        if first.is_tls() {
            builder = builder.set_client_to_redis_tls_mode(TlsMode::Secure);
            builder = builder.set_client_to_sentinel_tls_mode(TlsMode::Secure);
        }
    }
    if let Some(RedisCredentials { username, password }) = &config.credentials {
        if let Some(username) = username {
            builder = builder.set_client_to_redis_username(username);
        }
        builder = builder.set_client_to_redis_password(password.as_str());
    }
    if let Some(certificates) = certificates(&config.tls) {
        builder = builder.set_client_to_redis_certificates(certificates.clone());
        builder = builder.set_client_to_sentinel_certificates(certificates);
    }
    builder.build()
}

fn certificates(tls: &TlsFiles) -> Option<redis::TlsCertificates> {
    (!tls.is_empty()).then(|| tls.certificates())
}

fn without_delay() -> TcpSettings {
    TcpSettings::default().set_nodelay(true)
}

fn with_credentials(info: ConnectionInfo, credentials: Option<&RedisCredentials>) -> ConnectionInfo {
    let Some(RedisCredentials { username, password }) = credentials else { return info };
    let mut settings: RedisConnectionInfo = RedisConnectionInfo::default()
        .set_db(info.redis_settings().db())
        .set_protocol(info.redis_settings().protocol())
        .set_password(password.as_str());
    if let Some(username) = username {
        settings = settings.set_username(username);
    }
    info.set_redis_settings(settings)
}
