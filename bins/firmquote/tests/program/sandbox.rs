//! The sandbox from a taker's view: faults identical to the real errors, a simulated chain, and a checklist.
#![expect(clippy::indexing_slicing, clippy::panic, reason = "a test may panic anywhere")]

use std::{process::Command, time::Duration};

use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::program::{CONFIG, Serving, configured, directory, firmquote, run};

const QUOTE: &str =
    "/rfq/v2/quote/31337?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";
const DESTINATION: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const OTHER: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const TEST_TIMEOUT: Duration = Duration::from_secs(40);

/// A taker of the built-in sandbox.
struct Taker {
    _service: Serving,
    base: String,
    key: String,
    http: Client,
}

/// A response: status and body.
type Answer = (StatusCode, Value);

impl Taker {
    fn start() -> Self {
        let service = Serving::start(firmquote(&["serve", "--sandbox"]));
        let key = service.wait_for_output("sandbox_").trim().to_owned();
        let base = format!("http://{}", service.public);
        Self { _service: service, base, key, http: Client::new() }
    }

    fn request(&self, method: Method, path: &str, fault: Option<&str>) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base)).header("x-api-key", &self.key);
        match fault {
            Some(fault) => request.header("x-sandbox-fault", fault),
            None => request,
        }
    }

    async fn get(&self, path: &str, fault: Option<&str>) -> Answer {
        read(self.request(Method::GET, path, fault)).await
    }

    async fn quote(&self, fault: Option<&str>) -> Answer {
        self.get(QUOTE, fault).await
    }

    async fn quote_id(&self) -> Value {
        let (status, mut quote) = self.quote(None).await;
        assert_eq!(status, 200, "{quote}");
        quote["id"].take()
    }

    fn signing(&self, quote_id: &Value, destination: &str, fault: Option<&str>) -> RequestBuilder {
        let body = json!({"quote_id": quote_id, "destination_address": destination, "calldata": true});
        self.request(Method::POST, "/rfq/v2/sign", fault).json(&body)
    }

    async fn sign(&self, quote_id: &Value, fault: Option<&str>) -> Answer {
        read(self.signing(quote_id, DESTINATION, fault)).await
    }

    async fn send(&self, signed: &Value, fault: Option<&str>) -> Value {
        let body = json!({"to": signed["service_exchange_address"], "data": signed["calldata"]});
        let (status, receipt) = read(self.request(Method::POST, "/sandbox/transactions", fault).json(&body)).await;
        assert_eq!(status, 200, "{receipt}");
        receipt
    }

    async fn state(&self, quote_id: &Value) -> String {
        let path = format!("/rfq/v2/quote-status/{}", quote_id.as_str().unwrap());
        self.get(&path, None).await.1["state"].as_str().unwrap().to_owned()
    }

    async fn until_state(&self, quote_id: &Value, wanted: &str) {
        let reached = async {
            while self.state(quote_id).await != wanted {
                sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(TEST_TIMEOUT, reached).await.unwrap_or_else(|_| panic!("never {wanted}"));
    }

    /// Returns the state of an item of the checklist.
    async fn point(&self, name: &str) -> String {
        let (_, session) = self.get("/sandbox/session", None).await;
        let points = session["checklist"].as_array().unwrap();
        let point = points.iter().find(|point| point["point"] == name).unwrap();
        point["state"].as_str().unwrap().to_owned()
    }
}

async fn read(request: RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    (response.status(), response.json().await.unwrap_or_default())
}

/// Whether the connection ends before a complete response.
async fn is_cut(request: RequestBuilder) -> bool {
    match request.send().await {
        Ok(response) => response.bytes().await.is_err(),
        Err(_) => true,
    }
}

#[tokio::test]
async fn a_forced_error_matches_its_real_cause() {
    let taker = Taker::start();
    for (fault, status, kind, message) in [
        ("stale-prices", 503, "ExternalServiceError", "ETH is currently not quoted: "),
        ("unavailable", 503, "ExternalServiceError", "the quote store is not available"),
        ("paused", 400, "QuoteProblem", "the pool is paused"),
        ("rate-limited=1", 429, "RateLimited", "too many requests"),
    ] {
        let (answered, error) = taker.quote(Some(fault)).await;
        assert_eq!((answered.as_u16(), error["errorType"].as_str()), (status, Some(kind)), "{fault}: {error}");
        assert!(error["errorMessage"].as_str().unwrap().starts_with(message), "{fault}: {error}");
    }
    for (fault, message) in [
        ("storm", "x-sandbox-fault: \"storm\" is not a fault; GET /sandbox lists all faults"),
        ("gap", "x-sandbox-fault: gap does not apply to quote"),
        ("slow=0", "x-sandbox-fault: allowed after slow= are seconds from 1 to 120"),
    ] {
        let (status, error) = taker.quote(Some(fault)).await;
        assert_eq!((status, error["errorMessage"].as_str()), (StatusCode::BAD_REQUEST, Some(message)));
    }
    assert!(is_cut(taker.request(Method::GET, QUOTE, Some("cut"))).await);
    let (_, described) = taker.get("/sandbox", None).await;
    assert_eq!((&described["header"], &described["has_chain"]), (&json!("x-sandbox-fault"), &json!(true)));
}

#[tokio::test]
async fn a_swap_is_signed_sent_settled_and_reorganized() {
    let taker = Taker::start();
    let quote = taker.quote_id().await;
    let (_, signed) = taker.sign(&quote, None).await;
    assert_eq!(taker.state(&quote).await, "signed");
    let receipt = taker.send(&signed, None).await;
    assert_eq!(receipt["status"], "accepted", "{receipt}");
    taker.until_state(&quote, "settled").await;
    let again = taker.send(&signed, None).await;
    assert_eq!((&again["status"], &again["reason"]), (&json!("reverted"), &json!("the signature was used before")));
    for point in ["swap", "status"] {
        assert_eq!(taker.point(point).await, "passed", "{point}");
    }

    // A reorganized block: settled, outstanding again, settled for good.
    let quote = taker.quote_id().await;
    let (_, signed) = taker.sign(&quote, None).await;
    assert_eq!(taker.send(&signed, Some("reorged")).await["status"], "accepted");
    for state in ["settled", "signed", "settled"] {
        taker.until_state(&quote, state).await;
    }
    // A swap that is never sent lapses one second after the contract would last have accepted it.
    let (_, short) = taker.get(&format!("{QUOTE}&time_in_seconds=1"), None).await;
    taker.sign(&short["id"], None).await;
    // A swap that disappears can be sent again.
    let quote = taker.quote_id().await;
    let (_, signed) = taker.sign(&quote, None).await;
    assert_eq!(taker.send(&signed, Some("dropped")).await["status"], "accepted");
    assert_eq!(taker.send(&signed, None).await["status"], "accepted");
    taker.until_state(&quote, "settled").await;
    taker.until_state(&short["id"], "lapsed").await;
}

#[tokio::test]
async fn reactions_to_conflicts_lost_responses_and_forgeries_are_assessed() {
    let taker = Taker::start();
    let quote = taker.quote_id().await;
    let (status, conflict) = taker.sign(&quote, Some("conflict")).await;
    assert_eq!((status.as_u16(), &conflict["errorCode"], &conflict["reason"]), (400, &json!(409), &json!("price")));
    assert_eq!(taker.point("conflict").await, "open");
    let (status, signed) = taker.sign(&conflict["fresh_quote"]["id"], None).await;
    assert_eq!((status, taker.point("conflict").await.as_str()), (StatusCode::OK, "passed"), "{signed}");
    taker.sign(&quote, None).await;
    assert_eq!(taker.point("conflict").await, "failed", "the same request again");

    let quote = taker.quote_id().await;
    assert!(is_cut(taker.signing(&quote, DESTINATION, Some("lost-answer"))).await);
    let written_out = json!({
        "quote_id": quote,
        "destination_address": DESTINATION.to_lowercase(),
        "sender_address": DESTINATION,
        "aux_data": format!("0x4669726d71756f7465{}", "0".repeat(46)),
        "transmit": false,
        "calldata": true,
    });
    let (status, first) = read(taker.request(Method::POST, "/rfq/v2/sign", None).json(&written_out)).await;
    assert_eq!((status, taker.point("same_terms").await.as_str()), (StatusCode::OK, "passed"));
    assert_eq!(taker.sign(&quote, None).await.1, first);
    let quote = taker.quote_id().await;
    assert!(is_cut(taker.signing(&quote, DESTINATION, Some("lost-answer"))).await);
    let (status, error) = read(taker.signing(&quote, OTHER, None)).await;
    assert_eq!((status.as_u16(), taker.point("same_terms").await.as_str()), (400, "failed"), "{error}");

    let quote = taker.quote_id().await;
    let (status, forged) = taker.sign(&quote, Some("forged")).await;
    assert_eq!(status, 200, "{forged}");
    let receipt = taker.send(&forged, None).await;
    assert_eq!(
        (&receipt["status"], &receipt["reason"]),
        (&json!("reverted"), &json!("the signature is not that of the pool's signer"))
    );
    assert_eq!(taker.point("verify_signature").await, "failed");
    let session = taker.get("/sandbox/session", None).await.1;
    assert_eq!(session["faults"]["lost-answer"], 2);
    assert_eq!(taker.request(Method::DELETE, "/sandbox/session", None).send().await.unwrap().status(), 204);
    assert_eq!(taker.point("verify_signature").await, "open");
}

#[tokio::test]
async fn reactions_to_expiry_limits_and_truncation_are_assessed() {
    let taker = Taker::start();
    let (_, quote) = taker.quote(Some("expired")).await;
    let (status, error) = taker.sign(&quote["id"], None).await;
    assert_eq!((status.as_u16(), &error["errorCode"]), (400, &json!(409)), "{error}");
    let quote = taker.quote_id().await;
    assert_eq!(taker.point("expiry").await, "passed", "another quote was requested");
    assert_eq!(taker.sign(&quote, Some("expired")).await.0, 400);
    taker.sign(&quote, None).await;
    assert_eq!(taker.point("expiry").await, "failed", "signed again");

    assert_eq!(taker.quote(Some("rate-limited=60")).await.0, 429);
    // Another request may have been in flight when the refusal was sent; the same one was sent again.
    taker.get(&format!("{QUOTE}&time_in_seconds=60"), None).await;
    assert_eq!(taker.point("retry_after").await, "open");
    taker.quote(None).await;
    assert_eq!(taker.point("retry_after").await, "failed");

    assert!(is_cut(taker.request(Method::GET, QUOTE, Some("cut"))).await);
    assert_eq!(taker.point("reconnect").await, "open");
    taker.quote(None).await;
    assert_eq!(taker.point("reconnect").await, "passed");

    let schedule = json!([{"fault": "paused", "every": 2}]);
    let set = taker.request(Method::PUT, "/sandbox/schedule", None).json(&schedule).send().await.unwrap();
    assert_eq!(set.status(), 204);
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(taker.quote(None).await.0.as_u16());
    }
    assert_eq!(statuses, [200, 400, 200, 400]);
    let always_expired = json!([{"fault": "expired", "every": 1}]);
    let set = taker.request(Method::PUT, "/sandbox/schedule", None).json(&always_expired).send().await.unwrap();
    assert_eq!(set.status(), 204);
    let quote = taker.quote_id().await;
    let (status, error) = taker.sign(&quote, None).await;
    assert_eq!((status.as_u16(), &error["errorCode"]), (400, &json!(409)), "{error}");
    let invalid = json!([{"fault": "paused", "every": 0}]);
    let (status, error) = read(taker.request(Method::PUT, "/sandbox/schedule", None).json(&invalid)).await;
    assert_eq!((status.as_u16(), &error["errorMessage"]), (400, &json!("entry 0: every: must be at least 1")));
}

