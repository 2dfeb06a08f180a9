//! The examples of the documents, sent unchanged: the response is the documented example.

use std::{sync::Arc, time::Duration};

use firmquote_signer::LocalSigner;
use firmquote_store::{BookChange, MemoryStore, ledger::LedgerFile};
use form_urlencoded::Serializer;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::support::{Rig, Start, TestResponse};

/// The key that signed the examples.
const KEY: &str = "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";

/// Creates the quotes that the examples sign.
const QUOTE: &str = "/rfq/v2/quote/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";

/// An example of a request: an operation of a document, and the expected response.
struct Example {
    base: String,
    path: String,
    method: String,
    operation: Value,
    /// The name of the example, if there are several.
    name: String,
    answer: Option<Value>,
}

impl Example {
    /// Returns the examples of the document at `base` in order, except for `HEAD`.
    async fn all_of(rig: &Rig, base: &str) -> Vec<Self> {
        let document = rig.send(rig.http.get(format!("{base}/openapi.json"))).await.success();
        let mut all = Vec::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap().iter().filter(|(method, _)| *method != "head") {
                // A stream has no end, and an upgraded connection no response.
                let is_stream = operation.pointer("/responses/200/content/text~1event-stream").is_some();
                if is_stream || operation.pointer("/responses/101").is_some() {
                    continue;
                }
                for (name, answer) in answers(operation) {
                    let (base, path, method) = (base.to_owned(), path.clone(), method.to_uppercase());
                    all.push(Self { base, path, method, operation: operation.clone(), name, answer });
                }
            }
        }
        all
    }

    /// Sends the example with credentials that the operation accepts.
    async fn send(&self, rig: &Rig) -> TestResponse {
        let method = Method::from_bytes(self.method.as_bytes()).unwrap();
        let mut target = self.target(rig);
        if self.path.contains("{quote_id}") {
            let id = settled_quote(rig).await;
            target = format!("{}?", self.path.replace("{quote_id}", &id));
        }
        let request = rig.http.request(method, format!("{}{target}", self.base));
        let request = match self.operation.pointer("/requestBody/content/application~1json/example") {
            Some(body) => request.json(&with_live_quote(rig, body.clone()).await),
            None => request,
        };
        rig.send(self.with_credentials(rig, request)).await
    }

    /// Returns path and query, built from the examples of all parameters.
    fn target(&self, rig: &Rig) -> String {
        let (mut path, mut query) = (self.path.clone(), Serializer::new(String::new()));
        for parameter in self.operation["parameters"].as_array().unwrap() {
            let name = parameter["name"].as_str().unwrap();
            let Some(example) = parameter.get("example") else { continue };
            let example = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            match parameter["in"].as_str().unwrap() {
                _ if name == "credential_id" => drop(query.append_pair(name, &rig.acme_key.sha256_hex()[..12])),
                "path" => path = path.replace(&format!("{{{name}}}"), &example),
                // Without the parameter, pool data has the default set; this example is for another value.
                _ if name == "fieldset" && self.name == "onchain" => {}
                _ if name == "fieldset" && self.name == "all" => drop(query.append_pair(name, "all")),
                _ => drop(query.append_pair(name, &example)),
            }
        }
        format!("{path}?{}", query.finish())
    }

    /// Returns the first security scheme of the operation.
    fn with_credentials(&self, rig: &Rig, request: RequestBuilder) -> RequestBuilder {
        let schemes = self.operation["security"].as_array().unwrap().first().and_then(Value::as_object);
        match schemes.and_then(|schemes| schemes.keys().next()).map(String::as_str) {
            Some("apiKey") => request.header("x-api-key", rig.acme_key.reveal()),
            Some("basic") => request.basic_auth("old-partner", Some(rig.acme_password.reveal())),
            Some("adminToken") => request.bearer_auth(rig.admin_token.reveal()),
            other => {
                assert_eq!(other, None);
                request
            }
        }
    }
}

/// Returns the response examples of an operation; a single one has no name.
fn answers(operation: &Value) -> Vec<(String, Option<Value>)> {
    let json = &operation["responses"]["200"]["content"]["application/json"];
    match json["examples"].as_object() {
        Some(named) => named.iter().map(|(name, one)| (name.clone(), Some(one["value"].clone()))).collect(),
        None => vec![(String::new(), json.get("example").cloned())],
    }
}

/// Returns `body` with the id of an existing quote.
async fn with_live_quote(rig: &Rig, mut body: Value) -> Value {
    if let Some(id) = body.get_mut("quote_id") {
        *id = rig.get(QUOTE).await.success()["id"].clone();
    }
    body
}

