//! `firmquote quote`, `sign` and `pool`.

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use serde_json::Value;

use crate::{
    client::{API_KEY, DESTINATION, Service, members, rows},
    program::{CONFIG, run},
};

const ETH: &str = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const POOL: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";

#[test]
fn an_amount_in_whole_tokens_is_quoted_to_the_base_unit() {
    let service = Service::start();
    let output = rows(&service.printed(&["quote", "ETH", "USDC", "--in", "1"]));
    assert_eq!(output[0], "input 1 ETH 1000000000000000000 base units");
    assert_eq!(output[1], "output 2078.539413 USDC 2078539413 base units");
    assert_eq!(output[2], "rate 2078.539413 USDC for 1 ETH");
    assert_eq!(output[3], "fee 8.63 basis points for 60 s");
    assert!(output[4].starts_with("accept by 20") && output[4].contains(" UTC ") && output[4].ends_with(" s left"));
    assert!(output[5].starts_with("good until 20") && output[5].ends_with(" UTC"));
    assert_eq!(output[6..8], [format!("pool {POOL}"), "recomputed yes, to the base unit".to_owned()]);
    assert!(output[8].starts_with("quote id "));
}

#[test]
fn assets_are_symbols_or_addresses_and_amounts_are_exact_input_or_output() {
    let service = Service::start();
    for (arguments, member, amount) in [
        (&["ETH", "USDC", "--in", "0.000000000000000001"][..], "input_amount", ""),
        (&[ETH, "USDC", "--in", "1.5"], "input_amount", "1500000000000000000"),
        (&["USDC", "ETH", "--out", "0.25"], "output_amount", "250000000000000000"),
        (&["ETH", &USDC.to_lowercase(), "--out", "3000"], "output_amount", "3000000000"),
        (&["ETH", "USDC", "--in", "1500000000000000000", "--base-units"], "input_amount", "1500000000000000000"),
    ] {
        let arguments = [&["quote", "--pool-address", POOL][..], arguments].concat();
        if amount.is_empty() {
            // Below the minimum trade: the error states the minimum.
            let ended = service.ended(&arguments);
            assert_eq!(ended.status.code(), Some(1));
            assert!(ended.stderr.starts_with("error: input_amount"), "{}", ended.stderr);
            continue;
        }
        let printed = service.json(&arguments);
        assert_eq!(printed["quote"][member], amount, "{arguments:?}");
        assert_eq!(printed["derived"]["is_recomputed"], true);
    }
}

#[test]
fn a_symbol_may_start_like_an_address() {
    let service = Service::with(&CONFIG.replace("ETH", "0xETH"));
    let output = rows(&service.printed(&["quote", "0xETH", "USDC", "--in", "1"]));
    assert_eq!(output[1], "output 2078.539413 USDC 2078539413 base units");
}

#[test]
fn a_longer_time_costs_more() {
    let service = Service::start();
    let fee = |time| {
        let printed = service.json(&["quote", "ETH", "USDC", "--in", "1", "--time-in-seconds", time]);
        assert_eq!(printed["derived"]["time_in_seconds"].to_string(), time);
        assert_eq!(printed["derived"]["is_recomputed"], true);
        printed["derived"]["fee_in_basis_points"].as_f64().unwrap()
    };
    assert!(fee("60") < fee("120"));
}

#[test]
fn the_json_member_names_are_stable() {
    let service = Service::start();
    let sign = ["--sign", "--destination", DESTINATION, "--calldata", "--native-input"];
    let printed = service.json(&[&["quote", "ETH", "USDC", "--in", "1"][..], &sign].concat());
    let names = ["derived", "pool", "pool_is_unchanged", "quote", "requested", "seconds_left_to_accept", "signed"];
    assert_eq!(members(&printed), names);
    assert_eq!(
        members(&printed["requested"]),
        [
            "destination_address",
            "fixed",
            "fixed_amount",
            "input_asset_address",
            "native_input",
            "native_output",
            "output_asset_address",
            "transmit"
        ]
    );
    let derived = &printed["derived"];
    let names = [
        "fee_in_basis_points",
        "good_until_utc",
        "input",
        "is_recomputed",
        "output",
        "pool_address",
        "time_in_seconds",
    ];
    assert_eq!(members(derived), names);
    assert_eq!(derived["output"], serde_json::json!({"symbol": "USDC", "decimals": 6, "tokens": "2078.539413"}));
    assert_eq!(
        (&derived["fee_in_basis_points"], &printed["pool_is_unchanged"]),
        (&Value::from(8.63), &Value::from(true))
    );
    assert!(printed["seconds_left_to_accept"].as_u64().unwrap() <= 12);
    assert_eq!(printed["signed"]["service_exchange_address"], POOL);
    assert!(printed["signed"]["calldata"].as_str().unwrap().starts_with("0x27a9b424"));
    assert_eq!(
        (&printed["pool"]["pool_type"], members(&printed["pool"])),
        (&Value::from("all"), vec!["pool_type", "pools"])
    );
}

