//! Prices that are sent: one notation, all or nothing in a request, and each for itself where many may write.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic outside its test functions too")]

use std::sync::{Arc, Mutex};

use firmquote_domain::{InvalidValue, Price, Symbol, Timestamp};
use firmquote_market::{
    Observation, PriceListener, PriceUpdate,
    push::{
        InvalidPrices, InvalidReason, LocalPublisher, PricePublisher as _, PushedPrice, PushedPriceReader, read_list,
        serialize_list,
    },
};
use proptest::prelude::*;

const NOW: Timestamp = Timestamp::from_micros(1_763_700_000_123_456);

fn symbol(text: &str) -> Symbol {
    Symbol::new(text).unwrap()
}

fn list(item: &str) -> String {
    format!("{{\"prices\":[{item}]}}")
}

/// Price, confidence in steps, time in microseconds.
fn read(item: &str) -> (String, u64, u64) {
    let read = read_list(list(item).as_bytes(), NOW).unwrap();
    let [PushedPrice { observation: Observation { price, confidence_steps, observed_at }, .. }] = read.as_slice()
    else {
        panic!("{read:?}")
    };
    (price.to_string(), *confidence_steps, observed_at.as_micros())
}

/// Position, member and kind of every mistake.
fn mistakes(json: &str) -> Vec<(Option<usize>, Option<&'static str>, InvalidReason)> {
    match read_list(json.as_bytes(), NOW) {
        Err(InvalidPrices::Invalid(found)) => {
            found.into_iter().map(|found| (found.position, found.member, found.reason)).collect()
        }
        other => panic!("{json}: {other:?}"),
    }
}

fn reader() -> PushedPriceReader {
    PushedPriceReader::new(&["ETH", "USDC", "DAI"].map(symbol))
}

/// The updates, in order.
#[derive(Default)]
struct SourceListener(Mutex<Vec<(String, Result<Observation, InvalidValue>)>>);

