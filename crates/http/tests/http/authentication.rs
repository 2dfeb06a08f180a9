//! The credentials that each route accepts, and the responses to all others.

use std::sync::Arc;

use firmquote_domain::{Timestamp, UnixSeconds};
use firmquote_http::{BasicRetirement, Settings};
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::support::{Rig, Start, TestResponse};

const BASIC: &str = "Basic realm=\"Firmquote\", charset=\"UTF-8\"";
const API_KEY: &str = "ApiKey realm=\"Firmquote\", header=\"x-api-key\"";

/// The operations, each as a request whose success depends on its credentials alone.
const V1_POOL: &str = "/rfq/pool?chain_id=1";
const V1_QUOTE: &str = "/rfq/quote";
const V2_POOL: &str = "/rfq/v2/pool/1";
const V2_QUOTE: &str =
    "/rfq/v2/quote/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";

/// The credentials that a request presents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PresentedCredentials {
    Nothing,
    Key,
    WrongKey,
    EmptyKey,
    TwoKeys,
    Basic,
    WrongPassword,
    UnknownUser,
    Garbage,
    Bearer,
    KeyAndBasic,
    KeyAndWrongPassword,
    WrongKeyAndBasic,
    OtherKeyAndBasic,
    KeyAndBearer,
}

impl PresentedCredentials {
    fn add_to(self, rig: &Rig, request: RequestBuilder) -> RequestBuilder {
        let key = |request: RequestBuilder| request.header("x-api-key", rig.acme_key.reveal());
        let wrong_key = |request: RequestBuilder| request.header("x-api-key", "0".repeat(64));
        let basic = |request: RequestBuilder| request.basic_auth("old-partner", Some(rig.acme_password.reveal()));
        let wrong = |request: RequestBuilder| request.basic_auth("old-partner", Some("guess"));
        match self {
            Self::Nothing => request,
            Self::Key => key(request),
            Self::WrongKey => wrong_key(request),
            Self::EmptyKey => request.header("x-api-key", ""),
            Self::TwoKeys => key(key(request)),
            Self::Basic => basic(request),
            Self::WrongPassword => wrong(request),
            Self::UnknownUser => request.basic_auth("nobody", Some(rig.acme_password.reveal())),
            Self::Garbage => request.header("authorization", "Basic %%%"),
            Self::Bearer => request.header("authorization", "Bearer token"),
            Self::KeyAndBasic => basic(key(request)),
            Self::KeyAndWrongPassword => wrong(key(request)),
            Self::WrongKeyAndBasic => basic(wrong_key(request)),
            Self::OtherKeyAndBasic => basic(request.header("x-api-key", rig.apex_key.reveal())),
            Self::KeyAndBearer => key(request).header("authorization", "Bearer token"),
        }
    }
}

async fn present(rig: &Rig, path: &str, shows: PresentedCredentials) -> TestResponse {
    let method = if path == V1_QUOTE { Method::POST } else { Method::GET };
    let mut request = shows.add_to(rig, rig.request(method, path));
    if path == V1_QUOTE {
        request = request.json(&json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC",
            "input_amount": "1000000000000000000"}));
    }
    rig.send(request).await
}

/// Asserts the response at `path` for each of [`PresentedCredentials`].
async fn assert_answers(rig: &Rig, path: &str, table: &[(PresentedCredentials, u16)]) {
    for (shows, status) in table {
        let answer = present(rig, path, *shows).await;
        assert_eq!(answer.status, *status, "{path} {shows:?} {}", answer.text);
        match status {
            200 => drop(answer.success()),
            401 => assert_eq!(answer.error().1, "Unauthorized"),
            _ => {
                assert_eq!(answer.error(), (403, "Forbidden".into(), None, "Access is forbidden".into()));
                assert_eq!(answer.json().as_object().unwrap().len(), 3);
            }
        }
    }
}

#[tokio::test]
async fn version_1_quotes_are_open_to_anonymous_clients_but_not_to_invalid_credentials() {
    let rig = Rig::start().await;
    let table = [
        (PresentedCredentials::Nothing, 200),
        (PresentedCredentials::Key, 200),
        (PresentedCredentials::Basic, 200),
        (PresentedCredentials::KeyAndBasic, 200),
        (PresentedCredentials::KeyAndBearer, 200),
        (PresentedCredentials::WrongKey, 403),
        (PresentedCredentials::EmptyKey, 200),
        (PresentedCredentials::TwoKeys, 403),
        (PresentedCredentials::WrongPassword, 403),
        (PresentedCredentials::UnknownUser, 403),
        (PresentedCredentials::Garbage, 403),
        (PresentedCredentials::Bearer, 403),
        (PresentedCredentials::KeyAndWrongPassword, 403),
        (PresentedCredentials::WrongKeyAndBasic, 403),
        (PresentedCredentials::OtherKeyAndBasic, 403),
    ];
    assert_answers(&rig, V1_QUOTE, &table).await;
}

