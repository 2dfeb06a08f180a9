//! `firmquote quote --sign` and `sign` with a service or proxy whose responses do not match the request.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    client::{DESTINATION, Service},
    program::Ended,
    proxy,
};

const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const POOL: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const QUOTE: [&str; 5] = ["quote", "ETH", "USDC", "--in", "0.01"];
const SIGN: [&str; 4] = ["--sign", "--destination", DESTINATION, "--calldata"];

/// Runs a command against the proxy.
fn ended(service: &Service, proxy: SocketAddr, arguments: &[&str]) -> Ended {
    let url = format!("http://{proxy}");
    service.ended(&[arguments, &["--url", &url]].concat())
}

/// Starts a proxy that sets `value` at `pointer` in the responses below `path`.
fn lying(service: &Service, path: &'static str, pointer: &'static str, value: Value) -> SocketAddr {
    proxy::start(service.public(), path, move |mut answer| {
        *answer.pointer_mut(pointer).unwrap() = value.clone();
        Some(answer)
    })
}

#[test]
fn a_signature_over_other_terms_is_rejected() {
    let service = Service::start();
    for (pointer, value, text) in [
        ("/output_amount", json!("1"), "the swap differs from the quote"),
        ("/input_amount", json!("10000000000000001"), "the swap differs from the quote"),
        ("/output_asset_address", json!(DESTINATION), "the swap differs from the quote"),
        ("/chain_id", json!(5), "the swap differs from the quote"),
        ("/destination_address", json!(USDC), "it pays to another destination"),
        ("/service_exchange_address", json!(DESTINATION), "the swap differs from the quote"),
        ("/calldata", json!("0x1234"), "not a call of a swap function"),
        ("/signature/s", json!(format!("0x{}", "11".repeat(32))), "the calldata does not match the signed swap"),
    ] {
        let proxy = lying(&service, "/rfq/v2/sign", pointer, value);
        for form in [&[][..], &["--json"]] {
            let ended = ended(&service, proxy, &[&QUOTE[..], &SIGN, form].concat());
            assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""), "{pointer}: {}", ended.stderr);
            assert!(ended.stderr.contains(text), "{pointer}: {}", ended.stderr);
        }
    }
}

#[test]
fn a_signature_for_a_contract_that_the_pool_data_does_not_list_is_no_answer() {
    let service = Service::start();
    // As from a release of the service whose quotes do not name the pool.
    let proxy = proxy::start(service.public(), "/rfq/v2/", |mut answer| {
        let members = answer.as_object_mut().unwrap();
        members.remove("pool_address");
        if let Some(contract) = members.get_mut("service_exchange_address") {
            *contract = json!(DESTINATION);
        }
        Some(answer)
    });
    let ended = ended(&service, proxy, &[&QUOTE[..], &SIGN].concat());
    assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("which is not in the pool data"), "{}", ended.stderr);
}

#[test]
fn a_pinned_pool_is_the_only_one_that_is_quoted() {
    let service = Service::start();
    let pinned = [&QUOTE[..], &["--pool-address", POOL]].concat();
    assert_eq!(service.ended(&pinned).status.code(), Some(0));
    for (path, pointer, text) in [
        ("/rfq/v2/pool", "/pools/0/pool/address", "pool_address differs from the request"),
        ("/rfq/v2/quote", "/pool_address", "pool_address differs from the request"),
    ] {
        let proxy = lying(&service, path, pointer, json!(DESTINATION));
        let ended = ended(&service, proxy, &pinned);
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""), "{}", ended.stderr);
        assert!(ended.stderr.contains(text), "{}", ended.stderr);
    }
}

#[test]
fn a_quote_for_tokens_outside_the_pool_data_is_rejected() {
    let service = Service::start();
    for pointer in ["/input_asset_address", "/output_asset_address"] {
        let proxy = lying(&service, "/rfq/v2/quote", pointer, json!(DESTINATION));
        let ended = ended(&service, proxy, &QUOTE);
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""), "{}", ended.stderr);
        assert!(ended.stderr.contains(&format!("the quote is for the token {DESTINATION}")), "{}", ended.stderr);
    }
}

#[test]
fn a_signature_of_a_quote_in_a_file_is_held_against_it() {
    let service = Service::start();
    service.file("quote.json", &service.json(&QUOTE).to_string());
    let sign = ["sign", "--quote", "quote.json", "--destination", DESTINATION];
    for (pointer, value) in [("/output_amount", json!("1")), ("/service_exchange_address", json!(DESTINATION))] {
        refuses_lie(&service, &sign, (pointer, value), "the swap differs from the quote");
    }
    assert_eq!(service.ended(&sign).status.code(), Some(0));
}

