//! The choice of the key, and the requests that use it.

use alloy_primitives::{Address, hex};
use firmquote_signer::{InvalidRemoteSignerConfig, RemoteSigner, RemoteSignerConfig, Signer, SignerError, recover};
use firmquote_test_servers::signing::{Fault, ReceivedRequest, Route, SigningService};

use crate::remote::setup::{KEY, OTHER_KEY, error_chain, local, message, remote_config, start};

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
    let requests = service.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[0], ReceivedRequest { path: "/api/v1/eth1/publicKeys".to_owned(), body: String::new() });
    for (number, request) in (0..).zip(&requests[1..]) {
        let key = request.path.strip_prefix("/api/v1/eth1/sign/0x").unwrap();
        let key: [u8; 64] = hex::decode(key).unwrap().try_into().unwrap();
        assert_eq!(Address::from_raw_public_key(&key), service.account());
        assert_eq!(request.body, format!("{{\"data\":\"{}\"}}", hex::encode_prefixed(message(number).bytes())));
    }
}

#[tokio::test]
async fn routes_are_below_the_path_of_the_url() {
    let (service, _) = start();
    let url = format!("http://{}/behind/a/proxy/", service.address());
    let signer = RemoteSigner::new(&RemoteSignerConfig { url, ..remote_config(&service) }).unwrap();
    signer.sign(&message(1)).await.unwrap();
    assert!(service.requests().iter().all(|request| request.path.starts_with("/behind/a/proxy/api/v1/eth1/")));
}

#[tokio::test]
async fn a_missing_key_is_reported_before_signing() {
    let (service, signer) = start();
    signer.check().await.unwrap();
    let signer =
        RemoteSigner::new(&RemoteSignerConfig { address: Address::repeat_byte(1), ..remote_config(&service) }).unwrap();
    for result in [signer.check().await, signer.sign(&message(1)).await.map(drop)] {
        let error = result.unwrap_err();
        assert!(matches!(error, SignerError::InvalidKey(_)), "{error}");
        assert!(
            error_chain(&error).ends_with("allowed: an account whose key the signing service holds"),
            "{}",
            error_chain(&error)
        );
    }
    assert!(service.requests().iter().all(|request| request.path.ends_with("/publicKeys")));
}

#[tokio::test]
async fn a_removed_key_is_reported_and_looked_up_again() {
    let (service, signer) = start();
    signer.sign(&message(1)).await.unwrap();
    service.replace_key(&OTHER_KEY);
    for result in [signer.sign(&message(2)).await.map(drop), signer.check().await] {
        assert!(matches!(result, Err(SignerError::InvalidKey(_))));
    }
    service.replace_key(&KEY);
    signer.sign(&message(2)).await.unwrap();
}

#[tokio::test]
async fn public_keys_are_parsed_in_every_notation() {
    let (service, _) = start();
    let (sign_path, public_key) = {
        let signer = RemoteSigner::new(&remote_config(&service)).unwrap();
        signer.sign(&message(1)).await.unwrap();
        let path = service.requests()[1].path.clone();
        (path.clone(), path.rsplit_once("/0x").unwrap().1.to_owned())
    };
    let bls = "0x".to_owned() + &"ab".repeat(48);
    for list in [
        format!("[\"{bls}\", \"\", \"0x\", \"nonsense\", \"0x{public_key}\"]"),
        format!("[\"{public_key}\"]"),
        format!("[\"0x04{public_key}\"]"),
        format!("[ \"{}\" ]\n", public_key.to_uppercase()),
    ] {
        service.fail_once(Route::List, Fault::Text(list.clone()));
        let signer = RemoteSigner::new(&remote_config(&service)).unwrap();
        signer.sign(&message(1)).await.unwrap();
        assert_eq!(service.requests().last().unwrap().path, sign_path, "{list}");
    }
}

#[tokio::test]
async fn neither_the_url_path_nor_the_response_is_ever_shown() {
    let mut service = SigningService::start(&KEY);
    let url = format!("http://{}/hidden-path", service.address());
    let signer = RemoteSigner::new(&RemoteSignerConfig { url, ..remote_config(&service) }).unwrap();
    let debug = format!("{signer:?}");
    assert!(debug.contains(&service.address().to_string()) && !debug.contains("hidden-path"), "{debug}");
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
    let config = || remote_config(&service);
    let error = |config: RemoteSignerConfig| RemoteSigner::new(&config).unwrap_err();
    for url in ["", "ws://host", "http://me:hidden@host", "http://host?hidden", "127.0.0.1:9000"] {
        let error = error(RemoteSignerConfig { url: url.to_owned(), ..config() });
        assert!(
            matches!(error, InvalidRemoteSignerConfig::Url { .. }) && !error.to_string().contains("hidden"),
            "{error}"
        );
    }
    let error = error(RemoteSignerConfig { timeout: std::time::Duration::ZERO, ..config() });
    assert_eq!(error, InvalidRemoteSignerConfig::Timeout);
}
