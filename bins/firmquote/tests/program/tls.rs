//! TLS with clients: the contents and the permissions of the files.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::Arc,
};

use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned, crypto::ring, pki_types::ServerName};
use tempfile::TempDir;

use crate::program::{CONFIG, Serving, configured, directory, run, set_mode};

/// Returns the configuration with both keys, on lines 2 and 3.
fn config() -> String {
    CONFIG.replacen("[server]\n", "[server]\ntls_certificate_file = \"tls.pem\"\ntls_key_file = \"tls-key.pem\"\n", 1)
}

/// Writes a certificate for `localhost` to the files of [`config`].
fn certificate(directory: &TempDir) -> CertifiedKey<KeyPair> {
    let made = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    write(directory, &made.cert.pem(), &made.signing_key.serialize_pem());
    made
}

fn write(directory: &TempDir, certificate: &str, key: &str) {
    fs::write(directory.path().join("tls.pem"), certificate).unwrap();
    fs::write(directory.path().join("tls-key.pem"), key).unwrap();
    set_mode(&directory.path().join("tls-key.pem"), 0o600);
}

/// Returns the response to a client that trusts only this certificate.
fn said_to_who_trusts(certificate: &CertifiedKey<KeyPair>, serving: &Serving) -> std::io::Result<String> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.cert.der().clone()).unwrap();
    let client = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let client = client.with_safe_default_protocol_versions().unwrap();
    let client = client.with_root_certificates(roots).with_no_client_auth();
    let session = ClientConnection::new(Arc::new(client), ServerName::try_from("localhost").unwrap()).unwrap();
    let mut stream = StreamOwned::new(session, TcpStream::connect(serving.public).unwrap());
    stream.write_all(b"GET /errors HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")?;
    let mut output = String::new();
    stream.read_to_string(&mut output)?;
    Ok(output)
}

#[test]
fn invalid_files_are_reported_with_the_permitted_content() {
    let directory = directory();
    let made = certificate(&directory);
    let (pem, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let other = KeyPair::generate().unwrap().serialize_pem();
    for (certificate, key, expected) in [
        (
            "",
            key.as_str(),
            "2: server.tls_certificate_file is \"tls.pem\", allowed: a file that holds a certificate in PEM",
        ),
        (
            &pem,
            "",
            "3: server.tls_key_file is \"tls-key.pem\", allowed: a file that holds an RSA, ECDSA (P-256 or P-384) or \
             Ed25519 key in PEM",
        ),
        (
            &pem,
            &other,
            "3: server.tls_key_file is \"tls-key.pem\", allowed: a file that holds the key of tls_certificate_file in PEM",
        ),
    ] {
        write(&directory, certificate, key);
        let ended = run(configured(&directory, &["check"], &config()));
        assert_eq!(ended.stderr.trim_end(), format!("error: firmquote.toml:{expected}"));
    }
    write(&directory, &pem, &key);
    set_mode(&directory.path().join("tls-key.pem"), 0o644);
    let ended = run(configured(&directory, &["check"], &config()));
    let expected = "server.tls_key_file is \"tls-key.pem\", allowed: a file that only its owner may read and write";
    assert!(ended.stderr.contains(expected), "{}", ended.stderr);
    set_mode(&directory.path().join("tls-key.pem"), 0o600);
    let ended = run(configured(&directory, &["check"], &config()));
    assert!(ended.stdout.contains("(version 1 and 2), with TLS\n"), "{} {}", ended.stdout, ended.stderr);
}

#[test]
fn the_service_presents_its_certificate() {
    let directory = directory();
    let made = certificate(&directory);
    let serving = Serving::start(configured(&directory, &["serve"], &config()));
    let mut plain = TcpStream::connect(serving.public).unwrap();
    plain.write_all(b"GET /errors HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let mut output = Vec::new();
    plain.read_to_end(&mut output).unwrap();
    assert!(!output.starts_with(b"HTTP"), "{}", String::from_utf8_lossy(&output));
    assert!(said_to_who_trusts(&made, &serving).unwrap().starts_with("HTTP/1.1 200 OK\r\n"));
    serving.signal("TERM");
    let ended = serving.ended();
    assert_eq!(ended.status.code(), Some(0));
    assert!(!ended.stderr.contains("ERROR"), "anybody can send what is no TLS: {}", ended.stderr);
}

#[test]
fn a_renewed_certificate_is_served_without_a_restart_despite_other_errors() {
    let directory = directory();
    let old = certificate(&directory);
    let mut serving = Serving::start(configured(&directory, &["serve"], &config()));
    let renewed = certificate(&directory);
    while said_to_who_trusts(&renewed, &serving).is_err() {
        serving.wait_for("certificate reloaded");
    }
    assert!(said_to_who_trusts(&renewed, &serving).is_ok() && said_to_who_trusts(&old, &serving).is_err());
    fs::write(directory.path().join("firmquote.toml"), "half written").unwrap();
    serving.wait_for("configuration rejected");
    let last = certificate(&directory);
    // Earlier lines may concern the previous certificate.
    while said_to_who_trusts(&last, &serving).is_err() {
        serving.wait_for("certificate reloaded");
    }
    set_mode(&directory.path().join("tls-key.pem"), 0o644);
    serving.wait_for("certificate rejected: the previous version stays active");
    assert!(said_to_who_trusts(&last, &serving).is_ok());
}
