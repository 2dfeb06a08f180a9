//! The protocol of Binance Spot: combined streams of `<symbol>@bookTicker`.

use firmquote_domain::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    ticker::Ticker,
    venue::{Event, Refusal, RefusalSubject, Venue},
};
use crate::{SourceError, sources::excerpt};

/// Binance Spot: the streams `<symbol>@bookTicker`, which carry no time.
pub(super) struct Binance;

impl Venue for Binance {
    fn name(&self) -> &'static str {
        "binance"
    }

    fn public_url(&self) -> &'static str {
        "wss://stream.binance.com:9443"
    }

    fn separator(&self) -> Option<char> {
        None
    }

    fn address(&self, base: &str, products: &[String]) -> String {
        let streams: Vec<_> = products.iter().map(|product| stream(product)).collect();
        format!("{}/stream?streams={}", base.trim_end_matches('/'), streams.join("/"))
    }

    fn subscriptions(&self, _: &[String]) -> Vec<String> {
        Vec::new()
    }

    /// Two messages for any number of products: the exchange limits the messages per second.
    fn renewal(&self, products: &[(usize, &str)]) -> Vec<String> {
        let id = if let [(position, _)] = products { json!(position) } else { json!(SEVERAL) };
        let streams: Vec<_> = products.iter().map(|(_, product)| stream(product)).collect();
        let request = |method| json!({"method": method, "params": streams, "id": id}).to_string();
        ["UNSUBSCRIBE", "SUBSCRIBE"].map(request).to_vec()
    }

    fn read(&self, text: &str, time: Timestamp) -> Result<Event, SourceError> {
        let error = match serde_json::from_str::<WireFrame>(text) {
            Ok(WireFrame { data: WireData { event: Some(event), .. } }) => return read_event(&event),
            Ok(WireFrame { data: WireData { symbol: Some(product), best_bid: bid, best_ask: ask, .. } }) => {
                return Ok(Event::Tickers(vec![Ticker { product, bid, ask, time: Ok(time) }]));
            }
            Ok(_) => "neither a symbol nor an event".to_owned(),
            Err(error) => error.to_string(),
        };
        // Events of the connection have no stream name, and responses to requests have an identifier.
        match serde_json::from_str(text) {
            Ok(WireConnection { event: Some(event), .. }) => read_event(&event),
            Ok(WireConnection { error: Some(error), id, .. }) => {
                let subject = match id.as_str() {
                    Some(SEVERAL) => RefusalSubject::Several,
                    _ => RefusalSubject::from_position(id.as_u64()),
                };
                Ok(Event::Refusal(Refusal { subject, reason: excerpt(&error.to_string()) }))
            }
            Ok(WireConnection { id, .. }) if id.is_u64() || id == SEVERAL => Ok(Event::Other),
            _ => Err(SourceError::protocol(&format!("{error}: {text}"))),
        }
    }
}

/// The identifier of a request for several products; that for one is its position.
const SEVERAL: &str = "several";

/// Returns the name of the stream of `product`.
fn stream(product: &str) -> String {
    format!("{}@bookTicker", product.to_lowercase())
}

#[derive(Deserialize)]
struct WireFrame {
    data: WireData,
}

/// The payload of `bookTicker`, or of an event.
#[derive(Deserialize)]
struct WireData {
    #[serde(rename = "e")]
    event: Option<String>,
    #[serde(rename = "s")]
    symbol: Option<String>,
    #[serde(rename = "b", default)]
    best_bid: Value,
    #[serde(rename = "a", default)]
    best_ask: Value,
}

/// An event of the connection, or the response to a request.
#[derive(Deserialize)]
struct WireConnection {
    #[serde(rename = "e")]
    event: Option<String>,
    error: Option<Value>,
    #[serde(default)]
    id: Value,
}

