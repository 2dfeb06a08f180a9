//! Certificates of a signing service behind TLS, and of the one client that it lets in.
#![expect(clippy::expect_used, reason = "what goes wrong here is a failed test")]

use std::sync::Arc;

use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use rustls::{
    RootCertStore, ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivatePkcs8KeyDer},
    server::WebPkiClientVerifier,
};

/// Both sides, each with a certificate that vouches for itself.
pub struct Certificates {
    /// PEM of the server's certificate, for `localhost`.
    pub authority: String,
    /// PEM of the client's certificate.
    pub client: String,
    /// PEM of the client's private key.
    pub client_key: String,
    pub(super) server: Arc<ServerConfig>,
}

impl Certificates {
    /// New ones.
    ///
    /// # Panics
    /// When none can be made.
    #[must_use]
    pub fn new() -> Self {
        let (server, client) = (certificate("localhost"), certificate("client"));
        Self {
            authority: server.cert.pem(),
            client: client.cert.pem(),
            client_key: client.signing_key.serialize_pem(),
            server: Arc::new(configuration(&server, client.cert.der().clone())),
        }
    }
}

impl Default for Certificates {
    fn default() -> Self {
        Self::new()
    }
}

fn certificate(name: &str) -> CertifiedKey<KeyPair> {
    generate_simple_self_signed([name.to_owned()]).expect("a certificate")
}

fn configuration(server: &CertifiedKey<KeyPair>, client: CertificateDer<'static>) -> ServerConfig {
    let provider = Arc::new(ring::default_provider());
    let mut roots = RootCertStore::empty();
    roots.add(client).expect("the client's certificate");
    let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
    let key = PrivatePkcs8KeyDer::from(server.signing_key.serialize_der()).into();
    ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_client_cert_verifier(clients.build().expect("a verifier of clients"))
        .with_single_cert(vec![server.cert.der().clone()], key)
        .expect("a key for the certificate")
}
