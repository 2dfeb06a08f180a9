//! Cross-origin requests of browsers, allowed for configured origins only.

use firmquote_http::{CorsOrigin, Limits, Quota, Settings};
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::support::{Rig, Start, TestResponse};

const WALLET: &str = "https://wallet.example";
const QUOTE: &str = "/rfq/quote";
const EXPOSED: &str =
    "retry-after, ratelimit, ratelimit-policy, x-request-id, www-authenticate, deprecation, sunset, etag";

async fn rig(limits: Option<Limits>) -> Rig {
    let start = Start::default();
    let limits = limits.unwrap_or(start.settings.limits);
    let cors_origins = vec![CorsOrigin::new("https://other.example").unwrap(), CorsOrigin::new(WALLET).unwrap()];
    Rig::start_with(Start { settings: Settings { cors_origins, limits, ..start.settings }, ..start }).await
}

fn preflight(rig: &Rig, path: &str, origin: &str) -> RequestBuilder {
    let request = rig.request(Method::OPTIONS, path).header("origin", origin);
    request.header("access-control-request-method", "POST").header("access-control-request-headers", "x-api-key")
}

fn cors(answer: &TestResponse) -> [Option<&str>; 5] {
    ["allow-origin", "allow-methods", "allow-headers", "max-age", "expose-headers"]
        .map(|name| answer.header(&format!("access-control-{name}")))
}

#[actix_web::test]
async fn preflights_of_allowed_origins_need_no_key_and_count_towards_the_limit() {
    let hourly = Quota::per_hour(1, 2);
    let rig = rig(Some(Limits { anonymous: hourly, failed_logins: hourly, credential: None })).await;
    for (path, methods) in [(QUOTE, "POST"), ("/rfq/v2/quote/1", "GET")] {
        let answer = rig.send(preflight(&rig, path, WALLET)).await;
        assert_eq!((answer.status, &*answer.text), (204, ""));
        let headers = "authorization, content-type, idempotency-key, x-api-key, x-request-id, traceparent, tracestate";
        assert_eq!(cors(&answer), [Some(WALLET), Some(methods), Some(headers), Some("7200"), Some(EXPOSED)]);
        assert_eq!(answer.header("vary"), Some("origin"));
    }
    let refused = rig.send(preflight(&rig, QUOTE, WALLET)).await;
    assert_eq!((refused.status, refused.header("access-control-allow-origin")), (429, Some(WALLET)));
}

#[actix_web::test]
async fn only_allowed_origins_can_read_responses_and_errors() {
    let rig = rig(None).await;
    let input = json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC",
        "input_amount": "1000000000000000000"});
    let quote = || rig.request(Method::POST, QUOTE).json(&input);
    let answer = rig.send(quote().header("origin", WALLET)).await;
    assert_eq!(answer.status, 200);
    assert_eq!(cors(&answer), [Some(WALLET), None, None, None, Some(EXPOSED)]);
    let refused = rig.send(rig.request(Method::GET, "/rfq/v2/pool/1").header("origin", WALLET)).await;
    assert_eq!((refused.status, cors(&refused)[0]), (401, Some(WALLET)));
    for origin in ["https://evil.example", "https://wallet.example.evil.example", "http://wallet.example", "null"] {
        let answer = rig.send(quote().header("origin", origin)).await;
        assert_eq!((answer.status, cors(&answer), answer.header("vary")), (200, [None; 5], Some("origin")), "{origin}");
        let answer = rig.send(preflight(&rig, QUOTE, origin)).await;
        assert_eq!((answer.status, cors(&answer)), (405, [None; 5]), "{origin}");
    }
    let plain = rig.send(quote()).await;
    assert_eq!((plain.status, cors(&plain), plain.header("vary")), (200, [None; 5], Some("origin")));
}

#[actix_web::test]
async fn cors_is_absent_on_the_admin_listener_and_without_allowed_origins() {
    let rig = rig(None).await;
    let admin = rig.http.request(Method::OPTIONS, format!("{}/prices", rig.admin)).header("origin", WALLET);
    let answer = rig.send(admin.header("access-control-request-method", "PUT")).await;
    assert_eq!((answer.status, cors(&answer), answer.header("vary")), (405, [None; 5], None));
    let closed = Rig::start().await;
    let answer = closed.send(preflight(&closed, QUOTE, WALLET)).await;
    assert_eq!((answer.status, cors(&answer), answer.header("vary")), (405, [None; 5], None));
    let unknown = rig.send(preflight(&rig, "/rfq/nothing", WALLET)).await;
    assert_eq!((unknown.status, cors(&unknown)[0]), (404, Some(WALLET)));
}