/// Reads events up to one of this type; returns their numbers and that event.
async fn until_event(stream: &mut reqwest::Response, text: &mut String, kind: &str) -> (Vec<u64>, Value) {
    let mut numbers = Vec::new();
    loop {
        while let Some(end) = text.find("\n\n") {
            let event: String = text.drain(..end + 2).collect();
            let message = event.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
            let message: Value = serde_json::from_str(message).unwrap();
            numbers.push(message["n"].as_u64().unwrap());
            if message["type"] == kind {
                return (numbers, message);
            }
        }
        let chunk = timeout(TEST_TIMEOUT, stream.chunk()).await.unwrap().unwrap().unwrap();
        text.push_str(str::from_utf8(&chunk).unwrap());
    }
}

#[tokio::test]
async fn level_streams_have_gaps_and_withdrawals() {
    let taker = Taker::start();
    let path = "/rfq/v2/levels/31337/stream?pairs=ETH-USDC";
    let mut stream = taker.request(Method::GET, path, Some("gap")).send().await.unwrap();
    let mut text = String::new();
    let (ids, _) = until_event(&mut stream, &mut text, "snapshot_end").await;
    let (after, _) = until_event(&mut stream, &mut text, "renew").await;
    assert_eq!(ids, [1, 2, 3]);
    assert_eq!(after.first(), Some(&5), "one is missing");
    drop(stream);

    let mut stream = taker.request(Method::GET, path, Some("withdraw")).send().await.unwrap();
    let mut text = String::new();
    let (_, book) = until_event(&mut stream, &mut text, "book").await;
    let (_, withdrawn) = until_event(&mut stream, &mut text, "withdraw").await;
    assert_eq!((&withdrawn["levels_ids"][0], &withdrawn["reason"]), (&book["levels_id"], &json!("paused")));
    let (_, newer) = until_event(&mut stream, &mut text, "book").await;
    assert_ne!(newer["levels_id"], book["levels_id"]);
    let passed = async {
        while taker.point("stream_gap").await != "passed" {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(TEST_TIMEOUT, passed).await.unwrap();
    taker.get(&format!("{QUOTE}&levels_id={}", newer["levels_id"].as_str().unwrap()), None).await;
    assert_eq!(taker.point("withdrawn_levels").await, "passed");
    taker.get(&format!("{QUOTE}&levels_id={}", book["levels_id"].as_str().unwrap()), None).await;
    assert_eq!(taker.point("withdrawn_levels").await, "failed");
}

#[tokio::test]
async fn the_routes_of_a_sandbox_are_for_authenticated_takers_within_their_quota() {
    let taker = Taker::start();
    taker.quote(None).await;
    let requests = [
        (Method::GET, "/sandbox/session", json!(null)),
        (Method::DELETE, "/sandbox/session", json!(null)),
        (Method::PUT, "/sandbox/schedule", json!([{"fault": "paused", "every": 1}])),
        (Method::POST, "/sandbox/transactions", json!({"to": "0x", "data": "0x"})),
    ];
    for (method, path, body) in requests {
        let invented = Client::new().request(method.clone(), format!("{}{path}", taker.base)).json(&body);
        let (status, error) = read(invented.header("x-api-key", "sandbox_invented")).await;
        assert_eq!((status.as_u16(), &error["errorType"]), (403, &json!("Forbidden")), "{path}: {error}");
    }
    assert_eq!(taker.get("/sandbox", None).await.0.as_u16(), 200, "the list of faults is public");
    assert_eq!(taker.get("/sandbox/session", None).await.1["requests"], json!(1), "the session is still there");
}

#[tokio::test]
async fn the_client_commands_use_the_only_chain_of_the_service() {
    let taker = Taker::start();
    for arguments in [&["pool"][..], &["levels"], &["quote", "ETH", "USDC", "--in", "1"]] {
        let client = |more: &[&str]| {
            let mut command = firmquote(&[arguments, more].concat());
            command.env("FIRMQUOTE_URL", &taker.base).env("FIRMQUOTE_API_KEY", &taker.key);
            run(command)
        };
        let ended = client(&[]);
        assert!(ended.status.success() && ended.stdout.contains("ETH"), "{} {}", ended.stdout, ended.stderr);
        assert!(!client(&["--chain", "1"]).status.success(), "the chain on the command line counts");
    }
}

#[tokio::test]
async fn sandbox_keys_work_nowhere_else_and_vice_versa() {
    let taker = Taker::start();
    let service = Serving::start(firmquote(&["serve"]));
    let key = service.wait_for_output("API key ").split_whitespace().nth(2).unwrap().to_owned();
    let http = Client::new();
    let status = async |base: &str, chain: u32, key: &str| {
        let url = format!("{base}/rfq/v2/pool/{chain}");
        http.get(url).header("x-api-key", key).header("x-sandbox-fault", "cut").send().await.unwrap().status().as_u16()
    };
    let base = format!("http://{}", service.public);
    assert_eq!(status(&base, 1, &key).await, 200, "no fault happens to a service that is no sandbox");
    assert_eq!(status(&base, 1, &taker.key).await, 403);
    let foreign = http.get(format!("{}/rfq/v2/pool/31337", taker.base)).header("x-api-key", key);
    assert_eq!(foreign.send().await.unwrap().status(), 403);
    for path in ["/sandbox", "/sandbox/session"] {
        assert_eq!(http.get(format!("{base}{path}")).send().await.unwrap().status(), 404, "{path}");
    }
}

#[test]
fn a_sandbox_configuration_requires_development_chains_and_one_process() {
    let (directory, sandbox) = (directory(), "\n[sandbox]\nschedule = [\"conflict:10\"]\n");
    let check = |config: &str| run(configured(&directory, &["check"], config));
    let foreign = check(&format!("{CONFIG}{sandbox}"));
    assert!(!foreign.status.success());
    let allowed = "allowed: 1337 or 31337, the chain ids of development nodes, in a sandbox";
    assert!(foreign.stderr.contains("chain[0].id is 1, ") && foreign.stderr.contains(allowed), "{}", foreign.stderr);
    let own = CONFIG.replace("id = 1\n", "id = 31337\n").replace("chain_id = 1\n", "chain_id = 31337\n");
    let own = check(&format!("{}{sandbox}", own.replace("username = \"", "username = \"sandbox_")));
    assert!(own.status.success(), "{}", own.stderr);
    let named = check(&CONFIG.replace("username = \"", "username = \"sandbox_"));
    assert!(named.stderr.contains("allowed: none that starts with sandbox_"), "{}", named.stderr);
    let wrong = check(&format!("{CONFIG}{}", sandbox.replace("conflict:10", "storm:10")));
    assert!(wrong.stderr.contains("sandbox.schedule"), "{}", wrong.stderr);
}

#[tokio::test]
async fn the_page_shows_what_takers_send() {
    let page = include_str!("../../../../docs/sandbox.md");
    let taker = Taker::start();
    let blocks: Vec<_> = page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 3);
    let mut answers = Vec::new();
    for block in blocks {
        let mut shell = Command::new("sh");
        shell.args(["-c", block]).env("FIRMQUOTE_URL", &taker.base).env("FIRMQUOTE_API_KEY", &taker.key);
        answers.push(String::from_utf8(shell.output().unwrap().stdout).unwrap());
    }
    assert!(answers[0].contains("ETH is currently not quoted"), "{answers:?}");
    assert_eq!(answers[1], "", "nothing to say about a schedule");
    let session: Value = serde_json::from_str(&answers[2]).unwrap();
    let points = session["checklist"].as_array().unwrap();
    assert!(points.iter().all(|point| page.contains(&format!("`{}`", point["point"].as_str().unwrap()))));
    for fault in taker.get("/sandbox", None).await.1["faults"].as_array().unwrap() {
        assert!(page.contains(&format!("| `{}` |", fault["fault"].as_str().unwrap())), "{fault}");
    }
}
