//! Rate limits. Quotas are replenished by one an hour here, so that no test depends on its duration.

use std::sync::Arc;

use firmquote_http::{Credentials, Limits, Network, Quota, Service, Settings};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::support::{Rig, Start, TestResponse, api_key};

const V1_QUOTE: &str = "/rfq/quote";
const V2_POOL: &str = "/rfq/v2/pool/1";
const PLENTY: Quota = Quota::per_second(1_000_000, 1_000_000);

fn one_eth() -> Value {
    json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC",
        "input_amount": "1000000000000000000"})
}

const fn hourly(burst: u32) -> Quota {
    Quota::per_hour(1, burst)
}

/// Settings that trust proxies on this machine.
fn settings(limits: Limits) -> Settings {
    Settings { limits, trusted_proxies: vec![Network::new("127.0.0.0/8").unwrap()], ..Settings::default() }
}

fn anonymous(burst: u32) -> Limits {
    Limits { anonymous: hourly(burst), failed_logins: PLENTY, credential: None }
}

fn failed_logins(burst: u32) -> Limits {
    Limits { anonymous: PLENTY, failed_logins: hourly(burst), credential: None }
}

async fn rig(limits: Limits) -> Rig {
    Rig::start_with(Start { settings: settings(limits), ..Start::default() }).await
}

/// Returns the service of `rig` with these settings.
fn service(rig: &Rig, settings: Settings) -> Service {
    Service {
        desk: Arc::clone(&rig.desk),
        prices: Arc::clone(&rig.prices),
        operators: Vec::new(),
        credentials: Credentials::new([api_key("acme", &rig.acme_key)]).unwrap(),
        settings,
    }
}

fn quote(rig: &Rig) -> RequestBuilder {
    rig.request(Method::POST, V1_QUOTE).json(&one_eth())
}

fn pool(rig: &Rig, key: &str) -> RequestBuilder {
    rig.request(Method::GET, V2_POOL).header("x-api-key", key)
}

async fn statuses<const N: usize>(rig: &Rig, request: impl Fn() -> RequestBuilder) -> [u16; N] {
    let mut statuses = [0; N];
    for status in &mut statuses {
        *status = rig.send(request()).await.status;
    }
    statuses
}

fn fields(answer: &TestResponse) -> [Option<&str>; 3] {
    ["ratelimit-policy", "ratelimit", "retry-after"].map(|name| answer.header(name))
}

#[tokio::test]
async fn anonymous_clients_see_their_rate_limit_and_are_rejected_beyond_it() {
    let rig = rig(anonymous(2)).await;
    let policy = Some("\"anonymous\";q=2;w=7200");
    for remaining in ["\"anonymous\";r=1;t=3600", "\"anonymous\";r=0;t=3600"] {
        let answer = rig.send(quote(&rig)).await;
        answer.success();
        assert_eq!(fields(&answer), [policy, Some(remaining), None]);
    }
    for (path, name) in [(V1_QUOTE, "anonymous"), ("/rfq/sign", "anonymous-signatures")] {
        if path != V1_QUOTE {
            let statuses: [u16; 2] = statuses(&rig, || rig.request(Method::POST, path).json(&json!({}))).await;
            assert_eq!(statuses, [400; 2], "whoever has used up its quotes has them signed");
        }
        let answer = rig.post(path, &json!({})).await;
        let (status, kind, code, message) = answer.error();
        assert_eq!((status, kind.as_str(), code), (429, "RateLimited", None));
        let seconds: u32 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=3_600).contains(&seconds), "{seconds}");
        assert_eq!(message, format!("Too many requests, please try again in {seconds} s"));
        let (policy, standing) = (format!("\"{name}\";q=2;w=7200"), format!("\"{name}\";r=0;t={seconds}"));
        assert_eq!(fields(&answer)[..2], [Some(policy.as_str()), Some(&standing)]);
    }
    let metrics = rig.send(rig.http.get(format!("{}/metrics", rig.admin))).await.text;
    for line in [
        "firmquote_http_requests_total{outcome=\"RateLimited\",route=\"/rfq/quote\"} 1",
        "firmquote_rejections_total{reason=\"anonymous_rate\"} 2",
    ] {
        assert!(metrics.lines().any(|written| written == line), "{line}\n{metrics}");
    }
}

