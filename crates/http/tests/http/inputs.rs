//! Every invalid input of a request is listed with the received value.

use firmquote_http::{PublicUrl, Settings};
use reqwest::Method;
use serde_json::json;

use crate::support::{Rig, Start};

const ALICE: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const MISTYPED: &str = "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const ID: &str = "05a51aa6-41b5-4c61-a452-f1b95d0d43e4";

/// Members to replace, by name, with JSON; `""` removes one.
type Replaced<'a> = &'a [(&'a str, &'a str)];

/// A body with invalid members, and the expected items of `data`.
type Case<'a> = (Replaced<'a>, &'a [&'a str]);

/// Returns a quote body with one amount and these members replaced.
fn quote_body(replaced: Replaced<'_>) -> String {
    let usual = [
        ("chain_id", "1"),
        ("input_asset_symbol", "\"ETH\""),
        ("output_asset_symbol", "\"USDC\""),
        ("input_amount", "1000000000000000000"),
    ];
    body(&usual, replaced)
}

fn sign_body(replaced: Replaced<'_>) -> String {
    let (id, alice) = (format!("\"{ID}\""), format!("\"{ALICE}\""));
    body(&[("quote_id", &id), ("destination_address", &alice)], replaced)
}

/// Returns `usual` with the members of `replaced`.
fn body(usual: Replaced<'_>, replaced: Replaced<'_>) -> String {
    let unchanged = usual.iter().filter(|(name, _)| replaced.iter().all(|(other, _)| name != other));
    let members = unchanged.chain(replaced).filter(|(_, value)| !value.is_empty());
    let members: Vec<_> = members.map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

#[tokio::test]
async fn every_invalid_member_of_a_quote_body_is_listed() {
    let rig = Rig::start().await;
    let cases: [Case<'_>; 24] = [
        (&[("chain_id", "")], &["missing chain_id"]),
        (&[("chain_id", "null")], &["missing chain_id"]),
        (&[("chain_id", "\"one\"")], &["int_parsing chain_id"]),
        (&[("chain_id", "1.0")], &["int_parsing chain_id"]),
        (&[("chain_id", "-1")], &["int_parsing chain_id"]),
        (&[("chain_id", "true")], &["int_parsing chain_id"]),
        (&[("chain_id", "0")], &["out_of_range chain_id"]),
        (&[("chain_id", "18446744073709551616")], &["out_of_range chain_id"]),
        (&[("input_asset_symbol", "")], &["missing input_asset_symbol"]),
        (&[("input_asset_symbol", "7")], &["string_type input_asset_symbol"]),
        (&[("output_asset_symbol", "[\"USDC\"]")], &["string_type output_asset_symbol"]),
        (&[("input_amount", "")], &["one_required input_amount", "one_required output_amount"]),
        (&[("input_amount", "null")], &["one_required input_amount", "one_required output_amount"]),
        (&[("output_amount", "7")], &["mutually_exclusive input_amount", "mutually_exclusive output_amount"]),
        (
            &[("output_amount", "\"x\"")],
            &["int_parsing output_amount", "mutually_exclusive input_amount", "mutually_exclusive output_amount"],
        ),
        (&[("input_amount", "0")], &["out_of_range input_amount"]),
        (
            &[("input_amount", "115792089237316195423570985008687907853269984665640564039457584007913129639936")],
            &["out_of_range input_amount"],
        ),
        (&[("input_amount", "1e18")], &["int_parsing input_amount"]),
        (&[("input_amount", "\"0x10\"")], &["int_parsing input_amount"]),
        (&[("input_amount", "\"1\\u0000\"")], &["int_parsing input_amount"]),
        (&[("time_in_seconds", "0")], &["out_of_range time_in_seconds"]),
        (&[("time_in_seconds", "4294967296")], &["out_of_range time_in_seconds"]),
        (&[("time_in_seconds", "601")], &["out_of_range time_in_seconds"]),
        (
            &[
                ("chain_id", "{}"),
                ("input_asset_symbol", "false"),
                ("output_asset_symbol", ""),
                ("input_amount", "-1"),
                ("time_in_seconds", "\" 1\""),
            ],
            &[
                "int_parsing chain_id",
                "string_type input_asset_symbol",
                "missing output_asset_symbol",
                "int_parsing input_amount",
                "int_parsing time_in_seconds",
            ],
        ),
    ];
    for (replaced, invalid) in cases {
        let body = quote_body(replaced);
        assert_eq!(rig.post_text("/rfq/quote", &body).await.invalid(), invalid, "{body}");
    }
}

#[tokio::test]
async fn every_invalid_member_of_a_sign_body_is_listed() {
    let rig = Rig::start().await;
    let zero = format!("\"0x{}\"", "0".repeat(40));
    let (mistyped, short) = (format!("\"{MISTYPED}\""), format!("\"{}\"", &ALICE[..41]));
    let thirty_one_bytes = format!("\"0x{}\"", "ab".repeat(31));
    let cases: [Case<'_>; 17] = [
        (&[("quote_id", "")], &["missing quote_id"]),
        (&[("quote_id", "7")], &["string_type quote_id"]),
        (&[("quote_id", "\"05a51aa641b54c61a452f1b95d0d43e4\"")], &["uuid_parsing quote_id"]),
        (&[("destination_address", "")], &["missing destination_address"]),
        (&[("destination_address", "12")], &["string_type destination_address"]),
        (&[("destination_address", &mistyped)], &["address_parsing destination_address"]),
        (&[("destination_address", &short)], &["address_parsing destination_address"]),
        (&[("destination_address", &zero)], &["out_of_range destination_address"]),
        (&[("sender_address", "\"\"")], &["address_parsing sender_address"]),
        (&[("aux_data", &thirty_one_bytes)], &["hex_bytes aux_data"]),
        (&[("aux_data", "\"Firmquote\"")], &["hex_bytes aux_data"]),
        (&[("aux_data", "1")], &["string_type aux_data"]),
        (&[("calldata", "\"true\"")], &["bool_type calldata"]),
        (&[("transmit", "1")], &["bool_type transmit"]),
        (
            &[("native_input", "true"), ("native_output", "true")],
            &["mutually_exclusive native_input", "mutually_exclusive native_output"],
        ),
        (&[("native_input", "true"), ("native_output", "0")], &["bool_type native_output"]),
        (
            &[("quote_id", "\"x\""), ("destination_address", ""), ("sender_address", &mistyped), ("calldata", "[]")],
            &[
                "uuid_parsing quote_id",
                "missing destination_address",
                "address_parsing sender_address",
                "bool_type calldata",
            ],
        ),
    ];
    for (replaced, invalid) in cases {
        let body = sign_body(replaced);
        assert_eq!(rig.post_text("/rfq/sign", &body).await.invalid(), invalid, "{body}");
        assert_eq!(post_v2(&rig, &body).await, invalid, "{body}");
    }
}

async fn post_v2(rig: &Rig, body: &str) -> Vec<String> {
    let request = rig.request(Method::POST, "/rfq/v2/sign").header("x-api-key", rig.acme_key.reveal());
    rig.send(request.header("content-type", "application/json").body(body.to_owned())).await.invalid()
}

#[tokio::test]
async fn every_invalid_parameter_of_a_query_is_listed() {
    let rig = Rig::start().await;
    let pair = "input_asset_symbol=ETH&output_asset_symbol=USDC";
    let sign = format!("{pair}&input_amount=1000000000000000000&destination_address={ALICE}");
    let cases: [(String, &[&str]); 18] = [
        ("/rfq/v2/pool/one".into(), &["int_parsing chain_id"]),
        ("/rfq/v2/pool/0".into(), &["out_of_range chain_id"]),
        ("/rfq/v2/pool/1?fieldset=everything".into(), &["out_of_range fieldset"]),
        ("/rfq/v2/pool/1?pool_address=x".into(), &["address_parsing pool_address"]),
        ("/rfq/v2/pool/1?fieldset=offchain-data&time_in_seconds=601".into(), &["out_of_range time_in_seconds"]),
        ("/rfq/v2/pool/1?time_in_seconds=0".into(), &["out_of_range time_in_seconds"]),
        ("/rfq/v2/pool/1?fieldset=offchain-data&fieldset=offchain-data".into(), &["mutually_exclusive fieldset"]),
        (
            "/rfq/v2/quote/1".into(),
            &[
                "missing input_asset_symbol",
                "missing output_asset_symbol",
                "one_required input_amount",
                "one_required output_amount",
            ],
        ),
        (format!("/rfq/v2/quote/1?{pair}&input_amount="), &["one_required input_amount", "one_required output_amount"]),
        (format!("/rfq/v2/quote/1?{pair}&input_amount=%2B1"), &["int_parsing input_amount"]),
        (format!("/rfq/v2/quote/1?{pair}&input_amount=1%00"), &["int_parsing input_amount"]),
        (format!("/rfq/v2/quote/1?{pair}&input_amount=1&input%5Famount=2"), &["mutually_exclusive input_amount"]),
        (format!("/rfq/v2/quote/1?{pair}&input_amount=1&pool_address={MISTYPED}"), &["address_parsing pool_address"]),
        (
            format!("/rfq/v2/quote/-1?{pair}&input_amount=1&output_amount=1"),
            &["int_parsing chain_id", "mutually_exclusive input_amount", "mutually_exclusive output_amount"],
        ),
        (format!("/rfq/v2/quote-sign/1?{sign}&calldata=yes"), &["bool_type calldata"]),
        (format!("/rfq/v2/quote-sign/1?{sign}&aux_data=0xzz"), &["hex_bytes aux_data"]),
        (
            format!("/rfq/v2/quote-sign/1?{sign}&native_input=true&native_output=true"),
            &["mutually_exclusive native_input", "mutually_exclusive native_output"],
        ),
        (
            "/rfq/v2/quote-sign/x?input_amount=1&sender_address=y".into(),
            &[
                "int_parsing chain_id",
                "missing input_asset_symbol",
                "missing output_asset_symbol",
                "missing destination_address",
                "address_parsing sender_address",
            ],
        ),
    ];
    for (path, invalid) in cases {
        assert_eq!(rig.get(&path).await.invalid(), invalid, "{path}");
    }
}

#[tokio::test]
async fn empty_query_values_are_absent() {
    let rig = Rig::start().await;
    let sign = format!("input_asset_symbol=ETH&output_asset_symbol=USDC&destination_address={ALICE}");
    let empty = "sender_address=&pool_address=&output_amount=&aux_data=&time_in_seconds=&native_input=&transmit=";
    for path in [
        format!("/rfq/v2/quote-sign/1?{sign}&input_amount=1000000000000000000&{empty}&calldata=True"),
        "/rfq/v2/pool/1?fieldset=&pool_address=".to_owned(),
        format!("/rfq/v2/quote/1?{sign}&input_amount=1000000000000000000&output_amount&native_output=0"),
    ] {
        assert_eq!(rig.get(&path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn repeated_parameters_do_not_grow_the_response() {
    let rig = Rig::start().await;
    let answer = rig.get(&format!("/rfq/v2/quote-sign/1?{}", "aux_data=x&".repeat(1_200))).await;
    assert_eq!(answer.invalid().iter().filter(|item| *item == "mutually_exclusive aux_data").count(), 1);
    assert!(answer.text.len() < 4_096, "{}", answer.text.len());
}

#[tokio::test]
async fn responses_are_valid_json_whatever_they_echo() {
    let rig = Rig::start().await;
    let nested = ["[".repeat(5_000), "]".repeat(5_000)].concat();
    let digits = "9".repeat(12_000);
    for unreadable in [&nested, &digits, "1e999999", "\"\\ud800\""] {
        let answer = rig.post_text("/rfq/quote", &format!("{{\"input_amount\":{unreadable}}}")).await;
        let body = answer.json();
        let items = body["data"].as_array().unwrap().iter();
        let item = items.clone().find(|item| item["loc"][0] == "input_amount").unwrap();
        let echoed = item["input"].as_str().unwrap();
        assert!(unreadable.starts_with(echoed) && (8..=256).contains(&echoed.len()), "{echoed}");
    }
    let answer = rig.post_text("/rfq/quote", "{\"input_amount\":-18446744073709551616000}").await;
    assert!(answer.text.contains("\"input\":-18446744073709551616000,"), "as it was written: {}", answer.text);
}

#[tokio::test]
async fn a_body_that_is_not_one_json_object_is_one_error() {
    let rig = Rig::start().await;
    let nested = format!("{{\"chain_id\":{}", "[".repeat(16_000));
    for body in [
        "",
        "{",
        "[]",
        "7",
        "null",
        "\"text\"",
        "{} {}",
        "{\"chain_id\":01}",
        "{\"chain_id\":1,}",
        "{\"chain_id\":1,\"chain_id\":1}",
        "{\"chain_id\":1,\"chain\\u005fid\":2}",
        "{'chain_id':1}",
        &nested,
    ] {
        let answer = rig.post_text("/rfq/quote", body).await;
        assert_eq!(answer.invalid(), ["json_invalid"], "{body}");
        let echoed = answer.json()["data"][0]["input"].as_str().unwrap().to_owned();
        assert!(body.starts_with(&echoed) && echoed.len() <= 256, "{echoed}");
    }
    let request = rig.request(Method::POST, "/rfq/quote").header("content-type", "application/json");
    assert_eq!(rig.send(request.body(b"{\"chain_id\":\"\xff\"}".to_vec())).await.invalid(), ["json_invalid"]);
    let closed = format!("{{\"x\":{}{}}}", "[".repeat(8_000), "]".repeat(8_000));
    assert_eq!(rig.post_text("/rfq/quote", &closed).await.invalid().len(), 5);
}

#[tokio::test]
async fn input_is_echoed_as_written() {
    let rig = Rig::start().await;
    let body = quote_body(&[("chain_id", "-12345678901234567890123"), ("time_in_seconds", "1.50e0")]);
    let answer = rig.post_text("/rfq/quote", &body).await;
    assert!(answer.text.contains("\"input\":-12345678901234567890123,"), "{}", answer.text);
    assert!(answer.text.contains("\"input\":1.50e0,"), "{}", answer.text);
    let body = quote_body(&[("input_amount", "{\"a\": [1, \"\\u00e9\"]}")]);
    let answer = rig.post_text("/rfq/quote", &body).await;
    assert!(answer.text.contains("\"input\":{\"a\": [1, \"\\u00e9\"]},"), "{}", answer.text);
    let query = "/rfq/v2/quote/1?input_asset_symbol=A&output_asset_symbol=B&input_amount=%C3%A9%22%3Cb%3E";
    assert_eq!(rig.get(query).await.json()["data"][0]["input"], "é\"<b>");
    let half = rig.post_text("/rfq/quote", &quote_body(&[("input_asset_symbol", "\"\\ud800\"")])).await.json();
    let message = "Input should be well-formed Unicode, without unpaired surrogates";
    assert_eq!((&half["data"][0]["msg"], &half["data"][0]["input"]), (&json!(message), &json!("\"\\ud800\"")));
    let body = quote_body(&[("chain_id", ""), ("input_amount", "100000000000000000000000000")]);
    let missing = rig.post_text("/rfq/quote", &body).await;
    assert!(missing.text.contains(&format!("\"input\":{body},")), "the object that lacks it: {}", missing.text);
    let missing = rig.get("/rfq/v2/quote/1?input_asset_symbol=A&input_amount=1&other=1").await.json();
    let object = json!({"chain_id": "1", "input_asset_symbol": "A", "input_amount": "1"});
    assert_eq!(missing["data"][0]["input"], object);
    let long = rig.post_text("/rfq/quote", &format!("{{\"other\":\"{}\"}}", "x".repeat(8_000))).await;
    let echoed = long.json()["data"][0]["input"].as_str().unwrap().len();
    assert_eq!((echoed, long.invalid().len()), (256, 5), "its beginning");
}

#[tokio::test]
async fn links_lead_to_pages_about_the_error_type() {
    let rig = Rig::start().await;
    let answer = rig.post("/rfq/sign", &json!({})).await;
    let url = answer.json()["data"][0]["url"].as_str().unwrap().to_owned();
    assert_eq!(url, format!("{}/errors/missing", rig.base));
    let page = rig.send(rig.http.get(url)).await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.text.contains("missing"));

    let request = rig.request(Method::POST, "/rfq/sign").header("host", "rfq.example").json(&json!({}));
    assert_eq!(rig.send(request).await.json()["data"][0]["url"], "http://rfq.example/errors/missing");
    let request = rig.request(Method::POST, "/rfq/sign").header("host", "a\"b").json(&json!({}));
    assert_eq!(rig.send(request).await.json()["data"][0]["url"], "/errors/missing");

    let usual = Start::default();
    let public_url = Some(PublicUrl::new("https://rfq.example/swap/").unwrap());
    let rig = Rig::start_with(Start { settings: Settings { public_url, ..usual.settings.clone() }, ..usual }).await;
    let request = rig.request(Method::POST, "/rfq/sign").header("host", "evil.example").json(&json!({}));
    assert_eq!(rig.send(request).await.json()["data"][0]["url"], "https://rfq.example/swap/errors/missing");
}

#[tokio::test]
async fn a_strict_request_has_no_unknown_inputs() {
    let rig = Rig::start().await;
    let pair = "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";
    for strict in ["", "&strict=false"] {
        rig.get(&format!("/rfq/v2/quote/1?{pair}&imput_amount=1{strict}")).await.success();
    }
    rig.get(&format!("/rfq/v2/quote/1?{pair}&strict=true")).await.success();
    let query = rig.get(&format!("/rfq/v2/quote/1?{pair}&imput_amount=&strict=true")).await;
    let body = json!({"quote_id": "x", "transmitt": true, "strict": true});
    let body = rig.post("/rfq/sign", &body).await;
    for (answer, name) in [(query, "imput_amount"), (body, "transmitt")] {
        assert_eq!(answer.invalid()[0], format!("unknown_input {name}"));
        let invalid = &answer.json()["data"][0];
        assert_eq!((&invalid["loc"], &invalid["input"]), (&json!([name]), &json!(name)));
    }
}
