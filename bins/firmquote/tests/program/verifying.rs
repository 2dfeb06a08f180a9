//! `firmquote verify` confirms valid documents, detects altered ones, and tolerates price moves.

use serde_json::{Value, json};

use crate::{
    client::{DESTINATION, Service, members},
    program::{ACCOUNT, CONFIG, Ended, firmquote, run},
};

const SIGN: [&str; 4] = ["--sign", "--destination", DESTINATION, "--calldata"];

/// Returns a quote of one ETH as printed by `quote --json`.
fn quoted(service: &Service, arguments: &[&str]) -> Value {
    service.json(&[&["quote", "ETH", "USDC", "--in", "1"][..], arguments].concat())
}

/// Runs verify on a document, without any network access.
fn verified(service: &Service, document: &Value, arguments: &[&str]) -> Ended {
    let path = service.file("document.json", &document.to_string());
    run(firmquote(&[&["verify", path.to_str().unwrap()][..], arguments].concat()))
}

/// Returns the result of each check by name.
fn standings(report: &Ended) -> Value {
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    let checks = report.get("checks").and_then(Value::as_array).unwrap();
    let member = |check: &Value, name| check.get(name).cloned().unwrap();
    checks
        .iter()
        .map(|check| (member(check, "check").as_str().unwrap().to_owned(), member(check, "standing")))
        .collect()
}

#[test]
fn a_quote_and_its_signature_are_verified_offline_and_against_the_service() {
    for arguments in [&SIGN[..], &[&SIGN[..], &["--native-input"]].concat(), &[&SIGN[..], &["--transmit"]].concat()] {
        // A signature moves the price of later quotes.
        let service = Service::start();
        let document = quoted(&service, arguments);
        let report = verified(&service, &document, &[]);
        assert_eq!(report.status.code(), Some(0), "{}", report.stdout);
        let named = verified(&service, &document, &["--signer", ACCOUNT]);
        assert_eq!(named.stdout, report.stdout, "the pool data names the signer");
        assert!(report.stdout.ends_with("\nverified: all checks passed\n"), "{}", report.stdout);
        let subject =
            format!("signed swap: give 1 ETH, get 2078.539413 USDC, to {DESTINATION}, valid on chain until 20");
        assert!(report.stdout.starts_with(&subject), "{}", report.stdout);
        assert!(report.stdout.contains("2078539413") && report.stdout.contains("\"Test\""), "{}", report.stdout);
    }
    let service = Service::start();
    let quote = &quoted(&service, &[])["quote"];
    let path = service.file("quote.json", &quote.to_string());
    let report = service.ended(&["verify", path.to_str().unwrap(), "--json"]);
    assert_eq!(report.status.code(), Some(0), "{}", report.stdout);
    assert_eq!(standings(&report), json!({"values": "holds", "state": "holds", "amounts": "holds"}));
}

#[test]
fn the_json_report_member_names_are_stable() {
    let service = Service::start();
    let report = verified(&service, &quoted(&service, &SIGN), &["--signer", ACCOUNT, "--json"]);
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!(members(&report), ["call", "checks", "subject", "verdict"]);
    assert_eq!(report["verdict"], "verified");
    assert_eq!(members(&report["checks"][0]), ["check", "says", "standing"]);
    assert_eq!((&report["call"]["function"], &report["call"]["value"]), (&json!("swap"), &json!("0")));
    assert_eq!(
        report["call"]["arguments"][2],
        json!({
            "name": "inputAmount", "value": "1000000000000000000", "meaning": "1 ETH",
        })
    );
}

