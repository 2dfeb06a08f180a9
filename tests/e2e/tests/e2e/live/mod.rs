//! The real server with prices and reserves from a real node.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic anywhere")]

mod aging;
mod breakers;
mod events;
mod feeds;
mod hedger;
mod last_look;
mod levels;
mod quote_events;
mod reconciliation;
mod reload;
mod reserves;
mod settlement;
pub(crate) mod setup;
mod verification;
