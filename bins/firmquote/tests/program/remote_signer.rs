//! A signing service that signs, fails and recovers.
#![expect(clippy::indexing_slicing, reason = "a test may panic outside its test functions too")]

use alloy_primitives::{Address, B256, U256, hex};
use firmquote_domain::{ChainId, GoodUntil, Offer, PoolId, Signature, SigningDomain};
use firmquote_signer::{DomainSeparator, digest, recover};
use firmquote_test_servers::signing::SigningService;
use reqwest::{Client, Response};
use serde_json::{Value, json};

use crate::program::{CONFIG, KEY, Serving, configured, directory, quote_request, run};

const DESTINATION: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

fn start() -> SigningService {
    let mut key = [0; 32];
    hex::decode_to_slice(KEY, &mut key).unwrap();
    SigningService::start(&key)
}

/// Returns a configuration whose signer is the key of `address` at `service`, below a secret path.
fn config(service: &SigningService, address: Address) -> String {
    let url = format!("http://{}/hidden-path", service.address());
    let signer = format!("remote_url = \"{url}\"\nremote_address = \"{address}\"\nremote_timeout_ms = 60000");
    CONFIG.replace("key_env = \"FIRMQUOTE_SIGNER_KEY\"", &signer)
}

/// Requests the signature of a new quote.
async fn sign(serving: &Serving) -> Response {
    let client = Client::builder().no_proxy().build().unwrap();
    let post = async |route: &str, body: Value| {
        client.post(format!("http://{}/rfq/{route}", serving.public)).json(&body).send().await.unwrap()
    };
    let request = quote_request("10000000000000000");
    let quote: Value = post("quote", request).await.json().await.unwrap();
    post("sign", json!({ "quote_id": quote["id"], "destination_address": DESTINATION })).await
}

/// Recovers the signer of `signed` as the contract does.
pub(crate) fn signer(signed: &Value) -> Option<Address> {
    let text = |key: &str| signed[key].as_str().unwrap();
    let address = |key: &str| text(key).parse::<Address>().unwrap();
    let pool = PoolId { chain_id: ChainId::new(1).unwrap(), address: address("service_exchange_address") };
    let offer = Offer {
        pool,
        input_token: address("input_asset_address"),
        output_token: address("output_asset_address"),
        input_amount: text("input_amount").parse().unwrap(),
        output_amount: text("output_amount").parse().unwrap(),
        good_until: GoodUntil::from_word(text("good_until").parse::<U256>().unwrap()).unwrap(),
        destination: address("destination_address"),
    };
    let domain = SigningDomain { name: "ClipperDirect".into(), version: "1.0.0".into() };
    let word = |key: &str| signed["signature"][key].as_str().unwrap().parse::<B256>().unwrap();
    let signature = Signature::new(word("r"), word("s"), signed["signature"]["v"] == 28).unwrap();
    recover(digest(&DomainSeparator::new(&domain, pool), &offer), &signature)
}

#[tokio::test]
async fn signing_through_a_service_resumes_after_its_outage() {
    let mut service = start();
    let directory = directory();
    let mut command = configured(&directory, &["serve"], &config(&service, service.account()));
    command.env("FIRMQUOTE__LOG__LEVEL", "trace");
    let serving = Serving::start(command);
    let signed = sign(&serving).await;
    assert_eq!(signed.status(), 200);
    assert_eq!(signer(&signed.json().await.unwrap()), Some(service.account()));

    service.stop();
    let refused = sign(&serving).await;
    assert_eq!(refused.status(), 503);
    assert!(refused.headers().contains_key("retry-after"));
    let refused: Value = refused.json().await.unwrap();
    assert!(!refused.to_string().contains(&service.address().to_string()), "{refused}");

    service.start_again();
    let signed = sign(&serving).await;
    assert_eq!(signed.status(), 200);
    assert_eq!(signer(&signed.json().await.unwrap()), Some(service.account()));
    serving.signal("TERM");
    let ended = serving.ended();
    assert!(ended.stderr.contains("the signer is unavailable"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("hidden-path"), "{}", ended.stderr);
}

#[tokio::test]
async fn the_program_starts_without_its_service_and_waits_for_it() {
    let mut service = start();
    service.stop();
    let directory = directory();
    let config = config(&service, service.account());
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    assert_eq!(sign(&serving).await.status(), 503);
    let checked = run(configured(&directory, &["check"], &config));
    assert_eq!((checked.status.code(), checked.stderr.as_str()), (Some(0), ""));
    let warning = format!("- signer \"hot\": the signer is unavailable: {}: ", service.address());
    assert!(checked.stdout.contains(&warning), "{}", checked.stdout);
    service.start_again();
    assert_eq!(sign(&serving).await.status(), 200);
    serving.signal("TERM");
    let ended = serving.ended();
    assert!(
        ended.stderr.contains("nothing is signed by 0x2c7536E3605D9C16a7a3D7b1898e529396a65c23"),
        "{}",
        ended.stderr
    );
    assert!(!ended.stderr.contains("hidden-path") && !checked.stdout.contains("hidden-path"), "{}", ended.stderr);
}

#[test]
fn a_service_without_the_key_is_an_error_at_start() {
    let service = start();
    let directory = directory();
    let other = Address::repeat_byte(1);
    for command in ["check", "serve"] {
        let ended = run(configured(&directory, &[command], &config(&service, other)));
        assert_eq!(ended.status.code(), Some(1));
        let error = ended.stderr.lines().last().unwrap();
        assert!(
            error.starts_with(&format!("error: signer \"hot\" ({other}): the signing key is unusable: ")),
            "{error}"
        );
        assert!(error.ends_with("allowed: an account whose key the signing service holds"), "{error}");
    }
}
