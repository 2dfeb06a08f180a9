//! Tickers from exchanges that the tests start, break and start again.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod binance;
mod coinbase;
mod configuration;
mod endings;
mod secure;
mod setup;
mod venue;
