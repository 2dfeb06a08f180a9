//! Reserves and feeds, read from nodes that work and from nodes that fail in every way.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic anywhere")]

mod announcements;
mod captured_logs;
mod connections;
mod events;
mod failover;
pub(crate) mod fake;
mod feeds;
mod heads;
mod invalid_events;
mod reserves;
pub(crate) mod running_source;
mod secrets;
pub(crate) mod setup;
mod verify;
mod web_sockets;
