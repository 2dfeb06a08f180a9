//! The access log line of each request, and what it never contains.

use std::{
    io,
    sync::{Arc, Mutex, OnceLock},
};

use firmquote_http::{Role, Settings};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tracing_subscriber::fmt::MakeWriter;

use crate::support::{POOL, Rig, Start, broken_store};

/// The log of the process.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// The lines so far, written by the workers of all servers.
fn lines() -> &'static Lines {
    static LINES: OnceLock<Lines> = OnceLock::new();
    LINES.get_or_init(|| {
        let lines = Lines::default();
        let subscriber = tracing_subscriber::fmt().json().with_writer(lines.clone()).finish();
        tracing::subscriber::set_global_default(subscriber).unwrap();
        lines
    })
}

/// Returns everything written so far.
fn text() -> String {
    String::from_utf8(lines().0.lock().unwrap().clone()).unwrap()
}

/// Returns the only line about the request with this id.
fn line_about(request_id: &str) -> Value {
    let text = text();
    let quoted = format!("\"{request_id}\"");
    let about: Vec<&str> = text.lines().filter(|line| line.contains(&quoted)).collect();
    assert_eq!(about.len(), 1, "{about:?}");
    serde_json::from_str(about[0]).unwrap()
}

#[tokio::test]
async fn a_request_is_logged_on_one_line_without_secrets() {
    lines();
    let rig = Rig::start().await;
    let body = json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC",
        "input_amount": "1234567890123456789"});
    let request = rig.request(Method::POST, "/rfq/quote?in=the-query").json(&body);
    let request = request.basic_auth("old-partner", Some(rig.acme_password.reveal()));
    let request = request.header("x-api-key", rig.acme_key.reveal()).header("x-request-id", "log-answered");
    rig.send(request).await.success();
    let line = line_about("log-answered");
    assert_eq!(line["level"], "INFO");
    let fields = &line["fields"];
    for (name, value) in [
        ("request_id", json!("log-answered")),
        ("method", json!("POST")),
        ("route", json!("/rfq/quote")),
        ("status", json!(200)),
        ("client", json!("acme")),
    ] {
        assert_eq!(fields[name], value, "{line}");
    }
    assert!(fields["duration_us"].is_u64() && fields.get("error").is_none(), "{line}");
    let text = line.to_string();
    for secret in [rig.acme_key.reveal(), rig.acme_password.reveal(), "old-partner", "1234567890123456789", "the-query"]
    {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

#[tokio::test]
async fn by_default_quotes_are_counted_and_signatures_and_rejections_logged() {
    lines();
    let settings = Settings { log_sample_ratio: 0.0, ..Start::default().settings };
    let rig = Rig::start_with(Start { settings, ..Start::default() }).await;
    let send = async |path: &str, id: &str, body: Value| {
        let request = rig.request(Method::POST, path).header("x-request-id", id);
        rig.send(request.json(&body)).await.json()
    };
    let quote = json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC",
        "input_amount": "1000000000000000000"});
    let made = send("/rfq/quote", "log-not-sampled", quote).await;
    send("/rfq/sign", "log-signature", json!({"quote_id": made["id"], "destination_address": ALICE})).await;
    send("/rfq/quote", "log-refused-quote", json!({})).await;
    assert_eq!(line_about("log-signature")["level"], "INFO");
    assert_eq!(line_about("log-refused-quote")["level"], "INFO");
    assert!(!text().contains("log-not-sampled"));
}

const ALICE: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

