//! Certificates for tests, and clients that trust them.

use std::{io, sync::Arc};

use firmquote_http::{TlsCertificate, TlsIdentity};
use rustls::{
    ClientConfig, RootCertStore, SupportedProtocolVersion,
    crypto::ring,
    pki_types::{CertificateDer, ServerName},
};
use tokio::net::TcpStream;
use tokio_rustls::{TlsConnector, client::TlsStream};

/// A self-signed certificate for `localhost`, with its key.
pub(crate) struct Certificate {
    pub(crate) der: CertificateDer<'static>,
    pub(crate) pem: String,
    pub(crate) key_pem: String,
}

impl Certificate {
    pub(crate) fn create() -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        Self { der: made.cert.der().clone(), pem: made.cert.pem(), key_pem: made.signing_key.serialize_pem() }
    }

    pub(crate) fn read(&self) -> TlsCertificate {
        TlsCertificate::from_pem(self.pem.as_bytes(), self.key_pem.as_bytes()).unwrap()
    }

    pub(crate) fn identity(&self) -> TlsIdentity {
        TlsIdentity::new(self.read())
    }

    /// Connects to the service at `base` over this version of TLS, trusting only this certificate and preferring
    /// HTTP/2.
    pub(crate) async fn connect(
        &self,
        base: &str,
        version: &'static SupportedProtocolVersion,
    ) -> io::Result<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(self.der.clone()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_protocol_versions(&[version]).unwrap();
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let socket = TcpStream::connect(base.trim_start_matches("http://")).await?;
        TlsConnector::from(Arc::new(config)).connect(ServerName::try_from("localhost").unwrap(), socket).await
    }
}