/// Handles an event other than a ticker.
fn read_event(event: &str) -> Result<Event, SourceError> {
    match event {
        "serverShutdown" => Err(SourceError::disconnected("the server is about to shut down")),
        _ => Ok(Event::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    fn read_ticker(text: &str) -> Ticker {
        match Binance.read(text, NOW) {
            Ok(Event::Tickers(mut tickers)) => tickers.remove(0),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn stream_names_are_lower_case() {
        assert_eq!(
            Binance.address("wss://stream.binance.com:9443/", &["ETHUSDT", "btcusdt"].map(str::to_owned)),
            "wss://stream.binance.com:9443/stream?streams=ethusdt@bookTicker/btcusdt@bookTicker"
        );
    }

    #[test]
    fn a_ticker_has_its_time_of_receipt() {
        let text = r#"{"stream":"bnbusdt@bookTicker","data":{"u":400900217,"s":"BNBUSDT","b":"25.35190000","B":"31.21000000","a":"25.36520000","A":"40.66000000"}}"#;
        let ticker = read_ticker(text);
        assert_eq!((ticker.product.as_str(), ticker.time), ("BNBUSDT", Ok(NOW)));
        assert_eq!(ticker.observation().unwrap().price.to_string(), "25.35855");
    }

    #[test]
    fn a_shutdown_notice_is_reported_with_and_without_a_stream() {
        for text in [
            r#"{"e":"serverShutdown","E":1770123456789}"#,
            r#"{"stream":"ethusdt@bookTicker","data":{"e":"serverShutdown","E":1770123456789}}"#,
        ] {
            assert!(matches!(Binance.read(text, NOW), Err(SourceError::Disconnected(_))), "{text}");
        }
        let news = r#"{"stream":"x","data":{"e":"news","s":"ETHUSDT","b":"1","a":"1"}}"#;
        assert!(matches!(Binance.read(news, NOW), Ok(Event::Other)));
    }

    #[test]
    fn invalid_frames_violate_the_protocol() {
        for text in [
            "",
            "garbage",
            "[]",
            "{}",
            r#"{"stream":"ethusdt@bookTicker"}"#,
            r#"{"stream":"ethusdt@bookTicker","data":{"b":"1","a":"1"}}"#,
            r#"{"stream":"ethusdt@bookTicker","data":{"s":"ETHUSDT","b":"1","b":"2","a":"1"}}"#,
            r#"{"stream":"ethusdt@bookTicker","data":[]}"#,
        ] {
            assert!(matches!(Binance.read(text, NOW), Err(SourceError::Protocol { .. })), "{text}");
        }
        let error = Binance.read(&"x\u{7}".repeat(100_000), NOW).unwrap_err().to_string();
        assert!(error.len() < 300 && !error.contains('\u{7}'), "{error}");
    }

    #[test]
    fn a_product_is_requested_anew_by_its_position() {
        let requests = Binance.renewal(&[(1, "BTCUSDT")]);
        let requests: Vec<Value> = requests.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
        let request = |method| json!({"method": method, "params": ["btcusdt@bookTicker"], "id": 1});
        assert_eq!(requests, ["UNSUBSCRIBE", "SUBSCRIBE"].map(request));
        assert!(matches!(Binance.read(r#"{"result":null,"id":1}"#, NOW), Ok(Event::Other)));
        let refused = r#"{"error":{"code":2,"msg":"Invalid request"},"id":1}"#;
        let Ok(Event::Refusal(refusal)) = Binance.read(refused, NOW) else { panic!("accepted") };
        assert_eq!(
            refusal,
            Refusal { subject: RefusalSubject::Product(1), reason: r#"{"code":2,"msg":"Invalid request"}"#.to_owned() }
        );
        let several = r#"{"error":{"code":2,"msg":"Invalid request"},"id":"several"}"#;
        let Ok(Event::Refusal(several)) = Binance.read(several, NOW) else { panic!("accepted") };
        assert_eq!(several.subject, RefusalSubject::Several);
        assert!(matches!(Binance.read(r#"{"result":null,"id":"several"}"#, NOW), Ok(Event::Other)));
        let both = Binance.renewal(&[(0, "ETHUSDT"), (1, "BTCUSDT")]);
        assert!(
            both.len() == 2 && both.iter().all(|text| text.contains(r#"["ethusdt@bookTicker","btcusdt@bookTicker"]"#))
        );
        let products = ["ETHUSDT", "BTCUSDT"].map(str::to_owned);
        assert_eq!((refusal.product(&products), refusal.product(&products[..1])), (Some(1), None));
    }

    #[test]
    fn a_one_sided_book_has_no_price() {
        for text in [
            r#"{"stream":"ethusdt@bookTicker","data":{"s":"ETHUSDT","b":"1"}}"#,
            r#"{"stream":"ethusdt@bookTicker","data":{"s":"ETHUSDT","a":"1"}}"#,
        ] {
            assert!(read_ticker(text).observation().is_err(), "{text}");
        }
    }
}
