//! The configuration of a signing service: its URL, the expected account, and TLS.

use std::time::Duration;

use alloy_primitives::Address;
use zeroize::Zeroizing;

/// Access to a signing service. Has no `Debug`: the URL may contain a secret.
pub struct RemoteSignerConfig {
    /// The base URL of the service: `https://`, or `http://` without TLS, a host, and optionally a path. No query, and
    /// no credentials before the host.
    pub url: String,
    /// The account whose key signs. A signature of any other account is rejected.
    pub address: Address,
    /// The timeout of one signature, from connecting to the last byte of the response; more than zero.
    pub timeout: Duration,
    /// Certificates of trusted authorities, as PEM; `None` trusts those of this system.
    pub authorities: Option<Vec<u8>>,
    /// The client certificate, if the service requests one.
    pub identity: Option<RemoteIdentity>,
}

/// A client certificate with its key.
pub struct RemoteIdentity {
    /// The certificate, followed by its intermediates, as PEM.
    pub certificates: Vec<u8>,
    /// Its private key, as PEM.
    pub key: Zeroizing<Vec<u8>>,
}

/// A configuration that cannot work with any service. The messages contain no secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRemoteSignerConfig {
    /// The URL is invalid.
    #[error("the address of the signing service is unusable, allowed: {allowed}")]
    Url {
        /// The allowed form.
        allowed: &'static str,
    },
    /// The timeout is zero.
    #[error("the time for one signature is zero, allowed: more than zero")]
    Timeout,
    /// The authorities are invalid, or none is trusted.
    #[error("no certificate authority is trusted: {reason}")]
    Authorities {
        /// The reason.
        reason: String,
    },
    /// The client certificate or its key is invalid, or they do not match.
    #[error("certificate and key do not match, allowed: both in PEM, the key of the certificate")]
    Identity,
}
