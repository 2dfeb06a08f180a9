//! Valid and invalid configurations of an exchange source.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use firmquote_domain::{ManualClock, Timestamp};
use firmquote_market::{
    PriceSource as _,
    exchange::{Exchange, ExchangeConfig, ExchangeSource},
};

use crate::{
    exchange::setup::{config, source},
    server::symbol,
};

fn error_of(config: ExchangeConfig) -> String {
    let clock = Arc::new(ManualClock::at(Timestamp::from_micros(0)));
    ExchangeSource::new(config, clock).err().expect("refused").to_string()
}

fn valid_config() -> ExchangeConfig {
    config(Exchange::Binance, SocketAddr::from(([127, 0, 0, 1], 1)))
}

#[test]
fn invalid_ticker_settings_are_rejected() {
    assert_eq!(error_of(ExchangeConfig { products: vec![], ..valid_config() }), "no products");
    for (exchange, product) in [
        (Exchange::Binance, ""),
        (Exchange::Binance, "ETH-USD"),
        (Exchange::Binance, "ethusdt@trade/btcusdt"),
        (Exchange::Coinbase, "ETH USD"),
        (Exchange::Coinbase, "ETH\"USD"),
        (Exchange::Kraken, "ETH-USD"),
        (Exchange::Okx, "ETH/USDT"),
        (Exchange::Okx, "ETH-USDT-SWAP"),
        (Exchange::Coinbase, "ETH-"),
    ] {
        let config = ExchangeConfig { exchange, products: vec![(product.to_owned(), symbol("ETH"))], ..valid_config() };
        let error = error_of(config);
        assert!(error.starts_with(&format!("{product:?} is not a product of {exchange}, allowed: ")), "{error}");
    }
    let products = ["ETHUSDT", "ETHUSDC"].map(|product| (product.to_owned(), symbol("ETH"))).to_vec();
    assert_eq!(error_of(ExchangeConfig { products, ..valid_config() }), "two products for ETH");
    for time in [Duration::ZERO, Duration::MAX] {
        for config in [
            ExchangeConfig { connect_timeout: time, ..valid_config() },
            ExchangeConfig { idle_timeout: time, ..valid_config() },
            ExchangeConfig { lifetime: time, ..valid_config() },
        ] {
            assert_eq!(error_of(config), "each time must be above zero and at most 30 days");
        }
    }
}

#[test]
fn invalid_exchange_urls_are_rejected() {
    for url in [
        "",
        "stream.binance.com",
        "https://stream.binance.com",
        "wss://",
        "wss://me:secret@stream.binance.com",
        "wss://stream.binance.com:99999",
        "wss://stream.binance.com:",
        "wss://stream.binance.com:0",
        "wss://stream.binance.com/ws",
        "wss://stream.binance.com?streams=x",
    ] {
        let error = error_of(ExchangeConfig { url: url.to_owned(), ..valid_config() });
        assert!(error.starts_with("the address of binance") && !error.contains("secret"), "{url}: {error}");
    }
}

#[test]
fn the_public_urls_are_valid() {
    for (exchange, product, name) in [
        (Exchange::Binance, "ETHUSDC", "binance stream.binance.com"),
        (Exchange::Coinbase, "ETH-USD", "coinbase ws-feed.exchange.coinbase.com"),
        (Exchange::Kraken, "ETH/USD", "kraken ws.kraken.com"),
        (Exchange::Okx, "ETH-USDC", "okx ws.okx.com"),
    ] {
        let url = exchange.public_url().to_owned();
        let config =
            ExchangeConfig { exchange, url, products: vec![(product.to_owned(), symbol("ETH"))], ..valid_config() };
        assert_eq!(source(config).name(), name);
    }
}
