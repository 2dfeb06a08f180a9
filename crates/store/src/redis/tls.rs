//! What TLS needs besides the address: whom to trust, and who we are.

use redis::{ClientTlsConfig, TlsCertificates};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use zeroize::{Zeroize as _, Zeroizing};

use super::InvalidRedisConfig;

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
