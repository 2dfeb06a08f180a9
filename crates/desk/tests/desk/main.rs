//! The desk over the pool of a live deployment.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client_terms;
mod curve;
mod firm;
mod grid;
mod griefing;
mod guarantee;
mod honest_clients;
mod idempotency;
mod levels;
mod outages;
mod outstanding;
mod pauses;
mod policy;
mod pool;
mod quoting;
mod reorganizations;
mod restarts;
mod settlement;
mod signing;
mod signing_service;
mod status;
mod strategies;
mod trust;
mod volatility;
mod watching;