#[test]
fn every_alteration_is_detected() {
    let service = Service::start();
    let document = quoted(&service, &SIGN);
    let signature = &document["signed"]["signature"];
    let digits = |text: &Value| format!("{}5", &text.as_str().unwrap()[..65]);
    for (path, value, check) in [
        ("/quote/output_amount", json!("2078539412"), "values"),
        ("/quote/input_amount", json!("1000000000000001000"), "terms"),
        ("/quote/rate", json!(2078.5), "values"),
        ("/quote/output_value_in_usd", json!(2078.539412), "values"),
        ("/quote/good_until", json!(1_795_226_400), "terms"),
        ("/quote/fee_in_basis_points", json!(8.62), "state"),
        ("/quote/state_id", json!("70d694998af847a90115a30a7266ae1a"), "state"),
        ("/quote/pool_address", json!(ACCOUNT), "terms"),
        ("/signed/expires_at", json!(1_795_226_400), "terms"),
        ("/signed/input_amount", json!("1000001000000000000"), "amounts"),
        ("/signed/output_amount", json!("2078539414"), "amounts"),
        ("/signed/destination_address", json!(ACCOUNT), "terms"),
        ("/signed/service_exchange_address", json!(ACCOUNT), "terms"),
        ("/signed/chain_id", json!(5), "signature"),
        ("/signed/good_until", json!("1795226400"), "signature"),
        ("/signed/signature/v", json!(55 - signature["v"].as_u64().unwrap()), "signature"),
        ("/signed/signature/r", json!(digits(&signature["r"])), "signature"),
        ("/signed/signature/s", json!(digits(&signature["s"])), "signature"),
        ("/requested/destination_address", json!(ACCOUNT), "terms"),
        ("/requested/input_asset_address", json!(ACCOUNT), "terms"),
        ("/requested/output_asset_address", json!(ACCOUNT), "terms"),
        ("/requested/fixed_amount", json!("1"), "terms"),
        ("/requested/transmit", json!(true), "calldata"),
        ("/requested/fixed", json!("output"), "amounts"),
    ] {
        let mut altered = document.clone();
        *altered.pointer_mut(path).unwrap() = value;
        if altered == document {
            continue;
        }
        let report = verified(&service, &altered, &["--signer", ACCOUNT, "--json"]);
        assert_eq!(report.status.code(), Some(1), "{path}: {}", report.stdout);
        assert_eq!(standings(&report)[check], "differs", "{path}: {}", report.stdout);
    }
}

#[test]
fn documents_of_earlier_releases_are_verified() {
    let service = Service::start();
    let document = quoted(&service, &SIGN);
    let mut earlier = document.clone();
    let members = earlier.as_object_mut().unwrap();
    for (name, earlier_name) in [("requested", "asked"), ("pool_is_unchanged", "pool_is_still")] {
        let value = members.remove(name).unwrap();
        members.insert(earlier_name.to_owned(), value);
    }
    let report = verified(&service, &earlier, &["--signer", ACCOUNT, "--json"]);
    assert_eq!(report.stdout, verified(&service, &document, &["--signer", ACCOUNT, "--json"]).stdout);
    assert_eq!(standings(&report)["terms"], "holds", "{}", report.stdout);
    *earlier.pointer_mut("/asked/destination_address").unwrap() = json!(ACCOUNT);
    let report = verified(&service, &earlier, &["--signer", ACCOUNT, "--json"]);
    assert_eq!((report.status.code(), &standings(&report)["terms"]), (Some(1), &json!("differs")), "{}", report.stdout);
}

#[test]
fn values_at_other_prices_are_detected() {
    let service = Service::start();
    for (arguments, check) in [(&[][..], "amounts"), (&SIGN[..], "values")] {
        let document = quoted(&service, arguments);
        for name in ["input_value_in_usd", "output_value_in_usd"] {
            let mut altered = document.clone();
            let doubled = 2.0 * document["quote"][name].as_f64().unwrap();
            altered["quote"][name] = json!(doubled);
            let report = verified(&service, &altered, &["--signer", ACCOUNT, "--json"]);
            assert_eq!(report.status.code(), Some(1), "{name}: {}", report.stdout);
            assert_eq!(standings(&report)[check], "differs", "{name}: {}", report.stdout);
            assert!(report.stdout.contains(&format!("\"of\":\"{name}\"")), "{}", report.stdout);
        }
    }
}

#[test]
fn a_quote_at_its_own_prices_is_not_a_forgery_on_unchanged_reserves() {
    let (service, other) = (Service::start(), Service::with(&CONFIG.replace("2080.527", "2080.6")));
    let mut document = quoted(&service, &[]);
    document["quote"] = quoted(&other, &[])["quote"].clone();
    document["quote"]["state_id"] = document["pool"]["pools"][0]["pool"]["state_id"].clone();
    assert_eq!(document["pool_is_unchanged"], true);
    let report = verified(&service, &document, &["--json"]);
    assert_eq!((report.status.code(), &standings(&report)["amounts"]), (Some(3), &json!("moved")), "{}", report.stdout);
}

