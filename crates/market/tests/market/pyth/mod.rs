//! Prices of Pyth from a server that the tests start, break and start again.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod configuration;
mod endings;
mod hermes;
mod prices;
mod refusals;
mod secure;
mod setup;
