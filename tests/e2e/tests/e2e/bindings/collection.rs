//! The request collection for Postman, Bruno and similar tools: every request succeeds, in order.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::collections::BTreeMap;

use firmquote_e2e::{endpoint::API_KEY, evm::CHAIN_ID};
use reqwest::{Client, Method};
use serde_json::Value;

use crate::client::setup::{PASSWORD, USERNAME, service};

/// Replaces the variables in a text with their values.
fn substitute(text: &Value, variables: &BTreeMap<&str, String>) -> String {
    let text = text.as_str().unwrap().to_owned();
    variables.iter().fold(text, |text, (name, value)| text.replace(&format!("{{{{{name}}}}}"), value))
}

#[tokio::test]
async fn every_request_of_the_collection_succeeds() {
    let service = service();
    let collection: Value =
        serde_json::from_str(include_str!("../../../../../bindings/firmquote.postman_collection.json")).unwrap();
    let mut variables = BTreeMap::from([
        ("base_url", service.public().base().to_owned()),
        ("chain_id", CHAIN_ID.to_string()),
        ("quote_id", String::new()),
    ]);
    let (http, mut count) = (Client::new(), 0);
    let folders = collection["item"].as_array().unwrap();
    for item in folders.iter().flat_map(|folder| folder["item"].as_array().unwrap()) {
        let request = &item["request"];
        let method = Method::from_bytes(request["method"].as_str().unwrap().as_bytes()).unwrap();
        let mut sending = http.request(method, substitute(&request["url"]["raw"], &variables));
        sending = match request["auth"]["type"].as_str().unwrap() {
            "apikey" => sending.header("x-api-key", API_KEY),
            _ => sending.basic_auth(USERNAME, Some(PASSWORD)),
        };
        if request["body"].is_object() {
            let body =
                substitute(&request["body"]["raw"], &variables).replace("\"chain_id\": 1,", "\"chain_id\": 31337,");
            sending = sending.header("content-type", "application/json").body(body);
        }
        let response = sending.send().await.unwrap();
        let (status, answer) = (response.status(), response.json::<Value>().await.unwrap());
        assert!(status.is_success(), "{}: {answer}", item["name"]);
        if item["event"].is_array() {
            variables.insert("quote_id", answer["id"].as_str().unwrap().to_owned());
        }
        count += 1;
    }
    assert_eq!(count, 12);
}