impl PriceListener for SourceListener {
    fn receive(&self, updates: &[PriceUpdate<'_>]) {
        self.0.lock().unwrap().extend(updates.iter().map(|(symbol, said)| (symbol.to_string(), *said)));
    }
}

impl SourceListener {
    /// Each asset with its price, or without one.
    fn received(&self) -> Vec<(String, Option<String>)> {
        let received = self.0.lock().unwrap();
        received.iter().map(|(symbol, said)| (symbol.clone(), said.ok().map(|said| said.price.to_string()))).collect()
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

#[tokio::test]
async fn prices_posted_to_a_direct_board_arrive_at_once() {
    let listener = Arc::new(SourceListener::default());
    let json = list(r#"{"symbol":"ETH","price_usd":2000},{"symbol":"USDC","price_usd":1}"#);
    let prices = read_list(json.as_bytes(), NOW).unwrap();
    LocalPublisher::new(Arc::clone(&listener) as _).publish(&prices).await.unwrap();
    let expected = [("ETH".to_owned(), Some("2000".to_owned())), ("USDC".to_owned(), Some("1".to_owned()))];
    assert_eq!(listener.received(), expected);
}

#[test]
fn each_asset_receives_its_own_entry_of_a_message() {
    let listener = SourceListener::default();
    let good = r#"{"symbol":"ETH","price_usd":"2000","observed_at":1763700000001}"#;
    let timeless = r#"{"symbol":"DAI","price_usd":"1"}"#;
    let message = list(&format!("{good},{timeless},{{\"symbol\":\"USDC\",\"price_usd\":\"x\"}},{{\"price_usd\":1}},7"));
    let error = reader().receive_message(message.as_bytes(), &listener).unwrap_err().to_string();
    assert_eq!(error.matches("prices[3]").count() + error.matches("prices[4]").count(), 3, "{error}");
    let expected = [("ETH".to_owned(), Some("2000".to_owned())), ("DAI".to_owned(), None), ("USDC".to_owned(), None)];
    assert_eq!(listener.received(), expected, "a price without a time is none here");
    let foreign = list(r#"{"symbol":"DOGE","price_usd":"1","observed_at":1},{"symbol":"DOGE","price_usd":"x"}"#);
    let other = SourceListener::default();
    assert_eq!(reader().receive_message(foreign.as_bytes(), &other), Ok(()));
    reader().receive_entry(&symbol("DOGE"), b"garbage", &other);
    assert!(other.received().is_empty());
    for message in [&b"\xff"[..], b"", b"garbage", b"{\"prices\":7}", b"[]"] {
        assert!(reader().receive_message(message, &SourceListener::default()).is_err(), "{message:?}");
    }
}

#[test]
fn an_entry_is_the_price_of_the_asset_of_its_key() {
    let good = r#"{"symbol":"ETH","price_usd":"2000","observed_at":1763700000001}"#;
    for (name, entry, is_price) in [
        ("ETH", good.as_bytes(), true),
        ("ETH", format!(" {good}\n").as_bytes(), true),
        ("USDC", good.as_bytes(), false),
        ("ETH", br#"{"symbol":"ETH","price_usd":"2000"}"#, false),
        ("ETH", b"2000", false),
        ("ETH", b"", false),
        ("ETH", b"\xff", false),
    ] {
        let listener = SourceListener::default();
        reader().receive_entry(&symbol(name), entry, &listener);
        assert_eq!(listener.received(), [(name.to_owned(), is_price.then(|| "2000".to_owned()))], "{entry:?}");
    }
}

#[test]
fn garbage_after_a_repeated_entry_is_still_reported() {
    let item =
        |price: &str, millis: u64| format!("{{\"symbol\":\"ETH\",\"price_usd\":{price},\"observed_at\":{millis}}}");
    let (listener, reader, eth) = (SourceListener::default(), reader(), symbol("ETH"));
    reader.receive_message(list(&item("2000", 1)).as_bytes(), &listener).unwrap();
    reader.receive_message(list(&item("\"NaN\"", 2)).as_bytes(), &listener).unwrap();
    reader.receive_entry(&eth, item("2000", 1).as_bytes(), &listener);
    reader.receive_entry(&eth, item("2001", 3).as_bytes(), &listener);
    reader.receive_entry(&eth, b"garbage", &listener);
    reader.receive_entry(&eth, item("2001", 3).as_bytes(), &listener);
    let prices: Vec<_> = listener.received().into_iter().map(|(_, price)| price).collect();
    let [first, second] = ["2000", "2001"].map(|price| Some(price.to_owned()));
    assert_eq!(
        prices,
        [first, None, second.clone(), None, second],
        "and the same entry is received after garbage in it"
    );
}

proptest! {
    #[test]
    fn prices_round_trip_to_the_last_digit(
        steps in 1..=u64::MAX,
        confidence_steps in 0..=u64::MAX,
        millis in 0..=u64::MAX / 1_000,
    ) {
        let observed_at = Timestamp::from_micros(millis * 1_000);
        let observation = Observation { price: Price::new(steps).unwrap(), confidence_steps, observed_at };
        let price = PushedPrice { symbol: symbol("U\"S\\D"), observation, has_time: true };
        prop_assert_eq!(read_list(serialize_list(std::slice::from_ref(&price)).as_bytes(), NOW), Ok(vec![price]));
    }

    #[test]
    fn arbitrary_input_never_panics(bytes in any::<Vec<u8>>(), text in any::<String>()) {
        let (listener, reader) = (SourceListener::default(), reader());
        for json in [bytes, list(&text).into_bytes(), text.into_bytes()] {
            drop(read_list(&json, NOW));
            drop(reader.receive_message(&json, &listener));
            reader.receive_entry(&symbol("ETH"), &json, &listener);
        }
    }
}

#[test]
fn errors_are_short_however_many_entries_are_invalid() {
    let json = format!(r#"{{"prices": [{}1]}}"#, "1,".repeat(9_999));
    let error = read_list(json.as_bytes(), NOW).unwrap_err().to_string();
    assert!(error.starts_with("prices[0]: ") && error.ends_with("; and 9995 more"), "{error}");
    assert!(error.len() < 1_000, "{error}");
}