#[tokio::test]
async fn quotes_signatures_and_rejections_are_logged_with_their_identifiers() {
    lines();
    let rig = Rig::start().await;
    let send = async |path: &str, id: &str, body: Value| {
        let request = rig.request(Method::POST, path).header("x-request-id", id);
        rig.send(request.json(&body)).await.json()
    };
    let body = |output: &str, amount: &str| json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": output, "input_amount": amount});
    let quote = send("/rfq/quote", "log-quote", body("USDC", "1000000000000000000")).await;
    let sign = json!({"quote_id": quote["id"], "destination_address": ALICE});
    send("/rfq/sign", "log-sign", sign.clone()).await;
    for id in ["log-quote", "log-sign"] {
        let line = line_about(id);
        let fields = &line["fields"];
        let of_pool = (&fields["chain_id"], fields["pool"].as_str());
        assert_eq!(of_pool, (&json!(1), Some("0x655eDCE464CC797526600a462A8154650EEe4B77")), "{line}");
        let names = (&fields["quote_id"], &fields["input_asset"], &fields["output_asset"]);
        assert_eq!(names, (&quote["id"], &json!("ETH"), &json!("USDC")), "{line}");
        assert!(!line.to_string().contains(ALICE) && fields.get("trace_id").is_none(), "{line}");
    }
    let other = json!({"quote_id": quote["id"], "destination_address": "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"});
    send("/rfq/sign", "log-other-terms", other).await;
    let line = line_about("log-other-terms");
    assert_eq!((&line["fields"]["quote_id"], &line["fields"]["error"]), (&quote["id"], &json!("other_terms")));
    send("/rfq/quote", "log-too-large", body("USDC", &"9".repeat(40))).await;
    let line = line_about("log-too-large");
    assert_eq!((&line["fields"]["input_asset"], &line["fields"]["chain_id"]), (&json!("ETH"), &json!(1)), "{line}");
    send("/rfq/quote", "log-made-up", body("a-made-up-symbol", "1")).await;
    let line = line_about("log-made-up");
    assert!(line["fields"]["input_asset"] == "ETH" && !line.to_string().contains("a-made-up-symbol"), "{line}");
    let made_up = Method::from_bytes(b"MADEUPMETHOD").unwrap();
    rig.send(rig.request(made_up, "/rfq/quote").header("x-request-id", "log-made-up-method")).await;
    assert_eq!(line_about("log-made-up-method")["fields"]["method"], "_OTHER");
}

#[tokio::test]
async fn valid_trace_parents_are_logged_and_invalid_ones_are_not() {
    lines();
    let rig = Rig::start().await;
    let right = format!("00-{TRACE}-00f067aa0ba902b7-01");
    for (id, given, trace) in [
        ("log-trace", right.as_str(), Some(TRACE)),
        ("log-no-trace", &right.to_uppercase(), None),
        ("log-zero-trace", "00-00000000000000000000000000000000-00f067aa0ba902b7-01", None),
    ] {
        let request = rig.request(Method::GET, "/openapi.json").header("x-request-id", id).header("traceparent", given);
        let answer = rig.send(request.header("tracestate", "vendor=hidden")).await;
        assert_eq!((answer.status, answer.header("x-request-id")), (200, Some(id)));
        assert!(answer.header("traceparent").is_none());
        let line = line_about(id);
        assert_eq!(line["fields"]["trace_id"].as_str(), trace, "{line}");
        assert!(!line.to_string().contains("hidden"), "{line}");
    }
}

#[tokio::test]
async fn a_rejection_logs_its_reason_and_an_outage_its_cause() {
    lines();
    let rig = Rig::start_with(Start { store: broken_store(), ..Start::default() }).await;
    let send = async |path: &str, id: &str| {
        let request = rig.request(Method::POST, path).header("x-request-id", id);
        rig.send(request.json(&json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC",
            "input_amount": "1000000000000000000"})))
            .await
    };
    assert_eq!(send("/rfq/v2/sign", "log-refused").await.status, 401);
    let line = line_about("log-refused");
    assert_eq!((&line["level"], &line["fields"]["error"]), (&json!("INFO"), &json!("no_credentials")));
    assert!(line["fields"].get("client").is_none() && line["fields"].get("detail").is_none(), "{line}");

    assert_eq!(send("/rfq/quote", "log-outage").await.status, 503);
    let line = line_about("log-outage");
    assert_eq!((&line["level"], &line["fields"]["error"]), (&json!("ERROR"), &json!("store")));
    assert_eq!(line["fields"]["client"], "anonymous");
    let detail = line["fields"]["detail"].as_str().unwrap();
    assert!(detail.starts_with("the quote store is not available: the store call failed: "), "{detail}");
}

