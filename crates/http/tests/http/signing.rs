//! Signatures of both versions.

use firmquote_domain::{Amount, GoodUntil, Offer, Signature, U256, parse_address};
use firmquote_signer::{DomainSeparator, digest, recover};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{ETH, POOL, Rig, TestResponse, USDC, demo_pool};

const ALICE: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const BOB: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const CONFLICT: &str = "Quote conflicts with latest prices. Please request a new quote.";

/// Creates a live anonymous quote of ETH for USDC.
async fn quote(rig: &Rig) -> Value {
    let body = json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC",
        "input_amount": "1000000000000000000"});
    rig.post("/rfq/quote", &body).await.success()
}

fn terms(quote: &Value, destination: &str) -> Value {
    json!({"quote_id": quote["id"], "destination_address": destination})
}

fn with(mut body: Value, name: &str, value: Value) -> Value {
    body[name] = value;
    body
}

/// Asserts that signing the quote fails with a message that contains this text.
fn assert_quote_problem(answer: &TestResponse, message: &str) {
    let (status, kind, code, error_message) = answer.error();
    assert_eq!((status, kind.as_str(), code), (400, "QuoteProblem", Some(409)), "{error_message}");
    assert!(error_message.contains(message), "{error_message}");
}

/// Returns the offer that a response describes, and its signer.
fn signer_of(answer: &Value) -> String {
    let text = |name: &str| answer[name].as_str().unwrap();
    let amount = |name: &str| text(name).parse::<Amount>().unwrap();
    let address = |name: &str| parse_address(text(name)).unwrap();
    let offer = Offer {
        pool: demo_pool().id,
        input_token: address("input_asset_address"),
        output_token: address("output_asset_address"),
        input_amount: amount("input_amount"),
        output_amount: amount("output_amount"),
        good_until: GoodUntil::from_word(text("good_until").parse::<U256>().unwrap()).unwrap(),
        destination: address("destination_address"),
    };
    let part = |name: &str| {
        let part = answer["signature"][name].as_str().unwrap();
        assert_eq!(part.len(), 66, "{part}");
        part.parse().unwrap()
    };
    let signature = Signature::new(part("r"), part("s"), answer["signature"]["v"] == 28).unwrap();
    let pool = demo_pool();
    recover(digest(&DomainSeparator::new(&pool.domain, pool.id), &offer), &signature).unwrap().to_string()
}

#[tokio::test]
async fn the_pools_signer_signs_the_returned_terms() {
    let rig = Rig::start().await;
    let quote = quote(&rig).await;
    let answer = rig.post("/rfq/sign", &terms(&quote, ALICE)).await;
    let signed = answer.success();
    assert_eq!(signer_of(&signed), rig.signer.address().to_string());
    for name in ["chain_id", "input_asset_address", "output_asset_address", "input_amount", "output_amount"] {
        assert_eq!(signed[name], quote[name], "{name}");
    }
    assert_eq!(signed["destination_address"], ALICE);
    assert_eq!(signed["service_exchange_address"], POOL);
    let word: U256 = signed["good_until"].as_str().unwrap().parse().unwrap();
    let GoodUntil::Packed(packed) = GoodUntil::from_word(word).unwrap() else { panic!("{word} is not packed") };
    assert_eq!(json!(packed.expires_at.get()), quote["good_until"]);
    assert_eq!(signed["expires_at"], quote["good_until"]);
    assert_eq!((packed.input_price.to_string(), packed.output_price.to_string()), ("2080.527".into(), "1".into()));
    let mut names: Vec<_> = signed.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "chain_id",
            "destination_address",
            "execution",
            "expires_at",
            "good_until",
            "input_amount",
            "input_asset_address",
            "output_amount",
            "output_asset_address",
            "service_exchange_address",
            "signature",
        ]
    );
}

#[tokio::test]
async fn equal_terms_return_identical_bytes_and_other_terms_are_rejected() {
    let rig = Rig::start().await;
    let quote = quote(&rig).await;
    let body = terms(&quote, ALICE);
    let first = rig.post("/rfq/sign", &body).await;
    first.success();
    rig.set_eth_price("1000");
    rig.clock.advance_micros(30_000_000);
    let aux_data = format!("0x{:0<64}", "4669726d71756f7465");
    for same in [
        body.clone(),
        with(body.clone(), "sender_address", json!(ALICE)),
        with(body.clone(), "destination_address", json!(ALICE.to_lowercase())),
        with(body.clone(), "aux_data", json!(aux_data)),
        with(body.clone(), "transmit", json!(false)),
        with(body.clone(), "calldata", json!(false)),
    ] {
        assert_eq!(rig.post("/rfq/sign", &same).await.text, first.text, "{same}");
    }
    for other in [
        terms(&quote, BOB),
        with(body.clone(), "sender_address", json!(BOB)),
        with(body.clone(), "aux_data", json!(format!("0x{}", "0".repeat(64)))),
        with(body.clone(), "transmit", json!(true)),
        with(body.clone(), "native_input", json!(true)),
    ] {
        assert_quote_problem(&rig.post("/rfq/sign", &other).await, "already signed for other terms");
    }
    rig.clock.advance_micros(42_000_000);
    assert_eq!(rig.post("/rfq/sign", &body).await.text, first.text);
    rig.clock.advance_micros(1_000_000);
    assert_quote_problem(&rig.post("/rfq/sign", &body).await, "no live quote");
}

