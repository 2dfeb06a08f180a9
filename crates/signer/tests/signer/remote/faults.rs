//! An unavailable or faulty service: each fault has its own error, and the next request tries again.

use std::time::Duration;

use alloy_primitives::{U256, hex};
use firmquote_signer::{RemoteSigner, RemoteSignerConfig, Signer, SignerError};
use firmquote_test_servers::signing::{Fault, Route};

use crate::remote::setup::{OTHER_KEY, error_chain, message, remote_config, start};

/// The order of secp256k1.
const ORDER: &str = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

/// Returns the same signature with the other s, which is valid on the curve but rejected by EIP-2.
fn with_high_s(mut signature: [u8; 65]) -> Vec<u8> {
    let s = U256::from_be_slice(&signature[32..64]);
    let high_s: U256 = ORDER.parse::<U256>().unwrap() - s;
    signature[32..64].copy_from_slice(&high_s.to_be_bytes::<32>());
    signature[64] = 55 - signature[64];
    signature.to_vec()
}

fn with_v(signature: [u8; 65], change: fn(u8) -> u8) -> Vec<u8> {
    let mut signature = signature;
    signature[64] = change(signature[64]);
    signature.to_vec()
}

#[tokio::test]
async fn invalid_signatures_are_rejected() {
    let (service, signer) = start();
    signer.sign(&message(0)).await.unwrap();
    for (fault, expected) in [
        (Fault::Altered(with_high_s), "at most half the group order"),
        (Fault::Altered(|signature| with_v(signature, |v| 55 - v)), "a signature of the configured account"),
        (Fault::Altered(|signature| with_v(signature, |v| v + 2)), "v 27 or 28, or 0 or 1"),
        (Fault::Altered(|signature| with_v(signature, |v| v + 8)), "v 27 or 28, or 0 or 1"),
        (
            Fault::Altered(|signature| [vec![1], signature[1..].to_vec()].concat()),
            "a signature of the configured account",
        ),
        (Fault::Altered(|signature| [vec![0; 32], signature[32..].to_vec()].concat()), "r above zero"),
        (Fault::Altered(|signature| signature[..64].to_vec()), "65 bytes in hex"),
        (Fault::Altered(|signature| [signature.to_vec(), vec![0]].concat()), "65 bytes in hex"),
        (Fault::Text(String::new()), "65 bytes in hex"),
        (Fault::Text("0x".to_owned()), "65 bytes in hex"),
        (Fault::Text("zz".repeat(65)), "65 bytes in hex"),
        (Fault::Text("<html>502 Bad Gateway</html>".to_owned()), "65 bytes in hex"),
    ] {
        service.fail(Route::Sign, fault);
        let error = signer.sign(&message(1)).await.unwrap_err();
        assert!(matches!(error, SignerError::InvalidSignature(_)), "{error}");
        assert!(error_chain(&error).contains(expected), "{} has no {expected}", error_chain(&error));
    }
    service.heal();
    signer.sign(&message(1)).await.unwrap();
}

#[tokio::test]
async fn a_signature_by_another_key_is_rejected() {
    let (service, signer) = start();
    signer.sign(&message(0)).await.unwrap();
    let (other_service, _) = start();
    other_service.replace_key(&OTHER_KEY);
    let other_signer = RemoteSigner::new(&remote_config(&other_service)).unwrap();
    let signature = other_signer.sign(&message(1)).await.unwrap();
    let text = hex::encode([&signature.r()[..], &signature.s()[..], &[signature.v()]].concat());
    service.fail(Route::Sign, Fault::Text(text));
    let error = signer.sign(&message(1)).await.unwrap_err();
    assert!(error_chain(&error).contains("a signature of the configured account"), "{}", error_chain(&error));
}

#[tokio::test]
async fn recovery_ids_start_at_0_or_at_27() {
    let (service, signer) = start();
    let expected = signer.sign(&message(1)).await.unwrap();
    service.fail(Route::Sign, Fault::Altered(|signature| with_v(signature, |v| v - 27)));
    assert_eq!(signer.sign(&message(1)).await.unwrap(), expected);
}

#[tokio::test]
async fn a_failing_service_is_unavailable_and_retried() {
    let (service, signer) = start();
    signer.sign(&message(0)).await.unwrap();
    for (fault, expected) in [
        (Fault::Status(400), "HTTP status 400"),
        (Fault::Status(301), "HTTP status 301"),
        (Fault::Status(412), "HTTP status 412"),
        (Fault::Status(500), "HTTP status 500"),
        (Fault::Status(503), "HTTP status 503"),
        (Fault::HalfAnswer, "error reading a body"),
        (Fault::Closes, "connection closed before message completed"),
        (Fault::Text("a".repeat(1 << 20)), "length limit exceeded"),
    ] {
        service.fail(Route::Sign, fault);
        let error = signer.sign(&message(1)).await.unwrap_err();
        assert!(matches!(error, SignerError::Unavailable { .. }), "{error}");
        let text = error_chain(&error);
        assert!(text.contains(expected) && text.contains(&service.address().to_string()), "{text} has no {expected}");
        service.heal();
        signer.sign(&message(1)).await.unwrap();
    }
}

#[tokio::test]
async fn a_malformed_key_list_makes_the_service_unavailable() {
    let (service, signer) = start();
    let huge = format!("[\"{}\"]", "a".repeat(2 << 20));
    for fault in [
        Fault::Status(500),
        Fault::Status(404),
        Fault::HalfAnswer,
        Fault::Closes,
        Fault::Text(String::new()),
        Fault::Text("{}".to_owned()),
        Fault::Text("[1, 2]".to_owned()),
        Fault::Text(huge),
    ] {
        service.fail(Route::List, fault);
        for result in [signer.check().await, signer.sign(&message(1)).await.map(drop)] {
            let error = result.unwrap_err();
            assert!(matches!(error, SignerError::Unavailable { .. }), "{}", error_chain(&error));
        }
    }
    service.heal();
    signer.check().await.unwrap();
    signer.sign(&message(1)).await.unwrap();
}

#[tokio::test]
async fn a_404_means_the_key_does_not_exist() {
    let (service, signer) = start();
    signer.sign(&message(0)).await.unwrap();
    service.fail(Route::Sign, Fault::Status(404));
    assert!(matches!(signer.sign(&message(1)).await, Err(SignerError::InvalidKey(_))));
}

#[tokio::test]
async fn a_silent_service_times_out() {
    let (service, _) = start();
    let timeout = Duration::from_millis(50);
    let signer = RemoteSigner::new(&RemoteSignerConfig { timeout, ..remote_config(&service) }).unwrap();
    for route in [Route::List, Route::Sign] {
        service.fail(route, Fault::Silence);
        // On a busy machine the list may time out as well, with the same error.
        let error = signer.sign(&message(1)).await.unwrap_err();
        assert!(error_chain(&error).ends_with("no response within 50 ms"), "{}", error_chain(&error));
    }
}
