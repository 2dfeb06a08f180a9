//! Reserves and feeds, read over a real node and over nodes that fail in every way.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic anywhere")]

mod anvil;
mod contracts;
mod failover;
mod fake;
mod feeds;
mod heads;
mod hearing;
mod reserves;
mod secrets;
mod secure;
mod verify;
