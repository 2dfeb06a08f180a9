//! Lists of prices in requests, and the errors in them.

use firmquote_market::{
    Observation,
    push::{InvalidPrices, InvalidReason, PushedPrice, read_list},
};

use super::{NOW, list};

/// Returns price, confidence in steps, and time in microseconds.
fn read(item: &str) -> (String, u64, u64) {
    let read = read_list(list(item).as_bytes(), NOW).unwrap();
    let [PushedPrice { observation: Observation { price, confidence_steps, observed_at }, .. }] = read.as_slice()
    else {
        panic!("{read:?}")
    };
    (price.to_string(), *confidence_steps, observed_at.as_micros())
}

/// Returns position, member and kind of every mistake.
fn mistakes(json: &str) -> Vec<(Option<usize>, Option<&'static str>, InvalidReason)> {
    match read_list(json.as_bytes(), NOW) {
        Err(InvalidPrices::Invalid(found)) => {
            found.into_iter().map(|found| (found.position, found.member, found.reason)).collect()
        }
        other => panic!("{json}: {other:?}"),
    }
}

#[test]
fn prices_are_exact_as_strings_and_as_json_numbers() {
    let (now_ms, at) = (1_763_700_000_123_000, 1_763_700_000_001_000);
    for (item, expected) in [
        (r#"{"symbol":"ETH","price_usd":"2080.527"}"#, ("2080.527", 0, now_ms)),
        (r#"{"symbol":"ETH","price_usd":2080.527,"confidence_usd":null,"observed_at":null}"#, ("2080.527", 0, now_ms)),
        (r#"{"symbol":"ETH","price_usd":184467440737.09551615}"#, ("184467440737.09551615", 0, now_ms)),
        (
            r#"{"symbol":"\u0045TH","price_usd":1,"confidence_usd":"0.4","observed_at":1763700000001,"more":[{}]}"#,
            ("1", 40_000_000, at),
        ),
        (
            r#"{"symbol":"ETH","price_usd":"1","confidence_usd":0.000000001,"observed_at":"1763700000001"}"#,
            ("1", 1, at),
        ),
        (
            r#"{"symbol":"ETH","price_usd":"1","confidence_usd":99999999999999999999,"observed_at":0}"#,
            ("1", u64::MAX, 0),
        ),
    ] {
        assert_eq!(read(item), (expected.0.to_owned(), expected.1, expected.2), "{item}");
    }
}

#[test]
fn invalid_prices_are_rejected_by_kind() {
    use InvalidReason::{NotAllowed, NotDecimal};
    for (price, reason) in [
        ("0", NotAllowed),
        ("\"0.0\"", NotAllowed),
        ("0.000000001", NotAllowed),
        ("\"0.000000015\"", NotAllowed),
        ("999999999999999999999", NotAllowed),
        ("-1", NotDecimal),
        ("1e300", NotDecimal),
        ("\"NaN\"", NotDecimal),
        ("\"inf\"", NotDecimal),
        ("\"\"", NotDecimal),
        ("\" 1\"", NotDecimal),
        ("\"1,5\"", NotDecimal),
        ("\"0x10\"", NotDecimal),
        ("true", NotDecimal),
        ("[1]", NotDecimal),
        ("\"\\ud800\"", NotDecimal),
    ] {
        let item = format!("{{\"symbol\":\"ETH\",\"price_usd\":{price}}}");
        assert_eq!(mistakes(&list(&item)), [(Some(0), Some("price_usd"), reason)], "{price}");
    }
}

#[test]
fn every_error_of_a_list_is_reported() {
    use InvalidReason::{Missing, NotAllowed, NotDecimal, NotInteger, NotList, NotObject, NotText, Repeated};
    let whole = |reason| vec![(None, Some("prices"), reason)];
    for (json, expected) in [
        ("{}".to_owned(), whole(Missing)),
        (r#"{"prices":null}"#.to_owned(), whole(Missing)),
        (r#"{"prices":{"symbol":"ETH"}}"#.to_owned(), whole(NotList)),
        (r#"{"prices":[]}"#.to_owned(), whole(NotAllowed)),
        (
            list(r#"null,["ETH","1"],{"symbol":"ETH","symbol":"ETH","price_usd":1},7"#),
            (0..4).map(|at| (Some(at), None, NotObject)).collect(),
        ),
        (
            list(
                r#"{},{"symbol":"A B","price_usd":"x","confidence_usd":-1,"observed_at":1.5},{"symbol":7,"price_usd":1}"#,
            ),
            vec![
                (Some(0), Some("symbol"), Missing),
                (Some(0), Some("price_usd"), Missing),
                (Some(1), Some("symbol"), NotAllowed),
                (Some(1), Some("price_usd"), NotDecimal),
                (Some(1), Some("confidence_usd"), NotDecimal),
                (Some(1), Some("observed_at"), NotInteger),
                (Some(2), Some("symbol"), NotText),
            ],
        ),
        (
            list(r#"{"symbol":"ETH","price_usd":1},{"symbol":"ETH","price_usd":1}"#),
            vec![(Some(1), Some("symbol"), Repeated)],
        ),
        (
            list(r#"{"symbol":"ETH","price_usd":1,"observed_at":18446744073709552}"#),
            vec![(Some(0), Some("observed_at"), NotAllowed)],
        ),
    ] {
        assert_eq!(mistakes(&json), expected, "{json}");
    }
    for json in ["", "[]", "null", "{", "{\"prices\":[{]}", r#"{"prices":[],"prices":[]}"#, "{} {}"] {
        let error = read_list(json.as_bytes(), NOW).unwrap_err();
        assert!(matches!(error, InvalidPrices::Unreadable(_)), "{json}: {error:?}");
    }
}

#[test]
fn errors_name_the_asset_but_not_the_input() {
    let json = list(r#"{"symbol":"ETH","price_usd":"secret"}"#);
    let error = read_list(json.as_bytes(), NOW).unwrap_err().to_string();
    assert_eq!(error, "prices[0].price_usd of ETH: expected a plain decimal number such as 12 or 0.345");
}

#[test]
fn errors_are_short_however_many_entries_are_invalid() {
    let json = format!(r#"{{"prices": [{}1]}}"#, "1,".repeat(9_999));
    let error = read_list(json.as_bytes(), NOW).unwrap_err().to_string();
    assert!(error.starts_with("prices[0]: ") && error.ends_with("; and 9995 more"), "{error}");
    assert!(error.len() < 1_000, "{error}");
}
