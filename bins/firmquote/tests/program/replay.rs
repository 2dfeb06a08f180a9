//! Requests of a running service on its tape: counted by reports, and recomputed by replays after a reload and a crash.

use std::fs;

use firmquote_tape::{Change, ChangeRow, LevelsRow, RequestRow};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::{
    client::API_KEY,
    program::{ACCOUNT, CONFIG, ONE_ETH, Serving, configured, directory, firmquote, quote_request, run},
    simulate::{ADMIN_TOKEN, ADMIN_TOKEN_SHA256},
};

const POOL: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";

/// A running service with a tape.
struct Recording {
    serving: Serving,
    client: Client,
}

impl Recording {
    fn start(directory: &tempfile::TempDir, config: &str) -> Self {
        let serving = Serving::start(configured(directory, &["serve"], config));
        Self { serving, client: Client::builder().no_proxy().build().unwrap() }
    }

    async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        let url = format!("http://{}{path}", self.serving.public);
        let response = self.client.post(url).json(body).send().await.unwrap();
        (response.status(), response.json().await.unwrap())
    }

    async fn quote(&self, input_amount: &str) -> Value {
        let (status, quote) = self.post("/rfq/quote", &quote_request(input_amount)).await;
        assert_eq!(status, StatusCode::OK, "{quote}");
        quote
    }

    async fn sign(&self, quote: &Value) -> (StatusCode, Value) {
        let request = json!({ "quote_id": quote["id"], "destination_address": ACCOUNT });
        self.post("/rfq/sign", &request).await
    }

    /// Waits until a table has so many rows of this process.
    async fn recorded(&self, table: &str, rows: u64) {
        let line = format!("firmquote_tape_rows_total{{table=\"{table}\"}} {rows}\n");
        let url = format!("http://{}/metrics", self.serving.admin);
        while !self.client.get(&url).send().await.unwrap().text().await.unwrap().contains(&line) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test]
async fn recorded_requests_are_recomputed_after_a_reload_and_a_crash() {
    let directory = directory();
    let store = "[tape]\ndirectory = \"tape\"\ninstance = \"a\"\n\n[store]\nledger_file = \"ledger.jsonl\"\n";
    let token = format!("admin_token_sha256 = \"{ADMIN_TOKEN_SHA256}\"\nservice_name");
    let config = CONFIG.replace("[store]\n", store).replacen("service_name", &token, 1);
    // The client that quotes and signs at once has a fee of its own.
    let config = config.replacen("client = \"acme\"\n", "client = \"acme\"\nfee_adjust_bps = -1.5\n", 1);
    assert!(config.contains("fee_adjust_bps"));
    let mut service = Recording::start(&directory, &config);
    let quote = service.quote(ONE_ETH).await;
    assert_eq!(service.sign(&quote).await.0, StatusCode::OK);
    // The same request is answered as before, and is a request of its own.
    assert_eq!(service.sign(&quote).await.0, StatusCode::OK);
    assert_eq!(service.post("/rfq/quote", &quote_request("1")).await.0, StatusCode::BAD_REQUEST);
    let quote_sign = format!(
        "chain_id=1&input_asset_symbol=USDC&output_asset_symbol=ETH&output_amount=200000000000000000&\
        destination_address={ACCOUNT}&sender_address={ACCOUNT}"
    );
    let url = format!("http://{}/rfq/v2/quote-sign/1?{quote_sign}", service.serving.public);
    let signed = service.client.get(url).header("x-api-key", API_KEY).send().await.unwrap();
    assert_eq!(signed.status(), StatusCode::OK, "{}", signed.text().await.unwrap());
    for act in ["pause", "resume"] {
        let url = format!("http://{}/pools/{POOL}/{act}", service.serving.admin);
        let response = service.client.post(url).bearer_auth(ADMIN_TOKEN).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{}", response.text().await.unwrap());
        service.recorded("changes", if act == "pause" { 2 } else { 3 }).await;
    }
    fs::write(directory.path().join("firmquote.toml"), config.replace("base_fee_bps = 5", "base_fee_bps = 7")).unwrap();
    service.serving.wait_for("configuration reloaded");
    let dearer = service.quote(ONE_ETH).await;
    assert_ne!(dearer["output_amount"], quote["output_amount"]);
    service.recorded("requests", 6).await;
    service.recorded("changes", 4).await;
    service.serving.signal("KILL");
    drop(service);
    let config = fs::read_to_string(directory.path().join("firmquote.toml")).unwrap();
    let service = Recording::start(&directory, &config);
    service.quote("500000000000000000").await;
    service.serving.signal("TERM");
    assert!(service.serving.ended().status.success());

    let replay = |tape: &str| {
        let mut command = firmquote(&["tape", "replay", tape]);
        command.current_dir(directory.path());
        run(command)
    };
    let replayed = replay("tape");
    assert_eq!(
        (replayed.stdout.as_str(), replayed.stderr.as_str()),
        ("6 of 6 equal\nnot recomputed: 1 sign repeated\n", "")
    );
    assert_eq!(replay("nothing").stderr, "error: nothing: No such file or directory (os error 2)\n");

    let changes: Vec<_> = firmquote_tape::read::<ChangeRow>(&directory.path().join("tape")).unwrap();
    let changes: Vec<_> = changes.iter().map(|row| (row.change, row.pool.is_some())).collect();
    let expected = [
        (Change::Start, false),
        (Change::Pause, true),
        (Change::Resume, true),
        (Change::Reload, false),
        // Killed, and started again.
        (Change::Start, false),
        (Change::Stop, false),
    ];
    assert_eq!(changes, expected);
    let arguments = ["report", "tape", "--ledger", "ledger.jsonl", "--format", "json", "--by", "pair"];
    let report = run(configured(&directory, &arguments, &config));
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    let total = &report["total"];
    for (figure, value) in [("requested", 5), ("quoted", 3), ("quote_signed", 1), ("signed", 2)] {
        assert_eq!(total[figure], value, "{figure} of {total}");
    }
    assert_eq!((&total["hit_percent"], &total["refused"]), (&json!("33.33"), &json!({ "too_small": 1 })));
}

