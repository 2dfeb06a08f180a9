//! Replacement of a service at runtime.

use std::sync::Arc;

use firmquote_desk::Desk;
use firmquote_domain::UnixSeconds;
use firmquote_http::{BasicRetirement, Credential, Credentials, NewApiKey, PublicUrl, Service, Settings};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::support::{Rig, TestResponse, api_key};

const V1_QUOTE: &str = "/rfq/quote";
const V2_POOL: &str = "/rfq/v2/pool/1";

fn one_eth() -> Value {
    json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC",
        "input_amount": "1000000000000000000"})
}

/// Returns the service of `rig` with these credentials.
fn service(rig: &Rig, credentials: impl IntoIterator<Item = Credential>, settings: Settings) -> Service {
    Service {
        desk: Arc::clone(&rig.desk),
        prices: Arc::clone(&rig.prices),
        operators: Vec::new(),
        credentials: Credentials::new(credentials).unwrap(),
        settings,
    }
}

fn by_login(rig: &Rig) -> RequestBuilder {
    let request = rig.request(Method::POST, V1_QUOTE).json(&one_eth());
    request.basic_auth("old-partner", Some(rig.acme_password.reveal()))
}

async fn pool_as(rig: &Rig, key: &NewApiKey) -> TestResponse {
    rig.send(rig.request(Method::GET, V2_POOL).header("x-api-key", key.reveal())).await
}

#[tokio::test]
async fn a_revoked_credential_is_rejected_by_the_next_request_even_if_cached() {
    let rig = Rig::start().await;
    assert_eq!(pool_as(&rig, &rig.acme_key).await.status, 200);
    for _ in 0..2 {
        assert_eq!(rig.send(by_login(&rig)).await.status, 200);
    }
    let new_key = NewApiKey::generate().unwrap();
    rig.live.replace(service(&rig, [api_key("acme", &new_key)], Settings::default()));
    assert_eq!(pool_as(&rig, &rig.acme_key).await.status, 403);
    assert_eq!(rig.send(by_login(&rig)).await.status, 403);
    assert_eq!(pool_as(&rig, &new_key).await.status, 200);
}

/// Returns the desk of the rig without pools.
fn without_pools(rig: &Rig) -> Desk {
    let Desk { pauses, market, store, firm_levels, clock, operator_view, .. } = &*rig.desk;
    let (pauses, market, store) = (Arc::clone(pauses), Arc::clone(market), Arc::clone(store));
    Desk {
        pools: Vec::new(),
        pauses,
        market,
        store,
        firm_levels: Arc::clone(firm_levels),
        clock: Arc::clone(clock),
        operator_view: Arc::clone(operator_view),
        recorder: None,
    }
}

#[tokio::test]
async fn credentials_anonymous_use_and_desk_are_replaced_together() {
    let rig = Rig::start().await;
    assert_eq!(rig.post(V1_QUOTE, &one_eth()).await.status, 200);
    let settings = Settings { anonymous: false, ..Settings::default() };
    let new_key = NewApiKey::generate().unwrap();
    let new = service(&rig, [api_key("acme", &new_key)], settings);
    rig.live.replace(Service { desk: Arc::new(without_pools(&rig)), ..new });
    assert_eq!(rig.post(V1_QUOTE, &one_eth()).await.status, 401);
    assert_eq!(pool_as(&rig, &rig.apex_key).await.status, 403);
    let (status, kind, _, message) = pool_as(&rig, &new_key).await.error();
    assert_eq!((status, kind.as_str(), message.as_str()), (400, "BadData", "chain_id: 1 is not supported"));
}

#[tokio::test]
async fn response_headers_and_links_follow_the_replacement() {
    let rig = Rig::start().await;
    assert_eq!(rig.send(by_login(&rig)).await.header("deprecation"), Some("@1767225600"));
    let (deprecated_at, sunset_at) = (UnixSeconds::new(1_688_169_599), Some(UnixSeconds::new(2_000_000_000)));
    let settings = Settings {
        public_url: Some(PublicUrl::new("https://rfq.example").unwrap()),
        basic: BasicRetirement { deprecated_at, sunset_at, is_switched_off: false },
        ..Settings::default()
    };
    rig.live.replace(service(&rig, [], settings));
    let answer = rig.send(by_login(&rig)).await;
    assert_eq!(answer.header("deprecation"), Some("@1688169599"));
    assert_eq!(answer.header("sunset"), Some("Wed, 18 May 2033 03:33:20 GMT"));
    let invalid = rig.post(V1_QUOTE, &json!({})).await;
    assert!(invalid.text.contains("\"https://rfq.example/errors/missing\""), "{invalid:?}");
}

/// Sends the head of a sign request with the API key of `acme`, and returns a closure that sends the body.
async fn begun_sign(rig: &Rig, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(rig.base.trim_start_matches("http://")).await.unwrap();
    let head = format!(
        "POST /rfq/sign HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        rig.acme_key.reveal(),
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // Once the only worker has answered a second request, it has started the first.
    rig.get("/rfq/v2/pool/1").await.success();
    stream
}

#[tokio::test]
async fn a_delayed_body_is_handled_by_the_current_service() {
    for is_revoked in [false, true] {
        let rig = Rig::start().await;
        let quote = rig.post_as_acme(V1_QUOTE, &one_eth()).await.success();
        let destination = "0x1111111111111111111111111111111111111111";
        let body = json!({"quote_id": quote["id"], "destination_address": destination}).to_string();
        let mut stream = begun_sign(&rig, &body).await;
        let remaining_key = if is_revoked { &rig.apex_key } else { &rig.acme_key };
        let new = service(&rig, [api_key("acme", remaining_key)], Settings::default());
        rig.live.replace(Service { desk: Arc::new(without_pools(&rig)), ..new });
        stream.write_all(body.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let expected = if is_revoked { "HTTP/1.1 403 " } else { "HTTP/1.1 400 " };
        assert!(answer.starts_with(expected), "{answer}");
    }
}
