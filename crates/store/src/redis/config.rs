//! The configuration of a Redis store: servers, timeouts, retention, and TLS files.

use std::time::Duration;

use redis::{ClientTlsConfig, TlsCertificates};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use zeroize::{Zeroize as _, Zeroizing};

use super::{KeyPrefix, RedisAddress};

/// The servers that store the quotes.
#[derive(Clone)]
pub enum Servers {
    /// One server, or a proxy that looks like one.
    One(RedisAddress),
    /// Seed nodes of a Cluster; one that responds is enough.
    Cluster(Vec<RedisAddress>),
    /// Sentinels, which know the current master. Credentials in their addresses are for the Sentinels, and the same for
    /// all of them.
    Sentinels {
        /// The name of the master at the Sentinels.
        master: String,
        /// The addresses of the Sentinels; one that responds is enough. The database is taken from the first.
        addresses: Vec<RedisAddress>,
    },
}

impl Servers {
    /// All addresses.
    pub fn addresses(&self) -> &[RedisAddress] {
        match self {
            Self::One(address) => std::slice::from_ref(address),
            Self::Cluster(addresses) | Self::Sentinels { addresses, .. } => addresses,
        }
    }
}

/// Credentials for the servers that store the quotes. Has no `Debug`.
#[derive(Clone)]
pub struct RedisCredentials {
    /// The ACL user; the default user when absent.
    pub username: Option<String>,
    /// Its password.
    pub password: Zeroizing<String>,
}

/// The configuration of a Redis store.
#[derive(Clone)]
pub struct RedisConfig {
    /// The servers to connect to.
    pub servers: Servers,
    /// Credentials for the servers; they replace credentials in server addresses, but not those in Sentinel addresses.
    pub credentials: Option<RedisCredentials>,
    /// Certificates for `rediss://`.
    pub tls: TlsFiles,
    /// The prefix of every key.
    pub prefix: KeyPrefix,
    /// The timeout of every call; a call that takes longer fails.
    pub timeout: Duration,
    /// How many Redis replicas must acknowledge the record of a signature before the signature leaves the service; 0
    /// does not wait. They must do so within half of `timeout`.
    pub wait_replicas: u32,
    /// How long the server may take to sync the record of a signature to its disk before the signature leaves the
    /// service (`WAITAOF`, Redis 7.2); `None` does not wait for the disk.
    pub wait_aof: Option<Duration>,
    /// How far the clock of this process may be ahead of that of Redis; nothing is signed beyond it.
    pub max_clock_skew: Duration,
    /// How long a signature and the outcome of its swap are retained after `good_until`, in seconds.
    pub status_retention_seconds: u32,
    /// The age at which a ledger entry may be trimmed, in seconds.
    pub ledger_max_age_seconds: u32,
}

impl RedisConfig {
    /// The prefix of every key as it is written: in a Cluster a hash tag.
    pub(super) fn key_prefix(&self) -> KeyPrefix {
        match self.servers {
            Servers::Cluster(_) => self.prefix.in_cluster(),
            Servers::One(_) | Servers::Sentinels { .. } => self.prefix.clone(),
        }
    }
}

/// A configuration that cannot work with any server. The message contains no secrets.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidRedisConfig(pub(super) String);

/// The contents of PEM files for TLS. Without them the trust roots of the system apply and no client certificate is
/// presented.
#[derive(Clone, Default)]
pub struct TlsFiles {
    /// Certificates of the trusted authorities.
    pub authorities: Option<Vec<u8>>,
    /// Client certificate and key, for servers that request one.
    pub client: Option<(Vec<u8>, Zeroizing<Vec<u8>>)>,
}

impl TlsFiles {
    /// Whether no file is set.
    pub const fn is_empty(&self) -> bool {
        self.authorities.is_none() && self.client.is_none()
    }

    /// Parses the files before the Redis client does, because the errors of the client repeat lines it cannot parse:
    /// for a key without line breaks, the whole key.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] for the first file that is not PEM, without any of its contents.
    pub(super) fn check(&self) -> Result<(), InvalidRedisConfig> {
        let broken = |what| InvalidRedisConfig(format!("the {what} is not valid PEM"));
        let is_broken = |pem: &[u8]| CertificateDer::pem_slice_iter(pem).any(|certificate| certificate.is_err());
        if self.authorities.as_deref().is_some_and(is_broken) {
            return Err(broken("authority file"));
        }
        let Some((certificates, key)) = &self.client else { return Ok(()) };
        if is_broken(certificates) {
            return Err(broken("client certificate"));
        }
        let key = PrivateKeyDer::from_pem_slice(key);
        key.map(|mut key| key.zeroize()).map_err(|_| broken("key of the client certificate"))
    }

    pub(super) fn certificates(&self) -> TlsCertificates {
        let client_tls = self
            .client
            .as_ref()
            .map(|(certificate, key)| ClientTlsConfig { client_cert: certificate.clone(), client_key: key.to_vec() });
        TlsCertificates { client_tls, root_cert: self.authorities.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    const KEY: &str = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";

    fn check(authorities: &str, certificate: &str, key: &str) -> Result<(), String> {
        let client = Some((certificate.into(), Vec::from(key).into()));
        let files = TlsFiles { authorities: Some(authorities.into()), client };
        files.check().map_err(|error| error.to_string())
    }

    #[test]
    fn an_invalid_file_is_named_without_its_content() {
        let invalid = |what| Err(format!("the {what} is not valid PEM"));
        assert_eq!(check(CERTIFICATE, CERTIFICATE, KEY), Ok(()));
        // Without line breaks, like keys passed through an environment variable or a form.
        let [certificate, key] = [CERTIFICATE, KEY].map(|pem| pem.replace('\n', ""));
        assert_eq!(check(CERTIFICATE, CERTIFICATE, &key), invalid("key of the client certificate"));
        assert_eq!(check(CERTIFICATE, &certificate, KEY), invalid("client certificate"));
        assert_eq!(check(&key, CERTIFICATE, KEY), invalid("authority file"));
        assert_eq!(check(CERTIFICATE, CERTIFICATE, CERTIFICATE), invalid("key of the client certificate"));
    }
}
