//! The protocol of OKX, WebSocket API version 5: the channel `tickers`.

use firmquote_domain::{InvalidValue, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    ticker::Ticker,
    venue::{Event, Refusal, RefusalSubject, Venue, renew_each, subscribe_each},
};
use crate::{SourceError, sources::excerpt};

/// OKX: the channel `tickers`, which sends a message at most every 100 ms when best bid or ask change or at a trade, with
/// its time.
pub(super) struct Okx;

impl Venue for Okx {
    fn name(&self) -> &'static str {
        "okx"
    }

    fn public_url(&self) -> &'static str {
        "wss://ws.okx.com:8443"
    }

    fn separator(&self) -> Option<char> {
        Some('-')
    }

    fn address(&self, base: &str, _: &[String]) -> String {
        format!("{base}/ws/v5/public")
    }

    /// The exchange closes a connection that is silent for 30 seconds, unless it is sent this text.
    fn text_ping(&self) -> Option<&'static str> {
        Some("ping")
    }

    /// Returns one request for each product, whose identifier is its position.
    fn subscriptions(&self, products: &[String]) -> Vec<String> {
        subscribe_each(products, request)
    }

    fn renewal(&self, products: &[(usize, &str)]) -> Vec<String> {
        renew_each(products, request)
    }

    /// The exchange may add events at any time.
    fn read(&self, text: &str, _: Timestamp) -> Result<Event, SourceError> {
        if text == "pong" {
            return Ok(Event::Other);
        }
        let message: WireMessage =
            serde_json::from_str(text).map_err(|error| SourceError::protocol(&format!("{error}: {text}")))?;
        let reason = || {
            let [code, message] = [&message.code, &message.msg].map(|text| text.as_str().unwrap_or_default());
            excerpt(&format!("{code}: {message}"))
        };
        match (message.event.as_deref(), message.data) {
            (None, Some(tickers)) if tickers.iter().all(|ticker| ticker.instrument_type == SPOT) => {
                Ok(Event::Tickers(tickers.into_iter().map(Ticker::from).collect()))
            }
            (None, Some(_)) => Err(SourceError::protocol(&format!("a ticker of another instType than {SPOT}: {text}"))),
            (None, None) => Err(SourceError::protocol(&format!("missing field `event`: {text}"))),
            (Some("error"), _) if message.id == UNSUBSCRIBE => Ok(Event::Other),
            (Some("error"), _) => {
                let position = message.id.as_str().and_then(|id| id.parse().ok());
                Ok(Event::Refusal(Refusal { subject: RefusalSubject::from_position(position), reason: reason() }))
            }
            (Some("notice"), _) => Err(SourceError::disconnected(reason())),
            _ => Ok(Event::Other),
        }
    }
}

/// The instruments that are priced: the channel has those of derivatives as well.
const SPOT: &str = "SPOT";

/// Also the identifier of such a request: that it failed says nothing, as the product is subscribed to next.
const UNSUBSCRIBE: &str = "unsubscribe";

/// Returns a request for the tickers of `product`, which is at `position`.
fn request(operation: &str, position: usize, product: &str) -> String {
    let id = if operation == UNSUBSCRIBE { UNSUBSCRIBE.to_owned() } else { position.to_string() };
    json!({"id": id, "op": operation, "args": [{"channel": "tickers", "instId": product}]}).to_string()
}

/// Tickers, or an event.
#[derive(Deserialize)]
struct WireMessage {
    event: Option<String>,
    data: Option<Vec<WireTicker>>,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    code: Value,
    #[serde(default)]
    msg: Value,
}

/// The payload of `tickers`.
#[derive(Deserialize)]
struct WireTicker {
    #[serde(rename = "instType", default)]
    instrument_type: Value,
    #[serde(rename = "instId")]
    product: String,
    #[serde(rename = "bidPx", default)]
    best_bid: Value,
    #[serde(rename = "askPx", default)]
    best_ask: Value,
    #[serde(default)]
    ts: Value,
}

impl From<WireTicker> for Ticker {
    fn from(ticker: WireTicker) -> Self {
        let WireTicker { product, best_bid: bid, best_ask: ask, ts, .. } = ticker;
        Self { product, bid, ask, time: parse_time(&ts) }
    }
}

