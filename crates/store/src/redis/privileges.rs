//! Whether Redis lets this user run all that a signature needs. A script that is refused halfway leaves what it wrote
//! before, so that nothing is signed until all of it was proved.

use std::sync::atomic::{AtomicBool, Ordering};

use redis::{ErrorKind, RedisError};

use super::{
    connection::{Connection, ThreadConnections},
    keys::KeyPrefix,
    scripts::{self, Script},
};
use crate::StoreError;

/// The proof that scripts are not refused halfway.
pub(super) struct Privileges {
    probe: Script,
    is_proved: AtomicBool,
}

impl Privileges {
    /// Nothing is proved yet.
    pub(super) fn new() -> Self {
        Self { probe: scripts::probe(), is_proved: AtomicBool::new(false) }
    }

    /// Notes that a script failed: privileges may have been revoked. Versions of Redis word that differently.
    pub(super) fn note_error(&self, error: &RedisError) {
        if matches!(error.kind(), ErrorKind::Server(_) | ErrorKind::Extension) {
            self.forget();
        }
    }

    /// Has them proved again before the next write.
    pub(super) fn forget(&self) {
        self.is_proved.store(false, Ordering::Relaxed);
    }

    /// Checks, before the first write, that no script of a signature would be refused halfway; costs nothing once that
    /// is proved.
    ///
    /// # Errors
    /// [`StoreError::Denied`] that names the refused commands.
    pub(super) async fn require(&self, connections: &ThreadConnections, prefix: &KeyPrefix) -> Result<(), StoreError> {
        match self.is_proved.load(Ordering::Relaxed) {
            true => Ok(()),
            false => self.prove(connections, prefix).await,
        }
    }

    /// Runs every command that scripts run, on a key of its own.
    ///
    /// # Errors
    /// [`StoreError::Denied`] that names the refused commands.
    pub(super) async fn prove(&self, connections: &ThreadConnections, prefix: &KeyPrefix) -> Result<(), StoreError> {
        let (key, channel) = (prefix.probe(), prefix.book_channel());
        let call = async |mut connection: Connection| {
            connection.call::<Vec<String>>(&self.probe, &[&key], &[channel.as_bytes()]).await
        };
        let refused = connections.query(call).await?;
        self.is_proved.store(refused.is_empty(), Ordering::Relaxed);
        match refused.is_empty() {
            true => Ok(()),
            false => Err(StoreError::Denied { commands: refused.join(", ") }),
        }
    }
}
