//! Tickers from exchanges that the tests start, break and start again.
#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod binance;
mod coinbase;
mod configuration;
mod endings;
#[path = "../pyth/listener.rs"]
mod listener;
mod secure;
mod setup;
#[path = "../pyth/tls.rs"]
mod tls;
mod venue;
