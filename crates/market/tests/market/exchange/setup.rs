//! Sources of fake exchanges, and recorded messages.

use std::{net::SocketAddr, sync::Arc};

use firmquote_domain::{ManualClock, Timestamp};
use firmquote_market::exchange::{Exchange, ExchangeConfig, ExchangeSource};
use serde_json::json;

use crate::{server::symbol, source_run::TEST_TIMEOUT};

/// The time of the tests' clock, in microseconds.
pub(crate) const NOW: u64 = 1_800_000_000_123_456;

/// The time of the recorded ticker of Coinbase, in microseconds.
pub(crate) const RECORDED_AT: u64 = 1_773_248_042_163_093;

/// Configures ETH, also under a second name, and BTC, of the exchange at `address`; no timeout is reached.
pub(crate) fn config(exchange: Exchange, address: SocketAddr) -> ExchangeConfig {
    let products = match exchange {
        Exchange::Binance => [("ETHUSDT", "ETH"), ("BTCUSDT", "BTC"), ("ETHUSDT", "WETH")],
        Exchange::Coinbase => [("ETH-USD", "ETH"), ("BTC-USD", "BTC"), ("ETH-USD", "WETH")],
        Exchange::Kraken => [("ETH/USD", "ETH"), ("BTC/USD", "BTC"), ("ETH/USD", "WETH")],
        Exchange::Okx => [("ETH-USDT", "ETH"), ("BTC-USDT", "BTC"), ("ETH-USDT", "WETH")],
    };
    ExchangeConfig {
        exchange,
        url: format!("ws://{address}"),
        authorities: None,
        products: products.map(|(product, name)| (product.to_owned(), symbol(name))).to_vec(),
        connect_timeout: TEST_TIMEOUT,
        idle_timeout: TEST_TIMEOUT,
        lifetime: TEST_TIMEOUT,
    }
}

pub(crate) fn source(config: ExchangeConfig) -> Arc<ExchangeSource> {
    source_at(config, Arc::new(ManualClock::at(Timestamp::from_micros(NOW))))
}

pub(crate) fn source_at(config: ExchangeConfig, clock: Arc<ManualClock>) -> Arc<ExchangeSource> {
    Arc::new(ExchangeSource::new(config, clock).expect("a usable configuration"))
}

/// Returns a frame of Binance in its recorded form.
pub(crate) fn book_ticker(symbol: &str, bid: &str, ask: &str) -> String {
    let stream = format!("{}@bookTicker", symbol.to_lowercase());
    let data = json!({"u": 400_900_217, "s": symbol, "b": bid, "B": "31.21000000", "a": ask, "A": "40.66000000"});
    json!({"stream": stream, "data": data}).to_string()
}

/// Returns a ticker of Coinbase in its recorded form.
pub(crate) fn ticker(product: &str, bid: &str, ask: &str) -> String {
    json!({
        "type": "ticker", "sequence": 123_894_075_370_u64, "product_id": product, "price": "70691.27",
        "open_24h": "71290.91", "volume_24h": "10302.66386023", "low_24h": "68980.74", "high_24h": "71485",
        "volume_30d": "314531.69968052", "best_bid": bid, "best_bid_size": "0.05851373", "best_ask": ask,
        "best_ask_size": "0.01890000", "side": "sell", "time": "2026-03-11T16:54:02.163093Z", "trade_id": 978_694_534,
        "last_size": "0.001705",
    })
    .to_string()
}

/// Returns a ticker of Kraken in its recorded form.
pub(crate) fn kraken_ticker(symbol: &str, bid: &str, ask: &str) -> String {
    format!(
        r#"{{"channel":"ticker","type":"update","data":[{{"symbol":"{symbol}","bid":{bid},"bid_qty":0.05851373,"ask":{ask},"ask_qty":0.01890000,"last":{bid},"volume":2702.50461281,"vwap":{bid},"low":{bid},"high":{ask},"change":0.00005,"change_pct":0.01,"timestamp":"2026-03-11T16:54:02.163093Z"}}]}}"#
    )
}

/// Returns a ticker of OKX in its recorded form, at the same time to the millisecond.
pub(crate) fn okx_ticker(product: &str, bid: &str, ask: &str) -> String {
    json!({
        "arg": {"channel": "tickers", "instId": product},
        "data": [{
            "instType": "SPOT", "instId": product, "last": bid, "lastSz": "0.1", "askPx": ask, "askSz": "11",
            "bidPx": bid, "bidSz": "5", "open24h": bid, "high24h": ask, "low24h": bid, "sodUtc0": bid, "sodUtc8": bid,
            "volCcy24h": "2222", "vol24h": "2222", "ts": "1773248042163",
        }],
    })
    .to_string()
}
