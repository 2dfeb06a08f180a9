//! Tickers from a fake exchange that the tests start, break and start again.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod binance;
mod coinbase;
mod configuration;
mod disconnects;
pub(crate) mod fake_exchange;
mod kraken;
mod okx;
pub(crate) mod setup;
