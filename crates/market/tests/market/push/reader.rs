//! Prices that are published directly, and those that are read from messages and entries of a shared store.

use std::sync::Arc;

use firmquote_market::push::{LocalPublisher, PricePublisher as _, read_list};

use super::{NOW, RecordingListener, list, reader, symbol};

#[tokio::test]
async fn prices_posted_to_a_direct_board_arrive_at_once() {
    let listener = Arc::new(RecordingListener::default());
    let json = list(r#"{"symbol":"ETH","price_usd":2000},{"symbol":"USDC","price_usd":1}"#);
    let prices = read_list(json.as_bytes(), NOW).unwrap();
    LocalPublisher::new(Arc::clone(&listener) as _).publish(&prices).await.unwrap();
    let expected = [("ETH".to_owned(), Some("2000".to_owned())), ("USDC".to_owned(), Some("1".to_owned()))];
    assert_eq!(listener.received(), expected);
}

#[test]
fn each_asset_receives_its_own_entry_of_a_message() {
    let listener = RecordingListener::default();
    let valid = r#"{"symbol":"ETH","price_usd":"2000","observed_at":1763700000001}"#;
    let without_time = r#"{"symbol":"DAI","price_usd":"1"}"#;
    let message =
        list(&format!("{valid},{without_time},{{\"symbol\":\"USDC\",\"price_usd\":\"x\"}},{{\"price_usd\":1}},7"));
    let error = reader().receive_message(message.as_bytes(), &listener).unwrap_err().to_string();
    assert_eq!(error.matches("prices[3]").count() + error.matches("prices[4]").count(), 3, "{error}");
    let expected = [("ETH".to_owned(), Some("2000".to_owned())), ("DAI".to_owned(), None), ("USDC".to_owned(), None)];
    assert_eq!(listener.received(), expected, "a price without a time is none here");
    let unknown = list(r#"{"symbol":"DOGE","price_usd":"1","observed_at":1},{"symbol":"DOGE","price_usd":"x"}"#);
    let other = RecordingListener::default();
    assert_eq!(reader().receive_message(unknown.as_bytes(), &other), Ok(()));
    reader().receive_entry(&symbol("DOGE"), b"garbage", &other);
    assert!(other.received().is_empty());
    for message in [&b"\xff"[..], b"", b"garbage", b"{\"prices\":7}", b"[]"] {
        assert!(reader().receive_message(message, &RecordingListener::default()).is_err(), "{message:?}");
    }
}

#[test]
fn an_entry_is_the_price_of_the_asset_of_its_key() {
    let valid = r#"{"symbol":"ETH","price_usd":"2000","observed_at":1763700000001}"#;
    for (name, entry, is_price) in [
        ("ETH", valid.as_bytes(), true),
        ("ETH", format!(" {valid}\n").as_bytes(), true),
        ("USDC", valid.as_bytes(), false),
        ("ETH", br#"{"symbol":"ETH","price_usd":"2000"}"#, false),
        ("ETH", b"2000", false),
        ("ETH", b"", false),
        ("ETH", b"\xff", false),
    ] {
        let listener = RecordingListener::default();
        reader().receive_entry(&symbol(name), entry, &listener);
        assert_eq!(listener.received(), [(name.to_owned(), is_price.then(|| "2000".to_owned()))], "{entry:?}");
    }
}

#[test]
fn garbage_after_a_repeated_entry_is_still_reported() {
    let item =
        |price: &str, millis: u64| format!("{{\"symbol\":\"ETH\",\"price_usd\":{price},\"observed_at\":{millis}}}");
    let (listener, reader, eth) = (RecordingListener::default(), reader(), symbol("ETH"));
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
