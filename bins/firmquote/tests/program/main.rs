//! The real program, from the outside: its commands, its configuration, its signals.
#![expect(clippy::unwrap_used, reason = "a test may panic outside its test functions too")]

mod check;
mod credentials;
mod demo;
mod faults;
mod ledger;
mod limits;
mod metrics;
mod mistakes;
mod overrides;
mod prices;
mod program;
mod pushed;
mod reload;
mod secrets;
mod static_prices;
mod stop;
mod store;
mod tls;
mod usage;
mod volatility;