#[test]
fn a_quote_is_signed_by_id_and_again_for_equal_terms_only() {
    let service = Service::start();
    let printed = service.json(&["quote", "ETH", "USDC", "--in", "1"]);
    let id = printed["quote"]["id"].as_str().unwrap();
    let arguments = ["sign", id, "--destination", DESTINATION, "--calldata", "--transmit"];
    let signed = service.json(&arguments);
    assert_eq!(members(&signed), ["derived", "pool_is_unchanged", "requested", "signed"]);
    assert_eq!(signed["derived"]["input"]["tokens"], "1");
    assert_eq!(service.json(&arguments)["signed"], signed["signed"]);
    let output = rows(&service.printed(&arguments));
    assert_eq!(output[1], "output 2078.539413 USDC 2078539413 base units");
    assert_eq!(output[3..5], [format!("destination {DESTINATION}"), format!("pool contract {POOL}")]);
    assert_eq!(output[8], "wei to send 0");
    assert!(output[9].starts_with("calldata 0x"));
    let lines = service.printed(&arguments);
    assert!(lines.lines().take(9).all(|line| line.len() < 200), "{lines}");
    let other = service.ended(&["sign", id, "--destination", USDC]);
    assert_eq!((other.status.code(), other.stdout.as_str()), (Some(1), ""));
    assert!(other.stderr.contains("HTTP 400"), "{}", other.stderr);
}

#[test]
fn a_quote_in_a_file_is_signed_with_all_that_verify_reads() {
    let service = Service::start();
    let sign = ["sign", "--quote", "quote.json", "--destination", DESTINATION, "--calldata", "--transmit"];
    let quoted = service.json(&["quote", "ETH", "USDC", "--in", "1", "--pool-address", POOL]);
    service.file("quote.json", &quoted.to_string());
    let signed = service.json(&sign);
    for member in ["quote", "pool", "pool_is_unchanged"] {
        assert_eq!(signed[member], quoted[member], "{member}");
    }
    let requested = &signed["requested"];
    assert_eq!(
        (&requested["fixed"], &requested["fixed_amount"]),
        (&Value::from("input"), &Value::from("1000000000000000000"))
    );
    assert_eq!(
        (&requested["input_asset_address"], &requested["output_asset_address"]),
        (&Value::from(ETH), &Value::from(USDC))
    );
    assert_eq!(
        (&requested["pool_address"], &requested["destination_address"]),
        (&Value::from(POOL), &Value::from(DESTINATION))
    );
    assert_eq!(signed["derived"]["is_recomputed"], true);
    service.file("signed.json", &signed.to_string());
    let report = service.printed(&["verify", "signed.json"]);
    assert!(report.contains("verified: all checks passed"), "{report}");

    let bare = service.json(&["quote", "ETH", "USDC", "--in", "1"])["quote"].to_string();
    service.file("quote.json", &bare);
    let signed = service.json(&sign);
    assert_eq!((&signed["quote"], signed.get("pool")), (&serde_json::from_str(&bare).unwrap(), None));
    assert_eq!(signed["derived"]["output"]["symbol"], "USDC");

    service.file("quote.json", &signed["signed"].to_string());
    let ended = service.ended(&sign);
    assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.contains("no quote in quote.json: it is a signature"), "{}", ended.stderr);
}

