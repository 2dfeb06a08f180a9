//! Reserves and feeds, read over nodes that play their part well and that fail in every way.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic anywhere")]

mod announcements;
mod connections;
mod events;
mod failover;
mod fake;
mod feeds;
mod heads;
mod hearing;
mod interfaces;
mod logs;
mod reserves;
mod secrets;
mod secure;
mod setup;
mod verify;
mod web_sockets;