#[tokio::test]
async fn calldata_is_returned_on_request_even_for_a_repeated_signature() {
    let rig = Rig::start().await;
    let quote = quote(&rig).await;
    let (without, asking) = (terms(&quote, ALICE), with(terms(&quote, ALICE), "calldata", json!(true)));
    let plain = rig.post("/rfq/sign", &without).await;
    assert!(plain.success().get("calldata").is_none());
    let called = rig.post("/rfq/sign", &asking).await;
    let calldata = called.success()["calldata"].as_str().unwrap().to_owned();
    assert!(calldata.starts_with("0x2b651a6c") && calldata.len() % 2 == 0, "{calldata}");
    assert!(calldata.ends_with(&format!("{:0<64}", "4669726d71756f7465")), "{calldata}");
    assert_eq!(rig.post("/rfq/sign", &without).await.text, plain.text);
    assert_eq!(rig.post("/rfq/sign", &asking).await.text, called.text);
}

#[tokio::test]
async fn native_sides_and_payment_methods_select_the_function() {
    let rig = Rig::start().await;
    let mut selectors = Vec::new();
    for (flag, transmit) in [("calldata", false), ("calldata", true), ("native_input", false), ("native_input", true)] {
        let body = with(terms(&quote(&rig).await, ALICE), "transmit", json!(transmit));
        let body = with(with(body, flag, json!(true)), "calldata", json!(true));
        let signed = rig.post("/rfq/sign", &body).await.success();
        assert_eq!((&signed["input_asset_address"], &signed["output_asset_address"]), (&json!(ETH), &json!(USDC)));
        selectors.push(signed["calldata"].as_str().unwrap()[..10].to_owned());
    }
    assert_eq!(selectors[2], selectors[3]);
    selectors.dedup();
    assert_eq!(selectors.len(), 3);
}

#[tokio::test]
async fn a_quote_expires_exactly_at_its_deadline() {
    let rig = Rig::start().await;
    let [early, late] = [quote(&rig).await, quote(&rig).await];
    rig.clock.advance_micros(11_999_999);
    rig.post("/rfq/sign", &terms(&early, ALICE)).await.success();
    rig.clock.advance_micros(1);
    assert_quote_problem(&rig.post("/rfq/sign", &terms(&late, ALICE)).await, "no live quote");
    let unknown = json!({"quote_id": "05a51aa6-41b5-4c61-a452-f1b95d0d43e4", "destination_address": ALICE});
    assert_quote_problem(&rig.post("/rfq/sign", &unknown).await, "no live quote 05a51aa6-41b5-4c61-a452-f1b95d0d43e4");
}

#[tokio::test]
async fn a_moved_quote_returns_the_stable_conflict_message() {
    let rig = Rig::start().await;
    let (falling, rising) = (quote(&rig).await, quote(&rig).await);
    rig.set_eth_price("2080.526");
    let (status, kind, code, message) = rig.post("/rfq/sign", &terms(&falling, ALICE)).await.error();
    assert_eq!((status, kind.as_str(), code, message.as_str()), (400, "QuoteProblem", Some(409), CONFLICT));
    rig.set_eth_price("2080.528");
    rig.post("/rfq/sign", &terms(&rising, ALICE)).await.success();
}

#[tokio::test]
async fn a_conflict_reports_the_changes_and_includes_a_valid_quote() {
    let rig = Rig::start().await;
    let quote = quote(&rig).await;
    rig.set_eth_price("2000");
    let answer = rig.post("/rfq/sign", &terms(&quote, ALICE)).await;
    let (status, _, code, message) = answer.error();
    assert_eq!((status, code, message.as_str()), (400, Some(409), CONFLICT));
    let body: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!((&body["reason"], &body["moved_bps"]), (&json!("price"), &json!(364.21)));
    let (fresh, names) =
        (&body["fresh_quote"], |quote: &Value| quote.as_object().unwrap().keys().cloned().collect::<Vec<_>>());
    assert_eq!(names(fresh), names(&quote), "a whole Quote object");
    assert_ne!(fresh["id"], quote["id"]);
    assert_eq!(fresh["input_amount"], quote["input_amount"]);
    rig.post("/rfq/sign", &terms(fresh, ALICE)).await.success();
    let unknown = json!({"quote_id": "05a51aa6-41b5-4c61-a452-f1b95d0d43e4", "destination_address": ALICE});
    let other = rig.post("/rfq/sign", &unknown).await;
    assert!(!other.text.contains("fresh_quote") && other.text.contains("unknown_quote"), "{}", other.text);
}