#[tokio::test]
async fn version_1_pools_require_basic() {
    let rig = Rig::start().await;
    let table = [
        (PresentedCredentials::Nothing, 401),
        (PresentedCredentials::Basic, 200),
        (PresentedCredentials::KeyAndBasic, 200),
        (PresentedCredentials::WrongKeyAndBasic, 200),
        (PresentedCredentials::Key, 403),
        (PresentedCredentials::WrongPassword, 403),
        (PresentedCredentials::Bearer, 403),
        (PresentedCredentials::KeyAndWrongPassword, 403),
    ];
    assert_answers(&rig, V1_POOL, &table).await;
    let answer = present(&rig, V1_POOL, PresentedCredentials::Nothing).await;
    assert_eq!(answer.headers.get_all("www-authenticate").iter().collect::<Vec<_>>(), [BASIC]);
}

#[tokio::test]
async fn version_2_requires_api_keys() {
    let rig = Rig::start().await;
    let table = [
        (PresentedCredentials::Nothing, 401),
        (PresentedCredentials::Key, 200),
        (PresentedCredentials::KeyAndBasic, 200),
        (PresentedCredentials::KeyAndWrongPassword, 200),
        (PresentedCredentials::KeyAndBearer, 200),
        (PresentedCredentials::Basic, 403),
        (PresentedCredentials::Bearer, 403),
        (PresentedCredentials::WrongKey, 403),
        (PresentedCredentials::EmptyKey, 401),
        (PresentedCredentials::TwoKeys, 403),
        (PresentedCredentials::WrongKeyAndBasic, 403),
    ];
    for path in [V2_POOL, V2_QUOTE] {
        assert_answers(&rig, path, &table).await;
    }
    for (method, path) in
        [(Method::GET, V2_POOL), (Method::GET, "/rfq/v2/quote-sign/1"), (Method::POST, "/rfq/v2/sign")]
    {
        let answer = rig.send(rig.request(method, path)).await;
        assert_eq!((answer.status, answer.header("www-authenticate")), (401, Some(API_KEY)), "{path}");
    }
}

#[tokio::test]
async fn anonymous_access_can_be_disabled() {
    let usual = Start::default();
    let settings = Settings { anonymous: false, ..usual.settings.clone() };
    let rig = Rig::start_with(Start { settings, ..usual }).await;
    assert_answers(
        &rig,
        V1_QUOTE,
        &[(PresentedCredentials::Nothing, 401), (PresentedCredentials::Key, 200), (PresentedCredentials::Basic, 200)],
    )
    .await;
    for path in [V1_QUOTE, "/rfq/sign"] {
        let answer = rig.post(path, &json!({})).await;
        assert_eq!(answer.headers.get_all("www-authenticate").iter().collect::<Vec<_>>(), [API_KEY, BASIC]);
    }
}

#[tokio::test]
async fn authentication_precedes_validation() {
    let rig = Rig::start().await;
    let text = "x".repeat(20_000);
    let request = rig.request(Method::POST, V1_QUOTE).header("x-api-key", "wrong").body(text);
    assert_eq!(rig.send(request).await.status, 403);
    assert_eq!(rig.send(rig.request(Method::GET, "/rfq/v2/quote/nonsense")).await.status, 401);
    assert_eq!(rig.send(rig.request(Method::GET, "/rfq/v2/nonsense")).await.status, 404);
}

#[tokio::test]
async fn responses_to_basic_announce_its_deprecation() {
    let usual = Start::default();
    let basic = BasicRetirement {
        deprecated_at: UnixSeconds::new(1_688_169_599),
        sunset_at: Some(UnixSeconds::new(784_111_777)),
        is_switched_off: false,
    };
    let rig = Rig::start_with(Start { settings: Settings { basic, ..usual.settings.clone() }, ..usual }).await;
    for (path, shows, says) in [
        (V1_POOL, PresentedCredentials::Basic, true),
        (V1_QUOTE, PresentedCredentials::Basic, true),
        (V1_QUOTE, PresentedCredentials::KeyAndBasic, true),
        (V1_QUOTE, PresentedCredentials::WrongPassword, true),
        (V1_QUOTE, PresentedCredentials::Key, false),
        (V1_QUOTE, PresentedCredentials::Nothing, false),
        (V2_POOL, PresentedCredentials::KeyAndBasic, false),
    ] {
        let answer = present(&rig, path, shows).await;
        assert_eq!(answer.header("deprecation"), says.then_some("@1688169599"), "{path} {shows:?}");
        assert_eq!(answer.header("sunset"), says.then_some("Sun, 06 Nov 1994 08:49:37 GMT"));
    }
    let rig = Rig::start().await;
    let answer = present(&rig, V1_POOL, PresentedCredentials::Basic).await;
    assert_eq!((answer.header("deprecation"), answer.header("sunset")), (Some("@1767225600"), None));
}