/// Creates a quote that is signed and executed, and returns its id.
async fn settled_quote(rig: &Rig) -> String {
    let quote = rig.get(QUOTE).await.success();
    let terms = json!({"quote_id": quote["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
    rig.post_as_acme("/rfq/v2/sign", &terms).await.success();
    let id = quote["id"].as_str().unwrap().to_owned();
    rig.settle(&id).await;
    id
}

/// Lists that an example may abridge.
const SHORTENED: [&str; 4] = ["sizes", "fees", "signatures", "swaps"];

/// Whether `example`, at the key `name`, matches `answer` in everything deterministic: ids differ for every quote,
/// and states depend on earlier signatures.
fn shows(name: &str, example: &Value, answer: &Value) -> bool {
    match (example, answer) {
        (Value::Object(example), Value::Object(answer)) => {
            let has = |(name, one): (&String, &Value)| answer.get(name).is_some_and(|other| shows(name, one, other));
            example.len() == answer.len() && example.iter().all(has)
        }
        (Value::Array(example), Value::Array(answer)) if SHORTENED.contains(&name) => {
            example.iter().all(|one| answer.iter().any(|other| shows("", one, other)))
        }
        (Value::Array(example), Value::Array(answer)) => {
            example.len() == answer.len() && example.iter().zip(answer).all(|(one, other)| shows("", one, other))
        }
        (Value::String(example), Value::String(answer))
            if matches!(name, "id" | "quote_id" | "state_id" | "levels_id" | "next_cursor" | "credential_id") =>
        {
            example.len() == answer.len()
        }
        _ => example == answer,
    }
}

/// Discards earlier signatures: each example shows a pool without outstanding swaps.
async fn empty_book(rig: &Rig) {
    for pool in &rig.desk.pools {
        let removed = pool.book().swaps().into_iter().map(|booked| BookChange::Removed(booked.swap.quote_id));
        let (id, now) = (pool.signer().pool().spec().id, rig.desk.clock.now());
        rig.desk.store.apply_changes(id, &removed.collect::<Vec<_>>(), now).await.unwrap();
        rig.desk.refresh_book(pool).await.unwrap();
    }
}

#[tokio::test]
async fn every_request_example_gets_its_response_example() {
    let signer = Arc::new(LocalSigner::from_hex(KEY).unwrap());
    let directory = tempfile::tempdir().unwrap();
    let operator = LedgerFile::open(&directory.path().join("operator.jsonl"), Duration::from_secs(60)).unwrap();
    let store = Arc::new(MemoryStore::new(1_000).with_operator_file(operator, []));
    let rig = Rig::start_with(Start { signer, store, ..Start::default() }).await;
    // The state that an example names: the only one, once a response has named it.
    rig.get("/rfq/v2/pool/1").await.success();
    let (mut sent, mut wrong) = (0, Vec::new());
    for base in [rig.base.clone(), rig.admin.clone()] {
        for example in Example::all_of(&rig, &base).await {
            let answer = example.send(&rig).await;
            empty_book(&rig).await;
            let label = format!("{} {} {}", example.method, example.path, example.name);
            assert_eq!(answer.status, 200, "{label}: {answer:?}");
            let Some(expected) = &example.answer else { continue };
            let answer = answer.success();
            if !shows("", expected, &answer) {
                wrong.push(format!("{label}\nanswers {answer}\n  but not {expected}"));
            }
            sent += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(sent >= 14, "{sent}");
}

#[tokio::test]
async fn every_json_operation_and_error_has_an_example() {
    let rig = Rig::start().await;
    for base in [rig.base.clone(), rig.admin.clone()] {
        let document = rig.send(rig.http.get(format!("{base}/openapi.json"))).await.success();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap().iter().filter(|(method, _)| *method != "head") {
                for (status, response) in operation["responses"].as_object().unwrap() {
                    let json = &response["content"]["application/json"];
                    let has_example = json.get("example").or(json.get("examples")).is_some();
                    let is_file =
                        ["/openapi.json", "/asyncapi.json", "/abi.json", "/typed-data.json"].contains(&path.as_str());
                    assert!(json.is_null() || has_example || is_file, "{method} {path} {status}");
                }
                for parameter in operation["parameters"].as_array().unwrap() {
                    let name = parameter["name"].as_str().unwrap();
                    let alternatives =
                        ["output_amount", "input_asset_address", "output_asset_address", "native_output"];
                    let has_none = ["levels_id", "cursor"].contains(&name) || alternatives.contains(&name);
                    assert_eq!(parameter.get("example").is_none(), has_none, "{method} {path} {name}");
                }
            }
        }
        assert_ne!(document["components"]["examples"], json!({}));
    }
}