#[test]
fn without_an_api_key_decimals_come_from_a_file() {
    let service = Service::start();
    service.file("pool.json", &service.printed(&["pool", "--json"]));
    let printed = run(service.anonymous(&["quote", "ETH", "USDC", "--in", "1", "--pool", "pool.json", "--json"]));
    assert_eq!((printed.status.code(), printed.stderr.as_str()), (Some(0), ""));
    let printed: Value = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!(printed["quote"]["output_amount"], "2078539413");
    let id = printed["quote"]["id"].as_str().unwrap();
    let signed = run(service.anonymous(&["sign", id, "--destination", DESTINATION]));
    assert_eq!(signed.status.code(), Some(0));
    assert_eq!(rows(&signed.stdout)[1], format!("output 2078539413 base units of {USDC}"));
}

#[test]
fn pools_are_shown_with_weights_composition_and_fees() {
    let service = Service::start();
    let output = rows(&service.printed(&["pool", "--chain", "1", "--time-in-seconds", "60"]));
    assert_eq!(output[0], format!("pool {POOL} on chain 1: k 0.06, worth 1409908.56 USD, swaps enabled"));
    assert_eq!(output[3], format!("ETH 2080.527 476.877882758190421102 70.37 % 70.41 % 79 18 {ETH}"));
    assert_eq!(output[4], format!("USDC 1 417751.254142 29.63 % 29.59 % 188 6 {USDC}"));
    assert_eq!(output[6..8], ["pair fee in basis points for 60 s", "ETH / USDC 8.63"]);
}

#[test]
fn levels_are_shown_once_or_as_they_change() {
    let service = Service::start();
    let output = rows(&service.printed(&["levels", "ETH-USDC", "--knots", "4"]));
    assert_eq!(output[0], "pair from price to price knots shortfall firm for");
    assert!(output[1].starts_with("ETH-USDC 0.00004806") && output[1].contains(" 4 "), "{output:?}");
    assert_eq!(output.len(), 2);
    let levels = service.json(&["levels"]);
    assert_eq!(levels["books"].as_array().unwrap().len(), 2, "both directions");

    let mut command = service.anonymous(&["levels", "--follow"]);
    let mut following = command.env("FIRMQUOTE_API_KEY", API_KEY).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(following.stdout.take().unwrap()).lines().map(Result::unwrap);
    let found = lines.take(100).find(|line| line.starts_with("USDC-ETH"));
    following.kill().unwrap();
    following.wait().unwrap();
    assert!(found.is_some());

    let refused = service.ended(&["levels", "ETH-XYZ", "--follow"]);
    assert_eq!((refused.status.code(), refused.stderr.contains("ETH-XYZ is not supported")), (Some(1), true));
    assert_eq!(run(service.anonymous(&["levels"])).status.code(), Some(2));
    assert_eq!(service.ended(&["levels", "ETH"]).status.code(), Some(2));
}

#[test]
fn a_status_tracks_a_quote_from_creation_to_signature() {
    let service = Service::start();
    let quoted = service.json(&["quote", "ETH", "USDC", "--in", "1"]);
    let id = quoted["quote"]["id"].as_str().unwrap();
    let created = rows(&service.printed(&["status", id]));
    assert_eq!(created[0], "state created");
    assert!(created[1].starts_with("accept by 20") && created[2].starts_with("good until 20"), "{created:?}");
    assert_eq!(created[3..], [format!("pool {POOL} chain 1")]);
    service.json(&["sign", id, "--destination", DESTINATION]);
    let signed = rows(&service.printed(&["status", id]));
    assert_eq!(signed[0], "state signed best effort");
    assert!(signed[1].starts_with("signed at 20"), "{signed:?}");
    let status = service.json(&["status", id]);
    assert_eq!((&status["state"], &status["settled"]), (&Value::from("signed"), &Value::Null));

    let unknown = service.ended(&["status", "05a51aa6-41b5-4c61-a452-f1b95d0d43e4", "--wait"]);
    assert_eq!(unknown.status.code(), Some(1), "{}", unknown.stderr);
    assert!(unknown.stderr.contains("its status is no longer retained"), "{}", unknown.stderr);
    let anonymous = run(service.anonymous(&["status", id]));
    assert_eq!(anonymous.status.code(), Some(2), "{}", anonymous.stderr);
}
