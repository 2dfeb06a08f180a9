//! The TLS identity: a certificate and its key, replaceable while connections are open.

use std::{fmt, sync::Arc};

use arc_swap::ArcSwap;
use rustls::{
    Error, InconsistentKeys, ServerConfig,
    crypto::ring,
    pki_types::{
        CertificateDer, PrivateKeyDer,
        pem::{self, PemObject as _},
    },
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
    version::{TLS12, TLS13},
};
use tokio_rustls::TlsAcceptor;
use zeroize::Zeroize as _;

use super::certificate_expiry::not_after;

/// A certificate with its chain and private key.
pub struct TlsCertificate(CertifiedKey);

/// The reason why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidTlsCertificate {
    /// No certificate, or one that cannot be parsed.
    #[error("not a certificate in PEM")]
    Certificate,
    /// No key, or an unsupported one; supported are RSA, ECDSA with P-256 or P-384, and Ed25519.
    #[error("not an RSA, ECDSA (P-256, P-384) or Ed25519 key in PEM")]
    Key,
    /// The key does not match the first certificate.
    #[error("the key does not match the certificate")]
    Mismatch,
}

impl TlsCertificate {
    /// Parses PEM: the certificate followed by its chain, and the private key in PKCS #8, PKCS #1 or SEC 1.
    ///
    /// Names and validity dates are not checked; the client checks them.
    ///
    /// # Errors
    /// [`InvalidTlsCertificate`] for an invalid certificate, an invalid key, or a key that does not match.
    pub fn from_pem(certificates: &[u8], key: &[u8]) -> Result<Self, InvalidTlsCertificate> {
        let chain: Result<Vec<_>, pem::Error> = CertificateDer::pem_slice_iter(certificates).collect();
        let chain = chain.ok().filter(|chain| !chain.is_empty()).ok_or(InvalidTlsCertificate::Certificate)?;
        let mut key = PrivateKeyDer::from_pem_slice(key).map_err(|_| InvalidTlsCertificate::Key)?;
        let signing_key = ring::sign::any_supported_type(&key).map_err(|_| InvalidTlsCertificate::Key);
        key.zeroize();
        let certified = CertifiedKey::new(chain, signing_key?);
        match certified.keys_match() {
            Ok(()) => Ok(Self(certified)),
            Err(Error::InconsistentKeys(InconsistentKeys::KeyMismatch)) => Err(InvalidTlsCertificate::Mismatch),
            Err(_) => Err(InvalidTlsCertificate::Certificate),
        }
    }
}

/// The identity of the service towards TLS clients. Clones share one identity.
///
/// Supports TLS 1.2 and 1.3 with HTTP/1.1; HTTP/2 is left to a reverse proxy.
#[derive(Clone)]
pub struct TlsIdentity(Arc<CurrentCertificate>);

/// Resolves every handshake to the current certificate.
struct CurrentCertificate(ArcSwap<CertifiedKey>);

impl TlsIdentity {
    /// Creates an identity with `certificate`.
    pub fn new(certificate: TlsCertificate) -> Self {
        Self(Arc::new(CurrentCertificate(ArcSwap::from_pointee(certificate.0))))
    }

    /// Presents `certificate` to clients that connect from now on. Existing connections are not affected.
    pub fn replace(&self, certificate: TlsCertificate) {
        self.0.0.store(Arc::new(certificate.0));
    }

    /// Returns the expiry of the current certificate in Unix time; `None` if it has no valid expiry.
    pub fn expires_at(&self) -> Option<u64> {
        not_after(self.0.0.load().cert.first()?)
    }

    /// Returns an acceptor with this identity, which always presents the current certificate.
    ///
    /// # Errors
    /// [`Error`] when the cryptographic provider has no cipher suite for one of the versions.
    pub(crate) fn acceptor(&self) -> Result<TlsAcceptor, Error> {
        let provider = Arc::new(ring::default_provider());
        let versions = ServerConfig::builder_with_provider(provider).with_protocol_versions(&[&TLS13, &TLS12])?;
        let mut config = versions.with_no_client_auth().with_cert_resolver(Arc::clone(&self.0) as _);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

impl ResolvesServerCert for CurrentCertificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.load_full())
    }
}

impl fmt::Debug for CurrentCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CurrentCertificate")
    }
}
