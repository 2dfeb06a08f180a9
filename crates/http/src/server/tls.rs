//! With what TLS is spoken: a certificate with its key, which can be replaced while connections live.

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

/// A certificate with the certificates that lead to its authority, and the key it was made for.
pub struct TlsCertificate(CertifiedKey);

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidTlsCertificate {
    /// There is no certificate, or one that does not parse.
    #[error("not a certificate in PEM")]
    Certificate,
    /// There is no key, or one of a kind that is not known: RSA, ECDSA with P-256 or P-384, or Ed25519.
    #[error("not an RSA, ECDSA (P-256, P-384) or Ed25519 key in PEM")]
    Key,
    /// The key is not that of the first certificate.
    #[error("the key is not that of the certificate")]
    Mismatch,
}

impl TlsCertificate {
    /// Reads PEM: the certificate first, those that lead to its authority behind it; and its key, in PKCS #8, PKCS #1 or
    /// SEC 1.
    ///
    /// Neither names nor dates are looked at: the client does that.
    ///
    /// # Errors
    /// [`InvalidTlsCertificate`], by what is wrong.
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

/// Who the service is to clients that speak TLS with it. Clones are one identity.
///
/// Speaks TLS 1.2 and 1.3, and HTTP/1.1 over it: HTTP/2 is for a proxy in front.
#[derive(Clone)]
pub struct TlsIdentity(Arc<CurrentCertificate>);

/// Hands out the certificate of the moment.
struct CurrentCertificate(ArcSwap<CertifiedKey>);

impl TlsIdentity {
    /// The identity that `certificate` proves.
    pub fn new(certificate: TlsCertificate) -> Self {
        Self(Arc::new(CurrentCertificate(ArcSwap::from_pointee(certificate.0))))
    }

    /// Shows `certificate` to those who connect from now on. Connections that exist go on as they are.
    pub fn replace(&self, certificate: TlsCertificate) {
        self.0.0.store(Arc::new(certificate.0));
    }

    /// When the certificate of the moment runs out, in Unix time; `None` for one that does not say so as it has to.
    pub fn expires_at(&self) -> Option<u64> {
        not_after(self.0.0.load().cert.first()?)
    }

    /// What speaks TLS with this identity, whatever certificate it has at the time.
    ///
    /// # Errors
    /// [`Error`] when the provider of cryptography has no suite for one of the versions.
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
        f.write_str("Current")
    }
}
