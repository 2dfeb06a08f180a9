//! A signing service with TLS that accepts a single client.

use firmquote_signer::{
    InvalidRemoteSignerConfig, RemoteIdentity, RemoteSigner, RemoteSignerConfig, Signer, SignerError,
};
use firmquote_test_servers::signing::{Certificates, SigningService};

use crate::remote::setup::{KEY, error_chain, message, remote_config};

fn identity(certificates: &Certificates) -> RemoteIdentity {
    RemoteIdentity {
        certificates: certificates.client.clone().into_bytes(),
        key: certificates.client_key.clone().into_bytes().into(),
    }
}

/// Starts a service with TLS. The returned function builds the configuration of its client.
fn start() -> (SigningService, Certificates, impl Fn() -> RemoteSignerConfig) {
    let certificates = Certificates::new();
    let service = SigningService::start_with_tls(&KEY, &certificates);
    let url = format!("https://localhost:{}", service.address().port());
    let base = RemoteSignerConfig { url, ..remote_config(&service) };
    let authority = certificates.authority.clone().into_bytes();
    let identity = identity(&certificates);
    let full_config = move || RemoteSignerConfig {
        url: base.url.clone(),
        authorities: Some(authority.clone()),
        identity: Some(RemoteIdentity { certificates: identity.certificates.clone(), key: identity.key.clone() }),
        ..base
    };
    (service, certificates, full_config)
}

#[tokio::test]
async fn a_trusted_service_signs_for_its_known_client() {
    let (service, _, full_config) = start();
    let signer = RemoteSigner::new(&full_config()).unwrap();
    signer.check().await.unwrap();
    signer.sign(&message(1)).await.unwrap();
    assert_eq!(service.connection_count(), 1);
}

#[tokio::test]
async fn unauthenticated_peers_on_either_side_are_unavailable() {
    let (service, _, full_config) = start();
    let untrusted = Certificates::new();
    for config in [
        RemoteSignerConfig { authorities: Some(untrusted.authority.clone().into_bytes()), ..full_config() },
        RemoteSignerConfig { identity: None, ..full_config() },
        RemoteSignerConfig { identity: Some(identity(&untrusted)), ..full_config() },
        RemoteSignerConfig { url: full_config().url.replace("https", "http"), ..full_config() },
    ] {
        let error = RemoteSigner::new(&config).unwrap().sign(&message(1)).await.unwrap_err();
        assert!(matches!(error, SignerError::Unavailable { .. }), "{}", error_chain(&error));
    }
    assert!(service.requests().is_empty());
}

#[test]
fn invalid_certificates_are_rejected_at_once() {
    let (_service, certificates, full_config) = start();
    let error = |config: RemoteSignerConfig| RemoteSigner::new(&config).unwrap_err();
    for (authorities, reason) in [
        ("", "there is no certificate"),
        ("nothing", "there is no certificate"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "certificate 1 is broken"),
        (&format!("{}-----BEGIN CERTIFICATE{}", certificates.authority, "A".repeat(4_000)), "certificate 2 is broken"),
    ] {
        let error = error(RemoteSignerConfig { authorities: Some(authorities.into()), ..full_config() });
        assert_eq!(
            error,
            InvalidRemoteSignerConfig::Authorities { reason: reason.to_owned() },
            "the reason contains no part of the file"
        );
    }
    let other_key = Certificates::new().client_key;
    for (certificate, key) in [
        (certificates.client.as_str(), "nothing"),
        ("nothing", certificates.client_key.as_str()),
        (certificates.client.as_str(), other_key.as_str()),
    ] {
        let identity = RemoteIdentity { certificates: certificate.into(), key: Vec::from(key).into() };
        assert_eq!(
            error(RemoteSignerConfig { identity: Some(identity), ..full_config() }),
            InvalidRemoteSignerConfig::Identity
        );
    }
}
