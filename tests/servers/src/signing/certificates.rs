//! Certificates of a signing service with TLS and of the only client it accepts.
#![expect(clippy::expect_used, reason = "what goes wrong here is a failed test")]

use std::sync::Arc;

use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use rustls::{
    RootCertStore, ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivatePkcs8KeyDer},
    server::WebPkiClientVerifier,
};

/// Self-signed certificates of server and client.
pub struct Certificates {
    /// The server's certificate, for `localhost`, in PEM.
    pub authority: String,
    /// The client's certificate, in PEM.
    pub client: String,
    /// The client's private key, in PEM.
    pub client_key: String,
    pub(super) server: Arc<ServerConfig>,
}

impl Certificates {
    /// Generates new certificates.
    ///
    /// # Panics
    /// When generation fails.
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
