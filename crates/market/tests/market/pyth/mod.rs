//! Prices of Pyth from a fake Hermes that the tests start, break and start again.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod configuration;
mod disconnects;
pub(crate) mod hermes;
mod prices;
mod refusals;
