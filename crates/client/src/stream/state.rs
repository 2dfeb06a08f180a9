//! The connection of a stream, which is opened again whenever it has ended.

use std::pin::Pin;

use tokio::time::{Instant, sleep_until, timeout_at};

use super::Connection;
use crate::Error;

/// A connection that is being opened.
pub(crate) type OpeningConnection = Pin<Box<dyn Future<Output = Result<Connection, Error>> + Send>>;

/// The state of the connection of a stream.
pub(crate) enum ConnectionState {
    /// Closed until this time, or about to be opened if `None`.
    Closed(Option<Instant>),
    Opening(OpeningConnection),
    Open(Box<Connection>),
}

impl ConnectionState {
    /// Waits until the connection is open, after `open` if it was closed; returns whether it is a new one. Nothing is lost if
    /// the future is dropped.
    ///
    /// # Errors
    /// That of the connection which could not be opened.
    pub(crate) async fn ready(&mut self, open: impl FnOnce() -> OpeningConnection) -> Result<bool, Error> {
        if let Self::Closed(at) = self {
            if let Some(at) = *at {
                sleep_until(at).await;
            }
            *self = Self::Opening(open());
        }
        let Self::Opening(opening) = self else { return Ok(false) };
        match opening.await {
            Ok(connection) => {
                *self = Self::Open(Box::new(connection));
                Ok(true)
            }
            Err(error) => {
                *self = Self::Closed(None);
                Err(error)
            }
        }
    }

    /// Waits for the next message of the open connection, and returns both; `None` without one, and at `wake_at`.
    ///
    /// # Errors
    /// When the connection ends, or nothing arrived for three heartbeats.
    pub(crate) async fn next(&mut self, wake_at: Option<Instant>) -> Result<Option<(String, &Connection)>, Error> {
        let Self::Open(connection) = self else { return Ok(None) };
        let silence_deadline = connection.silence_deadline();
        let deadline = wake_at.map_or(silence_deadline, |wake_at| wake_at.min(silence_deadline));
        match timeout_at(deadline, connection.next()).await {
            Ok(received) => received.map(|message| Some((message, &**connection))),
            Err(_) if Instant::now() < silence_deadline => Ok(None),
            Err(_) => Err(connection.interrupted("nothing arrived for three heartbeats")),
        }
    }

    /// Returns the connection, if it is open.
    pub(crate) fn connection(&self) -> Option<&Connection> {
        match self {
            Self::Open(connection) => Some(connection),
            Self::Closed(_) | Self::Opening(_) => None,
        }
    }
}