/// Asserts that a signature with another value at `pointer` is refused with `reason`, and not printed.
fn refuses_lie(service: &Service, sign: &[&str], (pointer, value): (&'static str, Value), reason: &str) {
    let proxy = lying(service, "/rfq/v2/sign", pointer, value);
    let other = ended(service, proxy, sign);
    assert_eq!((other.status.code(), other.stdout.as_str()), (Some(1), ""), "{}", other.stderr);
    assert!(other.stderr.contains(reason), "{}", other.stderr);
}

#[test]
fn a_signature_by_id_is_checked_against_its_calldata() {
    let service = Service::start();
    let id = service.json(&QUOTE)["quote"]["id"].as_str().unwrap().to_owned();
    let sign = ["sign", &id, "--destination", DESTINATION, "--calldata"];
    refuses_lie(&service, &sign, ("/output_amount", json!("1")), "outputAmount is 20789763, expected: 1");
    assert_eq!(service.ended(&sign).status.code(), Some(0));
}

#[test]
fn json_is_one_line_however_the_service_formats_it() {
    let service = Service::start();
    let formatting = proxy::start(service.public(), "/rfq/v2/", Some);
    let quote = [&QUOTE[..], &SIGN, &["--json"]].concat();
    let quoted = ended(&service, formatting, &quote);
    let id = serde_json::from_str::<Value>(&quoted.stdout).unwrap()["quote"]["id"].as_str().unwrap().to_owned();
    let sign = ["sign", &id, "--destination", DESTINATION, "--calldata", "--json"];
    for arguments in [&sign[..], &["status", &id, "--json"], &["levels", "--json"], &["pool", "--json"]] {
        let printed = ended(&service, formatting, arguments).stdout;
        assert_eq!(printed.lines().count(), 1, "{arguments:?}: {printed}");
        assert!(serde_json::from_str::<Value>(&printed).is_ok(), "{printed}");
    }
    assert_eq!(quoted.stdout.lines().count(), 1, "{}", quoted.stdout);
}

#[test]
fn a_quote_is_signed_before_anything_else_is_fetched() {
    let service = Service::start();
    let answers = Arc::<Mutex<Vec<&str>>>::default();
    let log = answers.clone();
    let proxy = proxy::start(service.public(), "/rfq/v2/", move |answer| {
        let kind = ["signature", "must_accept_by", "pools"].into_iter().find(|member| answer.get(member).is_some());
        log.lock().unwrap().extend(kind);
        Some(answer)
    });
    let ended = ended(&service, proxy, &[&QUOTE[..], &SIGN, &["--json"]].concat());
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    assert_eq!(*answers.lock().unwrap(), ["pools", "must_accept_by", "signature", "pools"]);
}

#[test]
fn a_signature_does_not_wait_for_pool_data_that_does_not_come() {
    let service = Service::start();
    let id = service.json(&QUOTE)["quote"]["id"].as_str().unwrap().to_owned();
    let silent = proxy::start(service.public(), "/rfq/v2/pool", |_| None);
    let start = Instant::now();
    let ended = ended(&service, silent, &["sign", &id, "--destination", DESTINATION, "--timeout", "60"]);
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("signature v") && ended.stderr.contains("in base units only"), "{}", ended.stderr);
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_quote_is_shown_even_if_its_signature_fails() {
    let service = Service::start();
    let silent = proxy::start(service.public(), "/rfq/v2/sign", |_| None);
    let arguments = [&QUOTE[..], &SIGN, &["--timeout", "2"]].concat();
    let text = ended(&service, silent, &arguments);
    assert_eq!((text.status.code(), text.stdout.as_str()), (Some(3), ""), "{}", text.stderr);
    let scripted = ended(&service, silent, &[&arguments[..], &["--json"]].concat());
    let error: Value = serde_json::from_str(&scripted.stderr).unwrap();
    let id = error["error"]["quote"]["id"].as_str().unwrap();
    assert_eq!((scripted.status.code(), &error["error"]["exit_code"]), (Some(3), &json!(3)));
    // The service has signed it, so the same terms return the signature.
    let signed = service.json(&["sign", id, "--destination", DESTINATION, "--calldata"]);
    assert_eq!(signed["signed"]["output_amount"], error["error"]["quote"]["output_amount"]);
    let named = text.stderr.split("; quote ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(text.stderr.contains("no response within 2000 ms") && named.len() == id.len(), "{}", text.stderr);
}