#[test]
fn a_bare_signature_is_undecided_until_the_recipient_is_given() {
    let service = Service::start();
    let signed = &quoted(&service, &SIGN)["signed"];
    for (arguments, code, standing) in [
        (&[][..], 3, "undecided"),
        (&["--destination", DESTINATION], 0, "holds"),
        (&["--destination", ACCOUNT], 1, "differs"),
    ] {
        let arguments = [arguments, &["--signer", ACCOUNT, "--without-pool", "--json"]].concat();
        let report = verified(&service, signed, &arguments);
        assert_eq!((report.status.code(), &standings(&report)["terms"]), (Some(code), &json!(standing)));
    }
}

#[test]
fn a_bare_response_with_extra_members_is_rejected() {
    let service = Service::start();
    let document = quoted(&service, &SIGN);
    for (answer, instead) in [("quote", "quote"), ("quote", "signed"), ("signed", "signed"), ("signed", "requested")] {
        let mut altered = document[answer].clone();
        altered["output_amount"] = json!("1");
        altered[instead] = document[instead].clone();
        let report = verified(&service, &altered, &["--signer", ACCOUNT, "--without-pool"]);
        assert_eq!((report.status.code(), report.stdout.as_str()), (Some(2), ""), "{answer} {instead}");
        assert!(report.stderr.contains(&format!("with an additional member {instead}")), "{}", report.stderr);
    }
}

#[test]
fn every_altered_calldata_byte_is_detected() {
    let service = Service::start();
    let document = quoted(&service, &SIGN);
    let calldata = document["signed"]["calldata"].as_str().unwrap();
    // The function, and one byte of every word of the arguments except the auxiliary data, which is not signed.
    let words = (0..11).map(|word| 10 + 64 * word + 63);
    for at in [9].into_iter().chain(words) {
        let mut altered = document.clone();
        let digit = if calldata.as_bytes()[at] == b'1' { "2" } else { "1" };
        altered["signed"]["calldata"] = format!("{}{digit}{}", &calldata[..at], &calldata[at + 1..]).into();
        let report = verified(&service, &altered, &["--signer", ACCOUNT, "--json"]);
        assert_eq!(report.status.code(), Some(1), "{at}: {}", report.stdout);
        assert_eq!(standings(&report)["calldata"], "differs", "{at}: {}", report.stdout);
    }
}

#[test]
fn a_consistent_forgery_requires_pool_data_of_the_same_state_to_detect() {
    let service = Service::start();
    service.file("pool.json", &service.printed(&["pool", "--json"]));
    let mut document = quoted(&service, &[]);
    let quote = &mut document["quote"];
    (quote["output_amount"], quote["rate"]) = (json!("2078539412"), json!(2078.539412));
    quote["output_value_in_usd"] = json!(2078.539412);
    let report = verified(&service, &document, &["--json"]);
    assert_eq!(report.status.code(), Some(1), "{}", report.stdout);
    assert_eq!(standings(&report), json!({"values": "holds", "state": "holds", "amounts": "differs"}));
    let difference = json!({"of": "output_amount", "is": "2078539412", "expected": "2078539413"});
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!(report["checks"][2]["differences"], json!([difference]));
    let path = service.file("quote.json", &document["quote"].to_string());
    let later = service.ended(&["verify", path.to_str().unwrap(), "--pool", "pool.json", "--json"]);
    assert_eq!(later.status.code(), Some(3), "{}", later.stdout);
    assert_eq!(standings(&later)["amounts"], "undecided");
}

#[test]
fn a_pool_that_moved_since_is_not_a_forgery() {
    let service = Service::start();
    let documents = [quoted(&service, &[])["quote"].clone(), quoted(&service, &SIGN)["signed"].clone()];
    for (config, tolerance, code, standing) in [
        (CONFIG.replace("2080.527", "2080.6"), "0", 3, "moved"),
        (CONFIG.replace("2080.527", "2080.6"), "0.35", 3, "moved"),
        (CONFIG.replace("2080.527", "2080.6"), "0.36", 0, "holds"),
        (CONFIG.replace("417751254142", "417751254143999"), "0", 3, "undecided"),
        (CONFIG.replace("base_fee_bps = 5", "base_fee_bps = 6"), "0", 3, "undecided"),
    ] {
        let moved = Service::with(&config);
        for document in &documents {
            let path = moved.file("document.json", &document.to_string());
            let arguments = ["verify", path.to_str().unwrap(), "--price-tolerance-bps", tolerance];
            let report =
                moved.ended(&[&arguments[..], &["--signer", ACCOUNT, "--destination", DESTINATION, "--json"]].concat());
            assert_eq!(report.status.code(), Some(code), "{}", report.stdout);
            assert_eq!(standings(&report)["amounts"], standing, "{}", report.stdout);
        }
    }
}
