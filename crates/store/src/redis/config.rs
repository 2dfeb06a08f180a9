//! The configuration of a Redis store: servers, timeouts, retention, and the TLS files beside the addresses.

use std::time::Duration;

use redis::{ClientTlsConfig, TlsCertificates};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use zeroize::{Zeroize as _, Zeroizing};

use super::{KeyPrefix, RedisAddress};

/// The servers that keep the quotes.
#[derive(Clone)]
pub enum Servers {
    /// One server, or a proxy that looks like one.
    One(RedisAddress),
    /// The nodes of a Cluster to ask for the others; one that answers is enough.
    Cluster(Vec<RedisAddress>),
    /// Sentinels that know which server is the master at present. Credentials in their addresses are the Sentinels',
    /// and the same for all.
    Sentinels {
        /// The name that the Sentinels know the master by.
        master: String,
        /// Where the Sentinels are; one that answers is enough. The database is that of the first.
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

/// Who we are to the servers that keep the quotes. Has no `Debug`.
#[derive(Clone)]
pub struct RedisCredentials {
    /// The ACL user; the default user when absent.
    pub username: Option<String>,
    /// Its password.
    pub password: Zeroizing<String>,
}

/// What a Redis store is told.
#[derive(Clone)]
pub struct RedisConfig {
    /// Where the servers are.
    pub servers: Servers,
    /// Who we are to them; replaces credentials in the addresses of servers, and leaves those of Sentinels.
    pub credentials: Option<RedisCredentials>,
    /// Certificates for `rediss://`.
    pub tls: TlsFiles,
    /// What every key starts with.
    pub prefix: KeyPrefix,
    /// How long any call may take; what takes longer is an error.
    pub timeout: Duration,
    /// How many replicas of Redis have to hold the record of a signature before the signature leaves; 0 waits for
    /// none. They have half of `timeout` to say so.
    pub replicas_waited_for: u32,
    /// How long the server may take to force the record of a signature to its disk before the signature leaves
    /// (`WAITAOF`, Redis 7.2); waits for no disk when absent.
    pub wait_aof: Option<Duration>,
    /// How far the clock of this process may be ahead of Redis' for it to sign.
    pub max_clock_skew: Duration,
    /// How long the record of a signature is kept after its `good_until`, in seconds.
    pub record_retention_seconds: u32,
    /// How old an entry of the ledger gets before it may be dropped, in seconds.
    pub ledger_max_age_seconds: u32,
}

/// A configuration that no connection can be made with, whatever the servers do. Tells nothing secret.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidRedisConfig(pub(super) String);

/// Certificates and a key, as the contents of PEM files. Without them the system's roots are trusted and no client
/// certificate is shown.
#[derive(Clone, Default)]
pub struct TlsFiles {
    /// Certificates of the authorities that may have signed the server's.
    pub authorities: Option<Vec<u8>>,
    /// Our certificate with its key, for servers that ask for one.
    pub client: Option<(Vec<u8>, Zeroizing<Vec<u8>>)>,
}

impl TlsFiles {
    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.authorities.is_none() && self.client.is_none()
    }

    /// Reads the files before the client of Redis does, whose errors repeat lines of what it cannot read: of a key that has
    /// lost its line ends, the whole key.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] for the first file that is no PEM, with nothing of it.
    pub(super) fn check(&self) -> Result<(), InvalidRedisConfig> {
        let broken = |what| InvalidRedisConfig(format!("the {what} cannot be read as PEM"));
        let is_broken = |pem: &[u8]| CertificateDer::pem_slice_iter(pem).any(|certificate| certificate.is_err());
        if self.authorities.as_deref().is_some_and(is_broken) {
            return Err(broken("certificates of the authorities"));
        }
        let Some((certificates, key)) = &self.client else { return Ok(()) };
        if is_broken(certificates) {
            return Err(broken("certificate to show"));
        }
        let key = PrivateKeyDer::from_pem_slice(key);
        key.map(|mut key| key.zeroize()).map_err(|_| broken("key of the certificate to show"))
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
    fn a_broken_file_is_named_and_nothing_of_it_is_told() {
        let told = |what| Err(format!("the {what} cannot be read as PEM"));
        assert_eq!(check(CERTIFICATE, CERTIFICATE, KEY), Ok(()));
        // As keys are that were passed through a variable or a form.
        let [certificate, key] = [CERTIFICATE, KEY].map(|pem| pem.replace('\n', ""));
        assert_eq!(check(CERTIFICATE, CERTIFICATE, &key), told("key of the certificate to show"));
        assert_eq!(check(CERTIFICATE, &certificate, KEY), told("certificate to show"));
        assert_eq!(check(&key, CERTIFICATE, KEY), told("certificates of the authorities"));
        assert_eq!(check(CERTIFICATE, CERTIFICATE, CERTIFICATE), told("key of the certificate to show"));
    }
}
