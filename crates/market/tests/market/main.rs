//! Price sources and chain nodes against local servers, and the rules that combine their prices.
#![expect(clippy::expect_used, clippy::panic, reason = "a test may panic anywhere")]

mod chain;
mod exchange;
mod push;
mod pyth;
mod rules;
mod server;
mod source_run;
mod tls;
mod writer;
