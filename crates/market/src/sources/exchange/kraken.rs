//! The protocol of Kraken, WebSocket API version 2: the channel `ticker`.

use firmquote_domain::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use super::{
    ticker::{Ticker, rfc3339},
    venue::{Event, Refusal, RefusalSubject, Venue, renew_each, subscribe_each},
};
use crate::{SourceError, sources::excerpt};

/// Kraken: the channel `ticker`, which sends a message whenever best bid or ask change, with its time.
pub(super) struct Kraken;

impl Venue for Kraken {
    fn name(&self) -> &'static str {
        "kraken"
    }

    fn public_url(&self) -> &'static str {
        "wss://ws.kraken.com"
    }

    fn separator(&self) -> Option<char> {
        Some('/')
    }

    fn address(&self, base: &str, _: &[String]) -> String {
        format!("{base}/v2")
    }

    /// Returns one request for each product, whose identifier is its position.
    fn subscriptions(&self, products: &[String]) -> Vec<String> {
        subscribe_each(products, request)
    }

    fn renewal(&self, products: &[(usize, &str)]) -> Vec<String> {
        renew_each(products, request)
    }

    /// The exchange may add channels at any time. That a product could not be unsubscribed from says nothing: it is
    /// subscribed to next.
    fn read(&self, text: &str, time: Timestamp) -> Result<Event, SourceError> {
        let message: WireMessage =
            serde_json::from_str(text).map_err(|error| SourceError::protocol(&format!("{error}: {text}")))?;
        match message {
            WireMessage { channel: Some(channel), data: Some(data), .. } if channel == "ticker" => {
                let tickers: Vec<WireTicker> = serde_json::from_str(data.get())
                    .map_err(|error| SourceError::protocol(&format!("{error}: {text}")))?;
                Ok(Event::Tickers(tickers.into_iter().map(|ticker| ticker.at(time)).collect()))
            }
            WireMessage { method: Some(method), success: Some(false), error, req_id, .. }
                if method != "unsubscribe" =>
            {
                let subject = RefusalSubject::from_position(req_id.as_u64());
                Ok(Event::Refusal(Refusal { subject, reason: excerpt(error.as_str().unwrap_or_default()) }))
            }
            WireMessage { channel: None, method: None, .. } => {
                Err(SourceError::protocol(&format!("missing field `channel`: {text}")))
            }
            _ => Ok(Event::Other),
        }
    }
}

/// Returns a request for the tickers of `product`, which is at `position`.
fn request(method: &str, position: usize, product: &str) -> String {
    let params = json!({"channel": "ticker", "symbol": [product], "event_trigger": "bbo"});
    json!({"method": method, "params": params, "req_id": position}).to_string()
}

/// A message of a channel, or the response to a request.
#[derive(Deserialize)]
struct WireMessage<'a> {
    channel: Option<String>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    method: Option<String>,
    success: Option<bool>,
    #[serde(default)]
    error: Value,
    #[serde(default)]
    req_id: Value,
}

/// The payload of `ticker`. Prices are JSON numbers, whose digits are read from the text.
#[derive(Deserialize)]
struct WireTicker<'a> {
    symbol: String,
    #[serde(borrow)]
    bid: Option<&'a RawValue>,
    #[serde(borrow)]
    ask: Option<&'a RawValue>,
    timestamp: Option<Value>,
}