#[tokio::test]
async fn error_responses_count_and_report_the_limit() {
    let rig = rig(anonymous(1)).await;
    let answer = rig.post(V1_QUOTE, &json!({})).await;
    assert_eq!((answer.status, fields(&answer)[1]), (400, Some("\"anonymous\";r=0;t=3600")));
    assert_eq!(rig.send(quote(&rig)).await.status, 429);
}

#[tokio::test]
async fn authenticated_clients_do_not_use_the_anonymous_limit() {
    let rig = rig(anonymous(1)).await;
    assert_eq!(statuses(&rig, || quote(&rig)).await, [200, 429]);
    let by_key = || quote(&rig).header("x-api-key", rig.acme_key.reveal());
    assert_eq!(statuses(&rig, by_key).await, [200; 3]);
    let by_login = || quote(&rig).basic_auth("old-partner", Some(rig.acme_password.reveal()));
    assert_eq!(statuses(&rig, by_login).await, [200; 3]);
    assert_eq!(fields(&rig.send(by_key()).await), [None; 3]);
    assert_eq!(rig.send(rig.request(Method::GET, "/errors")).await.status, 200);
}

#[tokio::test]
async fn every_client_behind_a_trusted_proxy_has_its_own_quota() {
    let rig = rig(anonymous(1)).await;
    let from = |hops: &str| quote(&rig).header("x-forwarded-for", hops);
    assert_eq!(statuses(&rig, || from("198.51.100.1")).await, [200, 429]);
    assert_eq!(statuses(&rig, || from("198.51.100.2, 127.0.0.9")).await, [200, 429]);
    assert_eq!(rig.send(from("192.0.2.1, 198.51.100.1")).await.status, 429);
    assert_eq!(rig.send(from("2001:db8::1")).await.status, 200);
    assert_eq!(rig.send(from("2001:db8::ffff:1")).await.status, 429);
    assert_eq!(rig.send(from("198.51.100.3").header("x-forwarded-for", "198.51.100.2")).await.status, 429);
    assert_eq!(rig.send(from("garbage")).await.status, 200);
    assert_eq!(rig.send(quote(&rig)).await.status, 429);
}

#[tokio::test]
async fn untrusted_peers_cannot_spoof_their_address() {
    let settings = Settings { trusted_proxies: Vec::new(), ..settings(anonymous(1)) };
    let rig = Rig::start_with(Start { settings, ..Start::default() }).await;
    assert_eq!(rig.send(quote(&rig).header("x-forwarded-for", "198.51.100.1")).await.status, 200);
    assert_eq!(rig.send(quote(&rig).header("x-forwarded-for", "198.51.100.2")).await.status, 429);
}

#[tokio::test]
async fn guessing_keys_is_limited_while_the_right_key_still_passes() {
    let rig = rig(failed_logins(2)).await;
    let wrong = "0".repeat(64);
    let answer = rig.send(pool(&rig, &wrong)).await;
    assert_eq!((answer.status, fields(&answer)[1]), (403, Some("\"failed-logins\";r=1;t=3600")));
    assert_eq!(statuses(&rig, || pool(&rig, &wrong)).await, [403, 429]);
    let (status, kind, _, message) = rig.send(pool(&rig, &wrong)).await.error();
    assert_eq!((status, kind.as_str()), (429, "RateLimited"));
    assert!(message.starts_with("Too many failed logins, please try again in "), "{message}");
    assert_eq!(rig.send(pool(&rig, rig.acme_key.reveal())).await.status, 200);
    assert_eq!(rig.send(quote(&rig)).await.status, 200);
    let elsewhere = pool(&rig, &wrong).header("x-forwarded-for", "198.51.100.1");
    assert_eq!(rig.send(elsewhere).await.status, 403);
}

