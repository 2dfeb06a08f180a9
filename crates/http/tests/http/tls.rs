//! TLS on the public listeners.

use std::time::Duration;

use firmquote_http::{ConnectionSettings, InvalidTlsCertificate, TlsCertificate};
use rustls::version::{TLS12, TLS13};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::support::{Certificate, PATIENCE, Rig, Start, read_to_end};

const GET: &[u8] = b"GET /errors/missing HTTP/1.1\r\nhost: x\r\n\r\n";

async fn plain(base: &str) -> TcpStream {
    TcpStream::connect(base.trim_start_matches("http://")).await.unwrap()
}

/// Requests a page and reads exactly one response.
async fn exchange(stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> String {
    stream.write_all(GET).await.unwrap();
    let mut output = Vec::new();
    while !output.ends_with(b"</html>") {
        assert_ne!(stream.read_buf(&mut output).await.unwrap(), 0, "{}", String::from_utf8_lossy(&output));
    }
    String::from_utf8(output).unwrap()
}

#[tokio::test]
async fn the_public_listeners_use_tls_and_the_admin_listener_does_not() {
    let certificate = Certificate::create();
    let tls = Some(certificate.identity());
    let rig = Rig::start_with(Start { tls, is_split: true, ..Start::default() }).await;
    for base in [&rig.base, &rig.base_v2] {
        for version in [&TLS12, &TLS13] {
            let mut stream = certificate.connect(base, version).await.unwrap();
            assert_eq!(stream.get_ref().1.protocol_version(), Some(version.version));
            assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]), "HTTP/2 is for a proxy");
            assert!(exchange(&mut stream).await.starts_with("HTTP/1.1 200 OK\r\n"));
            assert!(exchange(&mut stream).await.starts_with("HTTP/1.1 200 OK\r\n"), "the connection lives on");
        }
    }
    assert_eq!(rig.send(rig.http.get(format!("{}/healthz", rig.admin))).await.status, 200);
}

#[tokio::test]
async fn links_in_errors_use_https() {
    let certificate = Certificate::create();
    let rig = Rig::start_with(Start { tls: Some(certificate.identity()), ..Start::default() }).await;
    let mut stream = certificate.connect(&rig.base, &TLS13).await.unwrap();
    let request = b"POST /rfq/sign HTTP/1.1\r\nhost: rfq.example\r\ncontent-type: application/json\r\n\
        content-length: 2\r\nconnection: close\r\n\r\n{}";
    stream.write_all(request).await.unwrap();
    let mut output = String::new();
    stream.read_to_string(&mut output).await.expect("the connection is closed");
    assert!(output.contains(r#""url":"https://rfq.example/errors/missing""#), "{output}");
}

#[tokio::test]
async fn a_new_certificate_applies_to_new_connections_only() {
    let (old, new) = (Certificate::create(), Certificate::create());
    let identity = old.identity();
    let rig = Rig::start_with(Start { tls: Some(identity.clone()), ..Start::default() }).await;
    let mut before = old.connect(&rig.base, &TLS13).await.unwrap();
    exchange(&mut before).await;
    identity.replace(new.read());
    let mut after = new.connect(&rig.base, &TLS13).await.unwrap();
    assert_eq!(after.get_ref().1.peer_certificates().unwrap(), std::slice::from_ref(&new.der));
    exchange(&mut after).await;
    assert!(old.connect(&rig.base, &TLS13).await.is_err(), "the old one is shown to nobody");
    assert!(exchange(&mut before).await.starts_with("HTTP/1.1 200 OK\r\n"));
}

#[tokio::test]
async fn a_stalled_handshake_does_not_block_others() {
    let certificate = Certificate::create();
    let usual = Start::default();
    let connections =
        ConnectionSettings { connections_per_worker: 1, head_timeout: Duration::from_millis(50), ..usual.connections };
    let rig = Rig::start_with(Start { tls: Some(certificate.identity()), connections, ..usual }).await;
    let (mut silent, mut begun) = (plain(&rig.base).await, plain(&rig.base).await);
    // The header of a record with a handshake of 512 bytes, and the first bytes of the handshake.
    begun.write_all(&[0x16, 3, 1, 2, 0, 1]).await.unwrap();
    assert_eq!(read_to_end(&mut silent).await, "");
    assert_eq!(read_to_end(&mut begun).await, "");
    // Clients that connect in time are served by the only connection allowed.
    let served = async {
        loop {
            if let Ok(mut stream) = certificate.connect(&rig.base, &TLS13).await {
                return exchange(&mut stream).await;
            }
        }
    };
    assert!(timeout(PATIENCE, served).await.unwrap().starts_with("HTTP/1.1 200 OK\r\n"));
}

#[tokio::test]
async fn clients_without_tls_are_disconnected() {
    let certificate = Certificate::create();
    let rig = Rig::start_with(Start { tls: Some(certificate.identity()), ..Start::default() }).await;
    for sent in [GET, &[0; 100], b"\r\n\r\n", &[0x16, 3, 1, 0xff, 0xff, 1, 2, 3]] {
        let mut stream = plain(&rig.base).await;
        stream.write_all(sent).await.unwrap();
        stream.shutdown().await.unwrap();
        let output = read_to_end(&mut stream).await;
        assert!(!output.starts_with("HTTP"), "{output}");
    }
    exchange(&mut certificate.connect(&rig.base, &TLS13).await.unwrap()).await;
}

#[test]
fn certificate_problems_are_reported() {
    let (one, other) = (Certificate::create(), Certificate::create());
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for (certificate, key, expected) in [
        ("", one.key_pem.as_str(), "not a certificate in PEM"),
        (&one.key_pem, &one.key_pem, "not a certificate in PEM"),
        (broken, &one.key_pem, "not a certificate in PEM"),
        (&one.pem, "", "not an RSA, ECDSA (P-256, P-384) or Ed25519 key in PEM"),
        (&one.pem, &one.pem, "not an RSA, ECDSA (P-256, P-384) or Ed25519 key in PEM"),
        (
            &one.pem,
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
            "not an RSA, ECDSA (P-256, P-384) or Ed25519 key in PEM",
        ),
        (&one.pem, &other.key_pem, "the key does not match the certificate"),
    ] {
        let error = TlsCertificate::from_pem(certificate.as_bytes(), key.as_bytes()).err().unwrap();
        assert_eq!(error.to_string(), expected);
    }
    let chain = format!("{}{}", one.pem, other.pem);
    assert!(TlsCertificate::from_pem(chain.as_bytes(), one.key_pem.as_bytes()).is_ok());
    let swapped = TlsCertificate::from_pem(chain.as_bytes(), other.key_pem.as_bytes());
    assert!(matches!(swapped, Err(InvalidTlsCertificate::Mismatch)));
}
