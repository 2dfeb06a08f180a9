//! What TLS needs besides the address: whom to trust, and who we are.

use redis::{ClientTlsConfig, TlsCertificates};
use zeroize::Zeroizing;

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

    pub(super) fn certificates(&self) -> TlsCertificates {
        let client_tls = self
            .client
            .as_ref()
            .map(|(certificate, key)| ClientTlsConfig { client_cert: certificate.clone(), client_key: key.to_vec() });
        TlsCertificates { client_tls, root_cert: self.authorities.clone() }
    }
}
