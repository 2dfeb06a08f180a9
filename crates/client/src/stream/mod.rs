//! Streams of Server-Sent Events: one connection, and the delays between connections.

mod connection;
mod reconnect;
mod state;

pub(crate) use self::{
    connection::Connection,
    reconnect::Backoff,
    state::{ConnectionState, OpeningConnection},
};