/// Starts a server with an end date of Basic.
async fn retiring(basic: BasicRetirement, anonymous: bool) -> Rig {
    let usual = Start::default();
    Rig::start_with(Start { settings: Settings { basic, anonymous, ..usual.settings.clone() }, ..usual }).await
}

#[tokio::test]
async fn disabled_basic_is_rejected_and_not_challenged() {
    let basic = BasicRetirement { is_switched_off: true, ..BasicRetirement::default() };
    let rig = retiring(basic, false).await;
    let table = [
        (PresentedCredentials::Basic, 403),
        (PresentedCredentials::WrongPassword, 403),
        (PresentedCredentials::Key, 200),
        (PresentedCredentials::KeyAndBasic, 200),
        (PresentedCredentials::KeyAndWrongPassword, 200),
        (PresentedCredentials::WrongKeyAndBasic, 403),
        (PresentedCredentials::Nothing, 401),
    ];
    assert_answers(&rig, V1_QUOTE, &table).await;
    let answer = present(&rig, V1_QUOTE, PresentedCredentials::Nothing).await;
    assert_eq!(answer.headers.get_all("www-authenticate").iter().collect::<Vec<_>>(), [API_KEY]);
    assert_answers(
        &rig,
        V1_POOL,
        &[(PresentedCredentials::Nothing, 403), (PresentedCredentials::Basic, 403), (PresentedCredentials::Key, 403)],
    )
    .await;
    for (path, shows) in [
        (V1_POOL, PresentedCredentials::Basic),
        (V1_QUOTE, PresentedCredentials::Basic),
        (V1_QUOTE, PresentedCredentials::KeyAndBasic),
    ] {
        assert_eq!(present(&rig, path, shows).await.header("deprecation"), Some("@1767225600"), "{path} {shows:?}");
    }
    assert_eq!(present(&rig, V1_POOL, PresentedCredentials::Nothing).await.header("www-authenticate"), None);
}

#[tokio::test]
async fn without_basic_anonymous_clients_are_served_and_basic_is_rejected() {
    let basic = BasicRetirement { is_switched_off: true, ..BasicRetirement::default() };
    let rig = retiring(basic, true).await;
    assert_answers(&rig, V1_QUOTE, &[(PresentedCredentials::Nothing, 200), (PresentedCredentials::Basic, 403)]).await;
    let metrics = rig.send(rig.http.get(format!("{}/metrics", rig.admin))).await.text;
    assert!(metrics.contains("firmquote_rejections_total{reason=\"basic_ended\"} 1\n"), "{metrics}");
}

#[tokio::test]
async fn basic_ends_at_its_sunset_second_even_for_cached_logins() {
    let sunset_at = UnixSeconds::new(1_700_000_000);
    let basic = BasicRetirement { sunset_at: Some(sunset_at), ..BasicRetirement::default() };
    let rig = retiring(basic, true).await;
    rig.clock.set(Timestamp::from_micros(1_699_999_999_999_999));
    assert_answers(&rig, V1_POOL, &[(PresentedCredentials::Nothing, 401), (PresentedCredentials::Basic, 200)]).await;
    rig.clock.set(Timestamp::from_seconds(1_700_000_000));
    assert_answers(&rig, V1_POOL, &[(PresentedCredentials::Nothing, 403), (PresentedCredentials::Basic, 403)]).await;
    let answer = present(&rig, V1_POOL, PresentedCredentials::Basic).await;
    assert_eq!(answer.header("sunset"), Some("Tue, 14 Nov 2023 22:13:20 GMT"));
}

#[tokio::test]
async fn concurrent_wrong_passwords_are_all_rejected() {
    let rig = Arc::new(Rig::start().await);
    let asking: Vec<_> = (0..12)
        .map(|number| {
            let rig = Arc::clone(&rig);
            tokio::spawn(async move {
                let shows =
                    if number % 3 == 0 { PresentedCredentials::Basic } else { PresentedCredentials::UnknownUser };
                (shows, present(&rig, V1_POOL, shows).await.status)
            })
        })
        .collect();
    for pending in asking {
        let (shows, status) = pending.await.unwrap();
        assert_eq!(status, if shows == PresentedCredentials::Basic { 200 } else { 403 });
    }
}