/// Parses a Unix time in milliseconds, in a text.
fn parse_time(time: &Value) -> Result<Timestamp, InvalidValue> {
    const SHAPE: InvalidValue = InvalidValue::Malformed { expected: "a time in milliseconds, such as 1597026383085" };
    let millis: u64 = time.as_str().and_then(|time| time.parse().ok()).ok_or(SHAPE)?;
    millis.checked_mul(1_000).map(Timestamp::from_micros).ok_or(SHAPE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    const TICKER: &str = r#"{"arg":{"channel":"tickers","instId":"ETH-USDT"},"data":[{"instType":"SPOT","instId":"ETH-USDT","last":"2080.52","lastSz":"0.1","askPx":"2080.53","askSz":"11","bidPx":"2080.52","bidSz":"5","open24h":"2000","high24h":"2100","low24h":"1990","sodUtc0":"0.1","sodUtc8":"0.1","volCcy24h":"2222","vol24h":"2222","ts":"1597026383085"}]}"#;

    fn read_ticker(text: &str) -> Ticker {
        match Okx.read(text, NOW) {
            Ok(Event::Tickers(mut tickers)) if tickers.len() == 1 => tickers.remove(0),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_ticker_has_its_own_time() {
        let observation = read_ticker(TICKER).observation().unwrap();
        assert_eq!((observation.price.to_string().as_str(), observation.confidence_steps), ("2080.525", 500_000));
        assert_eq!(observation.observed_at, Timestamp::from_micros(1_597_026_383_085_000));
        for time in ["", "soon", "-1", "1.5", "99999999999999999999", "18446744073709551615"] {
            assert!(read_ticker(&TICKER.replace("1597026383085", time)).observation().is_err(), "{time}");
        }
        let empty = TICKER.replace(r#""bidPx":"2080.52""#, r#""bidPx":"""#);
        assert!(read_ticker(&empty).observation().is_err(), "nobody buys");
    }

    #[test]
    fn refusals_name_their_product() {
        let text = r#"{"id":"1","event":"error","code":"60018","msg":"Wrong URL or channel:tickers,instId:NOPE-USDT doesn't exist. Please use the correct URL, channel and parameters referring to API document.","connId":"a4d3ae55"}"#;
        let products = ["ETH-USDT", "NOPE-USDT"].map(str::to_owned);
        for text in [text.to_owned(), text.replace(r#""id":"1","#, "")] {
            let Ok(Event::Refusal(refusal)) = Okx.read(&text, NOW) else { panic!("accepted") };
            assert!(refusal.reason.starts_with("60018: Wrong URL or channel"), "{}", refusal.reason);
            assert_eq!(refusal.product(&products), Some(1));
        }
    }

    #[test]
    fn a_notice_ends_the_connection() {
        let notice = r#"{"event":"notice","code":"64008","msg":"The connection will soon be closed for a service upgrade. Please reconnect.","connId":"a4d3ae55"}"#;
        assert!(matches!(Okx.read(notice, NOW), Err(SourceError::Disconnected(_))));
        let subscribed =
            r#"{"id":"0","event":"subscribe","arg":{"channel":"tickers","instId":"ETH-USDT"},"connId":"a4d3ae55"}"#;
        for other in ["pong", subscribed] {
            assert!(matches!(Okx.read(other, NOW), Ok(Event::Other)), "{other}");
        }
    }

    #[test]
    fn invalid_messages_violate_the_protocol() {
        let swap = TICKER.replace("SPOT", "SWAP");
        for text in
            [&*swap, "", "garbage", "[]", "{}", r#"{"data":{}}"#, r#"{"data":[{"bidPx":"1"}]}"#, r#"{"event":1}"#]
        {
            assert!(matches!(Okx.read(text, NOW), Err(SourceError::Protocol { .. })), "{text}");
        }
    }

    #[test]
    fn a_product_is_requested_by_its_position() {
        let parse = |text: String| serde_json::from_str::<Value>(&text).unwrap();
        let request =
            |id, operation| json!({"id": id, "op": operation, "args": [{"channel": "tickers", "instId": "BTC-USDT"}]});
        let products = ["ETH-USDT", "BTC-USDT"].map(str::to_owned);
        assert_eq!(Okx.subscriptions(&products).into_iter().map(parse).nth(1), Some(request("1", "subscribe")));
        let renewal: Vec<_> = Okx.renewal(&[(1, "BTC-USDT")]).into_iter().map(parse).collect();
        assert_eq!(renewal, [request("unsubscribe", "unsubscribe"), request("1", "subscribe")]);
        let failed = r#"{"id":"unsubscribe","event":"error","code":"60018","msg":"BTC-USDT doesn't exist"}"#;
        assert!(matches!(Okx.read(failed, NOW), Ok(Event::Other)));
    }
}
