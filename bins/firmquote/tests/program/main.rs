//! The real program, from the outside: its commands, its configuration, its signals.
#![expect(clippy::unwrap_used, reason = "a test may panic outside its test functions too")]

mod asking;
mod check;
mod client;
mod collector;
mod completions;
mod credentials;
mod demo;
mod deployment;
mod documented;
mod faults;
mod keystore;
mod ledger;
mod limits;
mod metrics;
mod mistakes;
mod otlp;
mod overrides;
mod prices;
mod private_memory;
mod program;
mod pushed;
mod quoting;
mod readiness;
mod reload;
mod remote_signer;
mod secrets;
mod static_prices;
mod stop;
mod store;
mod tls;
mod usage;
mod verified_files;
mod verifying;
mod volatility;
