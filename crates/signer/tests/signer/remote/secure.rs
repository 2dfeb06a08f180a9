//! A service behind TLS, which lets one client in.

use firmquote_signer::{
    InvalidRemoteSignerConfig, RemoteIdentity, RemoteSigner, RemoteSignerConfig, Signer, SignerError,
};
use firmquote_test_servers::signing::{Certificates, SigningService};

use crate::remote::setup::{KEY, access, error_chain, message};

fn identity(certificates: &Certificates) -> RemoteIdentity {
    RemoteIdentity {
        certificates: certificates.client.clone().into_bytes(),
        key: certificates.client_key.clone().into_bytes().into(),
    }
}

/// Access to a service behind TLS with the certificates of both sides.
fn start() -> (SigningService, Certificates, impl Fn() -> RemoteSignerConfig) {
    let certificates = Certificates::new();
    let service = SigningService::start_with_tls(&KEY, &certificates);
    let url = format!("https://localhost:{}", service.address().port());
    let plain = RemoteSignerConfig { url, ..access(&service) };
    let authority = certificates.authority.clone().into_bytes();
    let own = identity(&certificates);
    let complete = move || RemoteSignerConfig {
        url: plain.url.clone(),
        authorities: Some(authority.clone()),
        identity: Some(RemoteIdentity { certificates: own.certificates.clone(), key: own.key.clone() }),
        ..plain
    };
    (service, certificates, complete)
}

#[tokio::test]
async fn a_trusted_service_signs_for_its_known_client() {
    let (service, _, complete) = start();
    let signer = RemoteSigner::new(&complete()).unwrap();
    signer.check().await.unwrap();
    signer.sign(&message(1)).await.unwrap();
    assert_eq!(service.connection_count(), 1);
}

#[tokio::test]
async fn unauthenticated_peers_on_either_side_are_unavailable() {
    let (service, _, complete) = start();
    let foreign = Certificates::new();
    for stranger in [
        RemoteSignerConfig { authorities: Some(foreign.authority.clone().into_bytes()), ..complete() },
        RemoteSignerConfig { identity: None, ..complete() },
        RemoteSignerConfig { identity: Some(identity(&foreign)), ..complete() },
        RemoteSignerConfig { url: complete().url.replace("https", "http"), ..complete() },
    ] {
        let error = RemoteSigner::new(&stranger).unwrap().sign(&message(1)).await.unwrap_err();
        assert!(matches!(error, SignerError::Unavailable { .. }), "{}", error_chain(&error));
    }
    assert!(service.requests().is_empty());
}

#[test]
fn invalid_certificates_are_rejected_at_once() {
    let (_service, certificates, complete) = start();
    let error = |access: RemoteSignerConfig| RemoteSigner::new(&access).unwrap_err();
    for (authorities, reason) in [
        ("", "there is no certificate"),
        ("nothing", "there is no certificate"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "certificate 1 is broken"),
        (&format!("{}-----BEGIN CERTIFICATE{}", certificates.authority, "A".repeat(4_000)), "certificate 2 is broken"),
    ] {
        let error = error(RemoteSignerConfig { authorities: Some(authorities.into()), ..complete() });
        assert_eq!(
            error,
            InvalidRemoteSignerConfig::Authorities { reason: reason.to_owned() },
            "and nothing of the file"
        );
    }
    let of_another = Certificates::new().client_key;
    for (certificate, key) in [
        (certificates.client.as_str(), "nothing"),
        ("nothing", certificates.client_key.as_str()),
        (certificates.client.as_str(), of_another.as_str()),
    ] {
        let identity = RemoteIdentity { certificates: certificate.into(), key: Vec::from(key).into() };
        assert_eq!(
            error(RemoteSignerConfig { identity: Some(identity), ..complete() }),
            InvalidRemoteSignerConfig::Identity
        );
    }
}
