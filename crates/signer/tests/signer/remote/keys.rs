//! Which key signs, and what it is sent.

use alloy_primitives::{Address, hex};
use firmquote_signer::{InvalidRemoteSignerConfig, RemoteSigner, RemoteSignerConfig, Signer, SignerError, recover};
use firmquote_test_servers::signing::{Fault, ReceivedRequest, Route, SigningService};

use crate::remote::setup::{KEY, OTHER_KEY, access, error_chain, local, message, start};

#[tokio::test]
async fn remote_signatures_match_the_same_key_in_memory() {
    let (service, signer) = start();
    assert_eq!(signer.address(), local().address());
    for number in 0..4 {
        let message = message(number);
        let signature = signer.sign(&message).await.unwrap();
        assert_eq!(signature, local().sign(&message).await.unwrap());
        assert_eq!(recover(message.digest(), &signature), Some(service.account()));
    }
}

#[tokio::test]
async fn the_full_message_is_sent_to_the_route_of_a_key_looked_up_once() {
    let (service, signer) = start();
    for number in 0..2 {
        signer.sign(&message(number)).await.unwrap();
    }
    let asked = service.requests();
    assert_eq!(asked.len(), 3);
    assert_eq!(asked[0], ReceivedRequest { path: "/api/v1/eth1/publicKeys".to_owned(), body: String::new() });
    for (number, asked) in (0..).zip(&asked[1..]) {
        let key = asked.path.strip_prefix("/api/v1/eth1/sign/0x").unwrap();
        let key: [u8; 64] = hex::decode(key).unwrap().try_into().unwrap();
        assert_eq!(Address::from_raw_public_key(&key), service.account());
        assert_eq!(asked.body, format!("{{\"data\":\"{}\"}}", hex::encode_prefixed(message(number).bytes())));
    }
}

#[tokio::test]
async fn routes_are_below_the_path_of_the_url() {
    let (service, _) = start();
    let url = format!("http://{}/behind/a/proxy/", service.address());
    let signer = RemoteSigner::new(&RemoteSignerConfig { url, ..access(&service) }).unwrap();
    signer.sign(&message(1)).await.unwrap();
    assert!(service.requests().iter().all(|asked| asked.path.starts_with("/behind/a/proxy/api/v1/eth1/")));
}

#[tokio::test]
async fn a_missing_key_is_reported_before_signing() {
    let (service, signer) = start();
    signer.check().await.unwrap();
    let other =
        RemoteSigner::new(&RemoteSignerConfig { address: Address::repeat_byte(1), ..access(&service) }).unwrap();
    for answer in [other.check().await, other.sign(&message(1)).await.map(drop)] {
        let error = answer.unwrap_err();
        assert!(matches!(error, SignerError::InvalidKey(_)), "{error}");
        assert!(
            error_chain(&error).ends_with("allowed: an account whose key the signing service holds"),
            "{}",
            error_chain(&error)
        );
    }
    assert!(service.requests().iter().all(|asked| asked.path.ends_with("/publicKeys")));
}

#[tokio::test]
async fn a_removed_key_is_reported_and_looked_up_again() {
    let (service, signer) = start();
    signer.sign(&message(1)).await.unwrap();
    service.replace_key(&OTHER_KEY);
    for answer in [signer.sign(&message(2)).await.map(drop), signer.check().await] {
        assert!(matches!(answer, Err(SignerError::InvalidKey(_))));
    }
    service.replace_key(&KEY);
    signer.sign(&message(2)).await.unwrap();
}

#[tokio::test]
async fn public_keys_are_parsed_in_every_notation() {
    let (service, _) = start();
    let (signed, own) = {
        let signer = RemoteSigner::new(&access(&service)).unwrap();
        signer.sign(&message(1)).await.unwrap();
        let path = service.requests()[1].path.clone();
        (path.clone(), path.rsplit_once("/0x").unwrap().1.to_owned())
    };
    let bls = "0x".to_owned() + &"ab".repeat(48);
    for list in [
        format!("[\"{bls}\", \"\", \"0x\", \"nonsense\", \"0x{own}\"]"),
        format!("[\"{own}\"]"),
        format!("[\"0x04{own}\"]"),
        format!("[ \"{}\" ]\n", own.to_uppercase()),
    ] {
        service.fail_once(Route::List, Fault::Text(list.clone()));
        let signer = RemoteSigner::new(&access(&service)).unwrap();
        signer.sign(&message(1)).await.unwrap();
        assert_eq!(service.requests().last().unwrap().path, signed, "{list}");
    }
}

#[tokio::test]
async fn neither_the_url_path_nor_the_response_is_ever_shown() {
    let mut service = SigningService::start(&KEY);
    let url = format!("http://{}/hidden-path", service.address());
    let signer = RemoteSigner::new(&RemoteSignerConfig { url, ..access(&service) }).unwrap();
    let shown = format!("{signer:?}");
    assert!(shown.contains(&service.address().to_string()) && !shown.contains("hidden-path"), "{shown}");
    signer.sign(&message(1)).await.unwrap();
    let mut errors = Vec::new();
    for fault in [Fault::Status(500), Fault::Closes, Fault::HalfAnswer, Fault::Text("hidden-answer".to_owned())] {
        service.fail(Route::List, fault.clone());
        errors.push(signer.check().await.unwrap_err());
        service.fail(Route::Sign, fault);
        errors.push(signer.sign(&message(1)).await.unwrap_err());
    }
    service.stop();
    errors.push(signer.sign(&message(1)).await.unwrap_err());
    for error in errors {
        let text = format!("{error} {error:?} {}", error_chain(&error));
        assert!(!text.contains("hidden"), "{text}");
    }
}

#[test]
fn invalid_settings_are_rejected_at_once() {
    let service = SigningService::start(&KEY);
    let access = || access(&service);
    let error = |access: RemoteSignerConfig| RemoteSigner::new(&access).unwrap_err();
    for url in ["", "ws://host", "http://me:hidden@host", "http://host?hidden", "127.0.0.1:9000"] {
        let error = error(RemoteSignerConfig { url: url.to_owned(), ..access() });
        assert!(
            matches!(error, InvalidRemoteSignerConfig::Url { .. }) && !error.to_string().contains("hidden"),
            "{error}"
        );
    }
    let error = error(RemoteSignerConfig { timeout: std::time::Duration::ZERO, ..access() });
    assert_eq!(error, InvalidRemoteSignerConfig::Timeout);
}