#[tokio::test]
async fn quotes_of_other_clients_cannot_be_signed() {
    let rig = Rig::start().await;
    let request = json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC",
        "input_amount": "100000000000000000"});
    let anonymous = terms(&quote(&rig).await, ALICE);
    let acmes = terms(&rig.post_as_acme("/rfq/quote", &request).await.success(), ALICE);
    let by_apex = |path: &str, body: &Value| {
        rig.request(Method::POST, path).header("x-api-key", rig.apex_key.reveal()).json(body)
    };
    for refused in [
        rig.post("/rfq/sign", &acmes).await,
        rig.send(by_apex("/rfq/sign", &acmes)).await,
        rig.send(by_apex("/rfq/v2/sign", &acmes)).await,
        rig.post_as_acme("/rfq/sign", &anonymous).await,
    ] {
        assert_eq!(refused.error(), (403, "Forbidden".into(), None, "Access is forbidden".into()));
        assert_eq!(
            (&refused.json()["reason"], refused.json().as_object().unwrap().len()),
            (&json!("another_client"), 3)
        );
    }
    let with_basic = rig.request(Method::POST, "/rfq/sign").basic_auth("old-partner", Some(rig.acme_password.reveal()));
    let through_v1 = rig.send(with_basic.json(&acmes)).await;
    through_v1.success();
    assert_eq!(rig.post_as_acme("/rfq/v2/sign", &acmes).await.text, through_v1.text);
    rig.post("/rfq/sign", &anonymous).await.success();
}

#[tokio::test]
async fn quote_and_sign_takes_one_round_trip() {
    let rig = Rig::start().await;
    let query = format!(
        "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000&native_input=true\
         &calldata=true&time_in_seconds=600&destination_address={ALICE}"
    );
    let signed = rig.get(&format!("/rfq/v2/quote-sign/1?{query}")).await.success();
    assert_eq!(signer_of(&signed), rig.signer.address().to_string());
    let word: U256 = signed["good_until"].as_str().unwrap().parse().unwrap();
    assert_eq!(GoodUntil::from_word(word).unwrap().expires_at().get(), 1_697_236_460);
    assert_eq!((&signed["created_at"], &signed["input_value_in_usd"]), (&json!(1_697_235_848), &json!(2080.527)));
    assert_eq!(signed["rate"], signed["output_value_in_usd"]);
    assert!(signed["calldata"].as_str().unwrap().starts_with("0x"));
    let again = json!({"quote_id": signed["id"], "destination_address": ALICE, "native_input": true});
    let again = rig.post_as_acme("/rfq/v2/sign", &again).await.success();
    assert_eq!(again["signature"], signed["signature"]);
    let other = json!({"quote_id": signed["id"], "destination_address": BOB, "native_input": true});
    assert_quote_problem(&rig.post_as_acme("/rfq/v2/sign", &other).await, "other terms");
}

#[tokio::test]
async fn a_lost_answer_is_recovered_with_its_key() {
    let rig = Rig::start().await;
    let query = |amount: &str| {
        format!(
            "/rfq/v2/quote-sign/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount={amount}&destination_address={ALICE}"
        )
    };
    let with_key = |amount: &str, key: &str| {
        let request = rig.request(Method::GET, &query(amount)).header("x-api-key", rig.acme_key.reveal());
        rig.send(request.header("idempotency-key", key))
    };
    let first = with_key("1000000000000000000", "\"order 1\"").await;
    assert_eq!(first.invalid(), ["out_of_range Idempotency-Key"]);
    let first = with_key("1000000000000000000", "\"order-1\"").await.success();
    assert_eq!(with_key("1000000000000000000", "\"order-1\"").await.success(), first);
    let other = with_key("2000000000000000000", "\"order-1\"").await;
    assert_eq!(other.json()["reason"], "idempotency_key_reused");
    assert_quote_problem(&other, "used for another request");
    assert_ne!(with_key("1000000000000000000", "order-2").await.success()["id"], first["id"]);
}

#[tokio::test]
async fn unsignable_terms_are_invalid_inputs_and_do_not_claim_the_quote() {
    let rig = Rig::start().await;
    let quote = quote(&rig).await;
    for (body, invalid) in [
        (terms(&quote, POOL), "out_of_range destination_address"),
        (terms(&quote, USDC), "out_of_range destination_address"),
        (with(terms(&quote, ALICE), "native_output", json!(true)), "out_of_range native_output"),
    ] {
        let answer = rig.post("/rfq/sign", &body).await;
        assert_eq!(answer.invalid(), [invalid]);
        let field = invalid.split_once(' ').unwrap().1;
        assert_eq!(answer.json()["data"][0]["input"], body[field]);
    }
    rig.post("/rfq/sign", &terms(&quote, ALICE)).await.success();
}
