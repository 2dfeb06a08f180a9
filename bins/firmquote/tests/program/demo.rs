//! The built-in demo, served without a file and run by `firmquote demo`.

use reqwest::Client;
use serde_json::{Value, json};

use crate::program::{ONE_ETH, Serving, firmquote, quote_request, run};

async fn post(url: String, body: Value) -> Value {
    let client = Client::builder().no_proxy().build().unwrap();
    let answer = client.post(url).json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.json().await.unwrap()
}

#[tokio::test]
async fn the_demo_quotes_and_signs_without_a_file() {
    let serving = Serving::start(firmquote(&["serve"]));
    let request = quote_request(ONE_ETH);
    let quote = post(format!("http://{}/rfq/quote", serving.public), request).await;
    // At the reserves, weights and prices of the example, with k 0.06 and 8.63 basis points.
    assert_eq!(quote["output_amount"], "2078539413");
    let request =
        json!({ "quote_id": quote["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" });
    let signed = post(format!("http://{}/rfq/sign", serving.public), request).await;
    assert_eq!(signed["service_exchange_address"], "0x655eDCE464CC797526600a462A8154650EEe4B77");
}

#[tokio::test]
async fn the_demo_has_the_example_pool_and_every_credential_works() {
    let serving = Serving::start(firmquote(&["serve"]));
    let client = Client::builder().no_proxy().build().unwrap();
    let key = serving.wait_for_output("API key   ").split_whitespace().nth(2).unwrap().to_owned();
    let token = serving.wait_for_output("Admin token  ").split_whitespace().nth(2).unwrap().to_owned();
    let pause = format!("http://{}/pools/0x655eDCE464CC797526600a462A8154650EEe4B77/pause", serving.admin);
    for act in [pause.clone(), pause.replace("/pause", "/resume")] {
        assert_eq!(client.post(act).bearer_auth(&token).send().await.unwrap().status(), 200);
    }
    let password = serving.wait_for_output("Basic scheme");
    let password = password.rsplit(':').next().unwrap();
    let url = format!("http://{}/rfq/v2/pool/1", serving.public);
    let pool: Value = client.get(url).header("x-api-key", key).send().await.unwrap().json().await.unwrap();
    let assets = pool["pools"][0]["assets"].as_array().unwrap();
    for (name, balance, value) in [
        ("ETH", "476877882758190421102", 992_157.31),
        ("USDC", "417751254142", 417_751.25),
        ("USDT", "259059412007", 259_059.41),
        ("DAI", "309714519494182375269440", 309_714.52),
    ] {
        let asset = assets.iter().find(|asset| asset["name"] == name).unwrap();
        assert_eq!(asset["balance"], balance);
        assert!((asset["value_in_usd"].as_f64().unwrap() - value).abs() < 0.01);
    }
    let url = format!("http://{}/rfq/pool?chain_id=1&fieldset=offchain-data", serving.public);
    let pool: Value = client.get(url).basic_auth("demo", Some(password)).send().await.unwrap().json().await.unwrap();
    assert_eq!(pool["pool"]["k"], 0.06);
    let fees: Vec<_> = pool["pairs"].as_array().unwrap().iter().map(|pair| &pair["fee_in_basis_points"]).collect();
    assert_eq!(fees, [8.63, 8.63, 7.63, 4.13, 4.13, 4.13]);
}

#[tokio::test]
async fn version_two_can_have_its_own_address() {
    let mut command = firmquote(&["serve"]);
    command.env("FIRMQUOTE__SERVER__BIND_V2", "127.0.0.1:0").env("FIRMQUOTE__LOG__FORMAT", "pretty");
    let serving = Serving::start(command);
    let client = Client::builder().no_proxy().build().unwrap();
    let answer = client.get(format!("http://{}/rfq/v2/pool/1", serving.public)).send().await.unwrap();
    assert_eq!(answer.status(), 404);
    let output_line = serving.wait_for_output("/rfq/v2/quote-sign/1");
    let second = output_line.split("//").nth(1).unwrap().split('/').next().unwrap().to_owned();
    assert_ne!(second, serving.public.to_string());
    let answer = client.get(format!("http://{second}/rfq/v2/pool/1")).send().await.unwrap();
    assert_eq!(answer.status(), 401);
    let answer = client.get(format!("http://{}/readyz", serving.admin)).send().await.unwrap();
    assert_eq!(answer.status(), 200);
}

#[test]
fn the_demo_command_prints_signatures_and_exits() {
    let ended = run(firmquote(&["demo"]));
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    for text in [
        "/rfq/quote\n",
        "/rfq/sign\n",
        "/rfq/v2/quote/1?",
        "/rfq/v2/sign\n",
        "/rfq/v2/quote-sign/1?",
        "The calldata calls swap:",
        "The calldata calls sellEthForToken:",
        "\"output_amount\": \"2078539413\"",
    ] {
        assert!(ended.stdout.contains(text), "{text}\n{}", ended.stdout);
    }
    assert_eq!(ended.stdout.matches("\"signature\": {").count(), 3);
    assert_eq!(ended.stdout.matches("\n200 OK\n").count(), 5);
}
