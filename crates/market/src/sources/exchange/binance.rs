//! The protocol of Binance Spot: combined streams of `<symbol>@bookTicker`.

use firmquote_domain::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::{ticker::Ticker, venue::Venue};
use crate::SourceError;

/// Binance Spot: the streams `<symbol>@bookTicker`, which carry no time.
pub(super) struct Binance;

impl Venue for Binance {
    fn name(&self) -> &'static str {
        "binance"
    }

    fn public_url(&self) -> &'static str {
        "wss://stream.binance.com:9443"
    }

    fn is_separator(&self, _: u8) -> bool {
        false
    }

    fn address(&self, base: &str, products: &[&str]) -> String {
        let streams: Vec<_> = products.iter().map(|product| format!("{}@bookTicker", product.to_lowercase())).collect();
        format!("{}/stream?streams={}", base.trim_end_matches('/'), streams.join("/"))
    }

    fn subscription(&self, _: &[&str]) -> Option<String> {
        None
    }

    fn read(&self, text: &str, time: Timestamp) -> Result<Option<Ticker>, SourceError> {
        let error = match serde_json::from_str::<WireFrame>(text) {
            Ok(WireFrame { data: WireData { event: Some(event), .. } }) => return read_event(&event),
            Ok(WireFrame { data: WireData { symbol: Some(product), best_bid: bid, best_ask: ask, .. } }) => {
                return Ok(Some(Ticker { product, bid, ask, time: Ok(time) }));
            }
            Ok(_) => "neither a symbol nor an event".to_owned(),
            Err(error) => error.to_string(),
        };
        // Events of the connection have no stream name.
        match serde_json::from_str(text) {
            Ok(WireData { event: Some(event), .. }) => read_event(&event),
            _ => Err(SourceError::protocol(&format!("{error}: {text}"))),
        }
    }
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

/// Handles an event other than a ticker.
fn read_event(event: &str) -> Result<Option<Ticker>, SourceError> {
    match event {
        "serverShutdown" => Err(SourceError::disconnected("the server is about to shut down")),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    #[test]
    fn stream_names_are_lower_case() {
        assert_eq!(
            Binance.address("wss://stream.binance.com:9443/", &["ETHUSDT", "btcusdt"]),
            "wss://stream.binance.com:9443/stream?streams=ethusdt@bookTicker/btcusdt@bookTicker"
        );
    }

    #[test]
    fn a_ticker_has_its_time_of_receipt() {
        let text = r#"{"stream":"bnbusdt@bookTicker","data":{"u":400900217,"s":"BNBUSDT","b":"25.35190000","B":"31.21000000","a":"25.36520000","A":"40.66000000"}}"#;
        let ticker = Binance.read(text, NOW).unwrap().unwrap();
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
        assert!(
            Binance.read(r#"{"stream":"x","data":{"e":"news","s":"ETHUSDT","b":"1","a":"1"}}"#, NOW).unwrap().is_none()
        );
    }

    #[test]
    fn invalid_frames_violate_the_protocol() {
        for text in [
            "",
            "garbage",
            "[]",
            "{}",
            r#"{"result":null,"id":1}"#,
            r#"{"error":{"code":2,"msg":"Invalid request"},"id":1}"#,
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
    fn a_one_sided_book_has_no_price() {
        for text in [
            r#"{"stream":"ethusdt@bookTicker","data":{"s":"ETHUSDT","b":"1"}}"#,
            r#"{"stream":"ethusdt@bookTicker","data":{"s":"ETHUSDT","a":"1"}}"#,
        ] {
            assert!(Binance.read(text, NOW).unwrap().unwrap().observation().is_err(), "{text}");
        }
    }
}
