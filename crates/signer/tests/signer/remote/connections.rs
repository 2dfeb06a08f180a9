//! Connections are reused, and replaced after failures and restarts of the service.

use firmquote_signer::{RemoteSigner, Signer, SignerError};
use firmquote_test_servers::signing::{Fault, Route};

use crate::remote::setup::{error_chain, local, message, remote_config, start};

#[tokio::test]
async fn one_connection_serves_many_signatures() {
    let (service, signer) = start();
    for number in 0..8 {
        signer.sign(&message(number)).await.unwrap();
    }
    assert_eq!((service.connection_count(), service.requests().len()), (1, 9));
}

#[tokio::test]
async fn a_connection_closed_without_a_response_is_replaced_once() {
    let (service, signer) = start();
    signer.sign(&message(0)).await.unwrap();
    let before = service.requests().len();
    service.fail_once(Route::Sign, Fault::Closes);
    let signature = signer.sign(&message(1)).await.unwrap();
    assert_eq!(signature, local().sign(&message(1)).await.unwrap());
    assert_eq!(service.requests().len() - before, 2);
    service.fail(Route::Sign, Fault::Closes);
    assert!(matches!(signer.sign(&message(2)).await, Err(SignerError::Unavailable { .. })));
    assert_eq!(service.requests().len() - before, 4);
}

#[tokio::test]
async fn a_partial_response_is_not_retried() {
    let (service, signer) = start();
    signer.sign(&message(0)).await.unwrap();
    let before = service.requests().len();
    service.fail(Route::Sign, Fault::HalfAnswer);
    assert!(signer.sign(&message(1)).await.is_err());
    assert_eq!(service.requests().len() - before, 1);
}

#[tokio::test]
async fn signing_resumes_after_the_service_restarts() {
    let (mut service, signer) = start();
    for number in 0..3 {
        signer.sign(&message(number)).await.unwrap();
        service.stop();
        service.start_again();
    }
    signer.sign(&message(3)).await.unwrap();
}

#[tokio::test]
async fn signing_starts_once_the_service_is_available() {
    let (mut service, _) = start();
    service.stop();
    let signer = RemoteSigner::new(&remote_config(&service)).unwrap();
    for result in [signer.check().await, signer.sign(&message(1)).await.map(drop)] {
        let error = result.unwrap_err();
        assert!(matches!(error, SignerError::Unavailable { .. }), "{error}");
        assert!(error_chain(&error).contains(&format!("{}: ", service.address())), "{}", error_chain(&error));
    }
    service.start_again();
    signer.check().await.unwrap();
    signer.sign(&message(1)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signatures_run_concurrently() {
    let (_service, signer) = start();
    let signer = std::sync::Arc::new(signer);
    let tasks: Vec<_> = (0..32)
        .map(|number| {
            let signer = std::sync::Arc::clone(&signer);
            tokio::spawn(async move { (number, signer.sign(&message(number)).await) })
        })
        .collect();
    for task in tasks {
        let (number, signature) = task.await.unwrap();
        assert_eq!(signature.unwrap(), local().sign(&message(number)).await.unwrap());
    }
}