#[tokio::test]
async fn beyond_the_limit_an_address_may_use_only_its_own_recent_logins() {
    let rig = rig(failed_logins(2)).await;
    let login = |password: &str| quote(&rig).basic_auth("old-partner", Some(password));
    let right = rig.acme_password.reveal();
    assert_eq!(statuses(&rig, || login("guess")).await, [403, 403, 429]);
    let answer = rig.send(login(right)).await;
    assert_eq!((answer.status, fields(&answer)[0]), (429, Some("\"failed-logins\";q=2;w=7200")));
    let from = |address: &str, password: &str| login(password).header("x-forwarded-for", address);
    for address in ["198.51.100.1", "198.51.100.2"] {
        let answer = rig.send(from(address, right)).await;
        assert_eq!((answer.status, fields(&answer)), (200, [None; 3]), "{address}");
        let [cached, wrong] = [rig.send(login(right)).await, rig.send(login("guess")).await];
        assert_eq!((cached.status, fields(&cached)[0]), (429, fields(&wrong)[0]), "{address}");
    }
    for address in ["198.51.100.1", "198.51.100.2"] {
        assert_eq!(statuses(&rig, || from(address, "guess")).await, [403, 403, 429], "{address}");
        assert_eq!(statuses(&rig, || from(address, right)).await, [200; 3], "{address}");
    }
}

#[tokio::test]
async fn correct_passwords_do_not_count() {
    let rig = rig(failed_logins(1)).await;
    let login = |password: &str| quote(&rig).basic_auth("old-partner", Some(password));
    assert_eq!(rig.send(login(rig.acme_password.reveal())).await.status, 200);
    let statuses: [u16; 2] = statuses(&rig, || login("guess")).await;
    assert_eq!(statuses, [403, 429]);
}

#[tokio::test]
async fn concurrent_guesses_are_limited_like_sequential_ones() {
    let rig = Arc::new(rig(failed_logins(3)).await);
    let guess = |_| {
        let rig = Arc::clone(&rig);
        tokio::spawn(async move { rig.send(quote(&rig).basic_auth("old-partner", Some("guess"))).await.status })
    };
    let guesses: Vec<_> = (0..12).map(guess).collect();
    let mut checked = 0;
    for guess in guesses {
        let status = guess.await.unwrap();
        assert!(status == 403 || status == 429, "{status}");
        checked += usize::from(status == 403);
    }
    assert_eq!(checked, 3);
}

#[tokio::test]
async fn wrong_admin_tokens_are_limited_while_the_right_one_passes() {
    let rig = rig(failed_logins(1)).await;
    let put = |token: &str| rig.http.put(format!("{}/prices", rig.admin)).bearer_auth(token).json(&json!({}));
    assert_eq!(statuses(&rig, || put("wrong")).await, [403, 429]);
    assert_eq!(rig.send(put(rig.admin_token.reveal())).await.status, 400);
}

#[tokio::test]
async fn the_client_limit_counts_by_name_across_credentials() {
    let limits = Limits { credential: Some(hourly(2)), ..anonymous(10) };
    let rig = rig(limits).await;
    let answer = rig.send(pool(&rig, rig.acme_key.reveal())).await;
    let standing = [Some("\"credential\";q=2;w=7200"), Some("\"credential\";r=1;t=3600"), None];
    assert_eq!((answer.status, fields(&answer)), (200, standing));
    let by_login = || quote(&rig).basic_auth("old-partner", Some(rig.acme_password.reveal()));
    assert_eq!(statuses(&rig, by_login).await, [200, 429]);
    assert_eq!(rig.send(pool(&rig, rig.acme_key.reveal())).await.status, 429);
    assert_eq!(rig.send(pool(&rig, rig.apex_key.reveal())).await.status, 200);
    assert_eq!(rig.send(quote(&rig)).await.status, 200);
}

#[tokio::test]
async fn a_replacement_keeps_the_counts_unless_the_quota_changes() {
    let rig = rig(anonymous(1)).await;
    assert_eq!(statuses(&rig, || quote(&rig)).await, [200, 429]);
    rig.live.replace(service(&rig, settings(Limits { failed_logins: hourly(1), ..anonymous(1) })));
    assert_eq!(rig.send(quote(&rig)).await.status, 429);
    rig.live.replace(service(&rig, settings(anonymous(2))));
    assert_eq!(statuses(&rig, || quote(&rig)).await, [200, 200, 429]);
}