impl WireTicker<'_> {
    /// Returns the ticker with its own time, or `time` if it has none.
    fn at(self, time: Timestamp) -> Ticker {
        let digits = |number: Option<&RawValue>| number.map_or(Value::Null, |number| number.get().into());
        Ticker {
            product: self.symbol,
            bid: digits(self.bid),
            ask: digits(self.ask),
            time: self.timestamp.map_or(Ok(time), |time| rfc3339(&time)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    /// A ticker, as the exchange sends it.
    const TICKER: &str = r#"{"channel":"ticker","type":"snapshot","data":[{"symbol":"USDT/USD","bid":0.99980,"bid_qty":44620.68691883,"ask":0.99981,"ask_qty":1087605.70466858,"last":0.99981,"volume":270638277.50461281,"vwap":0.99983,"low":0.99959,"high":1.00000,"change":0.00005,"change_pct":0.01,"timestamp":"2026-10-07T07:26:38.154167Z"}]}"#;

    fn read_ticker(text: &str) -> Ticker {
        match Kraken.read(text, NOW) {
            Ok(Event::Tickers(mut tickers)) if tickers.len() == 1 => tickers.remove(0),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn prices_are_read_from_their_digits() {
        let observation = read_ticker(TICKER).observation().unwrap();
        assert_eq!((observation.price.to_string().as_str(), observation.confidence_steps), ("0.999805", 500));
        assert_eq!(observation.observed_at, Timestamp::from_micros(1_791_357_998_154_167));
        // As a binary float the second number is the first.
        let fine = TICKER.replace("0.99980,", "123456789.00000002,").replace("0.99981,", "123456789.00000004,");
        assert_eq!(read_ticker(&fine).observation().unwrap().price.to_string(), "123456789.00000003");
        for bad in ["\"0.99980\",", "9e-1,", "null,", "-1,", "{},"] {
            assert!(read_ticker(&TICKER.replace("0.99980,", bad)).observation().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_ticker_without_a_time_has_that_of_its_receipt() {
        let timeless = TICKER.replace(r#","timestamp":"2026-10-07T07:26:38.154167Z""#, "");
        assert_eq!(read_ticker(&timeless).time, Ok(NOW));
        for time in ["\"soon\"", "1791357998", "[]"] {
            assert!(read_ticker(&TICKER.replace("\"2026-10-07T07:26:38.154167Z\"", time)).time.is_err(), "{time}");
        }
    }

    #[test]
    fn refusals_name_the_position_of_their_product() {
        let text = r#"{"error":"Currency pair not supported NOPE/USD","method":"subscribe","req_id":1,"success":false,"symbol":"NOPE/USD","time_in":"2026-09-24T03:54:32.996743Z","time_out":"2026-09-24T03:54:32.996775Z"}"#;
        let Ok(Event::Refusal(refusal)) = Kraken.read(text, NOW) else { panic!("accepted") };
        let reason = "Currency pair not supported NOPE/USD".to_owned();
        assert_eq!(refusal, Refusal { subject: RefusalSubject::Product(1), reason });
        for other in [
            text.replace("\"subscribe\"", "\"unsubscribe\""),
            r#"{"method":"subscribe","req_id":1,"result":{"channel":"ticker","snapshot":true,"symbol":"ETH/USD"},"success":true}"#.to_owned(),
            r#"{"channel":"heartbeat"}"#.to_owned(),
            r#"{"channel":"status","type":"update","data":[{"system":"online","version":"2.0.0"}]}"#.to_owned(),
        ] {
            assert!(matches!(Kraken.read(&other, NOW), Ok(Event::Other)), "{other}");
        }
    }

    #[test]
    fn invalid_messages_violate_the_protocol() {
        for text in
            ["", "garbage", "[]", "{}", r#"{"channel":"ticker","data":{}}"#, r#"{"channel":"ticker","data":[1]}"#]
        {
            assert!(matches!(Kraken.read(text, NOW), Err(SourceError::Protocol { .. })), "{text}");
        }
    }

    #[test]
    fn a_product_is_requested_by_its_position() {
        let parse = |text: String| serde_json::from_str::<Value>(&text).unwrap();
        let request = |method| {
            json!({"method": method, "req_id": 1,
                "params": {"channel": "ticker", "symbol": ["BTC/USD"], "event_trigger": "bbo"}})
        };
        let products = ["ETH/USD", "BTC/USD"].map(str::to_owned);
        assert_eq!(Kraken.subscriptions(&products).into_iter().map(parse).nth(1), Some(request("subscribe")));
        let renewal: Vec<_> = Kraken.renewal(&[(1, "BTC/USD")]).into_iter().map(parse).collect();
        assert_eq!(renewal, ["unsubscribe", "subscribe"].map(request));
    }
}