#[tokio::test]
async fn quotes_of_firm_levels_are_recomputed_with_what_was_used_before() {
    let directory = directory();
    let levels = "\n[pool.levels]\nfirm_ms = 30000\nfirm_margin_bps = 1\nfirm_budget_usd = 8000\n";
    let config = CONFIG.replacen("[store]\n", "[tape]\ndirectory = \"tape\"\n\n[store]\n", 1) + levels;
    let service = Recording::start(&directory, &config);
    let get = async |path: &str| -> Value {
        let url = format!("http://{}{path}", service.serving.public);
        service.client.get(url).header("x-api-key", API_KEY).send().await.unwrap().json().await.unwrap()
    };
    let books = get("/rfq/v2/levels/1?pairs=ETH-USDC").await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let (id, budget) = (text(&books["books"][0]["levels_id"]), text(&books["books"][0]["firm_budget_input"]));
    let input = budget.parse::<u64>().unwrap() / 5 * 2;
    let quote = async |kind: &str, amount: &str| {
        let terms = format!("&levels_id={id}&destination_address={ACCOUNT}&sender_address={ACCOUNT}");
        let terms = if kind == "quote" { format!("&levels_id={id}") } else { terms };
        get(&format!("/rfq/v2/{kind}/1?input_asset_symbol=ETH&output_asset_symbol=USDC&{amount}{terms}")).await
    };
    let first = quote("quote", &format!("input_amount={input}")).await;
    assert!(first["firm_budget_left_input"].is_string(), "{first}");
    let second = quote("quote-sign", "output_amount=100000").await;
    assert!(second["signature"].is_object(), "{second}");
    // Beyond the first knots the price is worse.
    let third = quote("quote", &format!("input_amount={input}")).await;
    assert_ne!(first["output_amount"], third["output_amount"]);
    let refused = quote("quote", &format!("input_amount={input}")).await;
    assert_eq!(refused["reason"], "budget_used", "{refused}");
    service.recorded("requests", 4).await;
    service.serving.signal("TERM");
    assert!(service.serving.ended().status.success());

    let mut command = firmquote(&["tape", "replay", "tape"]);
    command.current_dir(directory.path());
    assert_eq!(run(command).stdout, "3 of 3 equal\nnot recomputed: 1 quote budget_used\n");
    let tape = fs::read_dir(directory.path().join("tape")).unwrap().next().unwrap().unwrap().path();
    let levels: Vec<LevelsRow> = firmquote_tape::read(&tape).unwrap();
    let named = levels.iter().find(|row| row.levels.id.to_string() == id).unwrap();
    assert!(named.levels.knots.len() > 1 && named.levels.budget < named.levels.knots.last().unwrap()[0]);
    let requests: Vec<RequestRow> = firmquote_tape::read(&tape).unwrap();
    let used: Vec<_> = requests.iter().map(|row| row.levels.map(|levels| levels.used.to_string())).collect();
    let second_input = text(&second["input_amount"]).parse::<u64>().unwrap();
    let after_both = (input + second_input).to_string();
    assert_eq!(used, [Some("0".to_owned()), Some(input.to_string()), Some(after_both), None]);
}
