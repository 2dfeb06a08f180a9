//! The protocol of Coinbase Exchange: the channel `ticker`.

use firmquote_domain::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    ticker::{Ticker, rfc3339},
    venue::{Event, Refusal, RefusalSubject, Venue, renew_each, subscribe_each},
};
use crate::{SourceError, sources::excerpt};

/// Coinbase Exchange: the channel `ticker`, which sends a message at every trade, with the time of the trade.
pub(super) struct Coinbase;

impl Venue for Coinbase {
    fn name(&self) -> &'static str {
        "coinbase"
    }

    fn public_url(&self) -> &'static str {
        "wss://ws-feed.exchange.coinbase.com"
    }

    fn separator(&self) -> Option<char> {
        Some('-')
    }

    fn address(&self, base: &str, _: &[String]) -> String {
        base.to_owned()
    }

    /// Returns one request for each product: a request with one unknown product is refused as a whole. The first has to
    /// be sent within five seconds.
    fn subscriptions(&self, products: &[String]) -> Vec<String> {
        subscribe_each(products, request)
    }

    fn renewal(&self, products: &[(usize, &str)]) -> Vec<String> {
        renew_each(products, request)
    }

    /// The exchange may add types of messages at any time.
    fn read(&self, text: &str, _: Timestamp) -> Result<Event, SourceError> {
        let message: WireMessage =
            serde_json::from_str(text).map_err(|error| SourceError::protocol(&format!("{error}: {text}")))?;
        match message.r#type.as_str() {
            "ticker" => {
                let product = message.product_id.as_str();
                let product = product.ok_or_else(|| SourceError::protocol("a ticker without a product"))?.to_owned();
                let WireMessage { best_bid: bid, best_ask: ask, time, .. } = message;
                Ok(Event::Tickers(vec![Ticker { product, bid, ask, time: rfc3339(&time) }]))
            }
            "error" => {
                let [message, reason] = [message.message, message.reason];
                let [message, reason] = [&message, &reason].map(|text| text.as_str().unwrap_or_default());
                Ok(Event::Refusal(Refusal {
                    subject: RefusalSubject::NamedInReason,
                    reason: excerpt(&format!("{message}: {reason}")),
                }))
            }
            _ => Ok(Event::Other),
        }
    }
}

/// Returns a request of this kind for the tickers of `product`.
fn request(kind: &str, _: usize, product: &str) -> String {
    json!({"type": kind, "product_ids": [product], "channels": ["ticker"]}).to_string()
}

/// A message of any type.
#[derive(Deserialize)]
struct WireMessage {
    r#type: String,
    #[serde(default)]
    product_id: Value,
    #[serde(default)]
    best_bid: Value,
    #[serde(default)]
    best_ask: Value,
    #[serde(default)]
    time: Value,
    #[serde(default)]
    message: Value,
    #[serde(default)]
    reason: Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Event, SourceError> {
        Coinbase.read(text, Timestamp::from_seconds(1_700_000_000))
    }

    fn read_ticker(text: &str) -> Ticker {
        match read(text) {
            Ok(Event::Tickers(mut tickers)) => tickers.remove(0),
            other => panic!("{other:?}"),
        }
    }

    const TICKER: &str = r#"{"type":"ticker","sequence":123894075370,"product_id":"BTC-USD","price":"70691.27","open_24h":"71290.91","volume_24h":"10302.66386023","low_24h":"68980.74","high_24h":"71485","volume_30d":"314531.69968052","best_bid":"70691.27","best_bid_size":"0.05851373","best_ask":"70691.28","best_ask_size":"0.01890000","side":"sell","time":"2026-03-11T16:54:02.163093Z","trade_id":978694534,"last_size":"0.001705"}"#;

    #[test]
    fn each_product_is_subscribed_to_on_its_own() {
        let request = |kind, product| json!({"type": kind, "product_ids": [product], "channels": ["ticker"]});
        let parse = |text: String| serde_json::from_str::<Value>(&text).unwrap();
        let products = ["ETH-USD", "BTC-USD"].map(str::to_owned);
        let subscriptions: Vec<_> = Coinbase.subscriptions(&products).into_iter().map(parse).collect();
        assert_eq!(subscriptions, products.each_ref().map(|product| request("subscribe", product)));
        let renewal: Vec<_> = Coinbase.renewal(&[(1, "BTC-USD")]).into_iter().map(parse).collect();
        assert_eq!(renewal, ["unsubscribe", "subscribe"].map(|kind| request(kind, &products[1])));
    }

    #[test]
    fn a_ticker_has_its_own_time() {
        let ticker = read_ticker(TICKER);
        assert_eq!(ticker.product, "BTC-USD");
        assert_eq!(ticker.time, Ok(Timestamp::from_micros(1_773_248_042_163_093)));
        assert_eq!(ticker.observation().unwrap().price.to_string(), "70691.275");
    }

    #[test]
    fn invalid_times_are_reported() {
        for time in
            ["\"yesterday\"", "\"\"", "null", "1773248042", "\"1969-12-31T23:59:59Z\"", "\"2026-13-01T00:00:00Z\""]
        {
            let ticker = read_ticker(&TICKER.replace("\"2026-03-11T16:54:02.163093Z\"", time));
            assert!(ticker.observation().is_err(), "{time}");
        }
        let later = read_ticker(&TICKER.replace("16:54:02.163093Z", "18:54:02.163093999+02:00"));
        assert_eq!(later.time, Ok(Timestamp::from_micros(1_773_248_042_163_093)));
    }

    #[test]
    fn other_message_types_have_no_price() {
        for text in [
            r#"{"type":"subscriptions","channels":[{"name":"ticker","product_ids":["BTC-USD"]}]}"#,
            r#"{"type":"heartbeat","sequence":90,"last_trade_id":20,"product_id":"BTC-USD","time":"2014-11-07T08:19:28.464459Z"}"#,
            r#"{"type":"status","products":[],"message":{},"best_bid":[]}"#,
        ] {
            assert!(matches!(read(text), Ok(Event::Other)), "{text}");
        }
    }

    #[test]
    fn a_refusal_names_the_product() {
        let text =
            r#"{"type":"error","message":"Failed to subscribe","reason":"GIBBERISH-USD is not a valid product"}"#;
        let Ok(Event::Refusal(refusal)) = read(text) else { panic!("accepted") };
        assert_eq!(refusal.reason, "Failed to subscribe: GIBBERISH-USD is not a valid product");
        assert_eq!(refusal.product(&["RISH-USD", "GIBBERISH-USD"].map(str::to_owned)), Some(1));
        assert_eq!(refusal.product(&["ETH-USD".to_owned()]), None);
    }

    #[test]
    fn invalid_messages_violate_the_protocol() {
        for text in ["", "garbage", "[]", "{}", r#"{"type":1}"#, r#"{"type":"ticker","best_bid":"1","best_ask":"1"}"#] {
            assert!(matches!(read(text), Err(SourceError::Protocol { .. })), "{text}");
        }
        let twice = TICKER.replace("\"side\":\"sell\"", "\"best_bid\":\"1\"");
        assert!(matches!(read(&twice), Err(SourceError::Protocol { .. })));
    }
}
