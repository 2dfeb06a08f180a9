//! Certificate verification, and a stalled handshake.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{sync::Arc, time::Duration};

use firmquote_client::{Client, ClientSettings, Error, InvalidSettings};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{ServerConfig, crypto::ring, pki_types::PrivateKeyDer};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use tokio_rustls::TlsAcceptor;

use crate::server::{QUOTE, request};

fn settings(listener: &TcpListener, authority: &str) -> ClientSettings {
    let mut settings = ClientSettings::new(format!("https://localhost:{}", listener.local_addr().unwrap().port()));
    settings.authorities = Some(authority.as_bytes().to_vec());
    settings
}

#[tokio::test]
async fn untrusted_certificates_are_refused() {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let other_certificate = generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap().cert.pem();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (trusting, distrusting) = (settings(&listener, &cert.pem()), settings(&listener, &other_certificate));
    let server = tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut head = [0; 4096];
            assert_ne!(stream.read(&mut head).await.unwrap(), 0);
            let response = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{QUOTE}", QUOTE.len());
            stream.write_all(response.as_bytes()).await.unwrap();
        }
    });
    let error = Client::new(distrusting).unwrap().quote(&request()).await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
    Client::new(trusting).unwrap().quote(&request()).await.unwrap();
    server.abort();
}

#[tokio::test]
async fn a_stalled_tls_handshake_times_out() {
    let authority = generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap().cert.pem();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut settings = settings(&listener, &authority);
    settings.connect_timeout = Duration::from_millis(50);
    settings.request_timeout = Duration::from_secs(3_600);
    let error = Client::new(settings).unwrap().quote(&request()).await.unwrap_err();
    assert!(error.to_string().ends_with("no connection within 50 ms"), "{error}");
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
}

#[test]
fn invalid_certificate_authorities_are_rejected() {
    for pem in ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        let mut settings = ClientSettings::new("https://localhost");
        settings.authorities = Some(pem.as_bytes().to_vec());
        assert!(matches!(Client::new(settings), Err(InvalidSettings::Authorities { .. })), "{pem}");
    }
}
