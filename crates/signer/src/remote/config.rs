//! What is configured of a signing service: where it is, which key is meant, and who is trusted.

use std::time::Duration;

use alloy_primitives::Address;
use zeroize::Zeroizing;

/// Where a signing service is, and what is expected of it. Has no `Debug`: the address may hold a secret.
pub struct RemoteAccess {
    /// The address that the service's routes are below: `https://`, or without TLS `http://`, a host, and maybe a path.
    /// It has no query, and no credentials before the host.
    pub url: String,
    /// The account whose key signs. A signature of any other is refused.
    pub address: Address,
    /// How long one signature may take, from the connection to the last byte of the answer; more than zero.
    pub timeout: Duration,
    /// Certificates of the authorities to trust, as PEM, instead of those that this system trusts.
    pub authorities: Option<Vec<u8>>,
    /// Who the service is told is asking, if it wants to know.
    pub identity: Option<RemoteIdentity>,
}

/// A certificate to show to the service, with its key.
pub struct RemoteIdentity {
    /// The certificate, followed by those it rests on, as PEM.
    pub certificates: Vec<u8>,
    /// Its private key, as PEM.
    pub key: Zeroizing<Vec<u8>>,
}

/// What no service can be asked with, whatever it does. Tells nothing secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRemoteAccess {
    /// The address.
    #[error("the address of the signing service is unusable, allowed: {allowed}")]
    Url {
        /// What it may be.
        allowed: &'static str,
    },
    /// The time for one signature.
    #[error("the time for one signature is zero, allowed: more")]
    Timeout,
    /// The authorities.
    #[error("no certificate authority is trusted: {reason}")]
    Authorities {
        /// Why.
        reason: String,
    },
    /// The certificate to show, or its key.
    #[error("certificate and key do not go together, allowed: both in PEM, of one another")]
    Identity,
}