#[tokio::test]
async fn rejected_prices_are_logged_without_the_token_and_accepted_ones_are_not() {
    lines();
    let rig = Rig::start().await;
    let put = async |token: &str, id: &str| {
        let request = rig.http.put(format!("{}/prices", rig.admin)).bearer_auth(token).header("x-request-id", id);
        rig.send(request.json(&json!({"prices": [{"symbol": "ETH", "price_usd": "1234.5678"}]}))).await.status
    };
    assert_eq!(put(rig.admin_token.reveal(), "log-taken").await, 200);
    assert_eq!(put("a-wrong-token", "log-intruder").await, 403);
    let line = line_about("log-intruder");
    assert_eq!((&line["level"], &line["fields"]["error"]), (&json!("INFO"), &json!("bad_credentials")));
    let text = text();
    for hidden in ["log-taken", "a-wrong-token", rig.admin_token.reveal(), "1234.5678"] {
        assert!(!text.contains(hidden), "{hidden}");
    }
}

#[tokio::test]
async fn an_operator_may_do_what_its_roles_say_and_the_log_names_it() {
    lines();
    let rig = Rig::start_with(Start { roles: vec![Role::Pauser], ..Start::default() }).await;
    let send = async |request: RequestBuilder, id: &str| {
        rig.send(request.bearer_auth(rig.operator_token.reveal()).header("x-request-id", id)).await
    };
    let pool = |act: &str| rig.http.post(format!("{}/pools/{POOL}/{act}", rig.admin));
    let why = "reason=two%20%22wrong%22%20prices";
    let refused = send(pool(&format!("pause?{why}%1b")), "log-control").await.error();
    assert_eq!((refused.0, refused.1.as_str()), (400, "BadData"));
    assert_eq!(send(pool(&format!("pause?{why}")), "log-paused").await.success()["pools"][0]["paused"], true);
    let line = text().lines().find(|line| line.contains("\"operator\":\"on-call\"")).map(serde_json::from_str::<Value>);
    let line = line.unwrap().unwrap();
    assert_eq!((&line["level"], &line["fields"]["is_paused"]), (&json!("WARN"), &json!(true)));
    assert_eq!(line["fields"]["reason"], "two \"wrong\" prices");
    assert!(line["fields"]["from"].as_str().unwrap().starts_with("127.0.0.1"));
    let prices = rig.http.put(format!("{}/prices", rig.admin)).json(&json!({"prices": []}));
    let recent = rig.http.get(format!("{}/signatures/recent", rig.admin));
    for (request, role, id) in
        [(pool("resume"), "admin", "log-resume"), (prices, "pricer", "log-prices"), (recent, "viewer", "log-recent")]
    {
        let (status, kind, _, message) = send(request, id).await.error();
        let expected = format!("Access is forbidden: this operator does not have the role {role}");
        assert_eq!((status, kind.as_str(), message), (403, "Forbidden", expected));
        assert_eq!(line_about(id)["fields"]["error"], "missing_role");
    }
    let overview = rig.send(rig.http.get(format!("{}/overview", rig.admin))).await.success();
    assert_eq!(overview["pools"][0]["paused"], true);
    assert!(!text().contains(rig.operator_token.reveal()));
}

#[tokio::test]
async fn shutdown_responses_are_not_logged_as_errors() {
    lines();
    let rig = Rig::start().await;
    rig.stop.begin_draining();
    let request = rig.http.get(format!("{}/readyz", rig.admin)).header("x-request-id", "log-draining");
    assert_eq!(rig.send(request).await.status, 503);
    // Below `info`, like all responses to the operator's automation.
    assert!(!text().contains("log-draining"));
}
