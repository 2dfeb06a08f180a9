//! How often connections were lost, so that all links of a store follow the same servers.
//!
//! Each link finds its server by itself. When a master is cut off from its replicas and from the Sentinels but not from the
//! service, a link that connects anew is sent to the new master, while the connections of the others still take writes that
//! will be gone. So a link that lost its connection has all others connect anew.

use std::sync::Arc;

use tokio::sync::watch;

/// Counts losses; a clone counts with it.
#[derive(Clone)]
pub(super) struct Losses(Arc<watch::Sender<u64>>);

impl Losses {
    pub(super) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }

    /// How many there were. To be asked before connecting: what is lost meanwhile counts against the new connection.
    pub(super) fn present(&self) -> u64 {
        *self.0.borrow()
    }

    /// One more: of a connection that was made when there had been `seen`. Those that were made as early and are lost
    /// as well, count as the same one.
    pub(super) fn note(&self, seen: u64) {
        self.0.send_if_modified(|present| {
            let is_first = *present == seen;
            *present += u64::from(is_first);
            is_first
        });
    }

    /// Returns when there have been others than `seen`.
    pub(super) async fn after(&self, seen: u64) {
        // The sender is here, so there is no error.
        drop(self.0.subscribe().wait_for(|present| *present != seen).await);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn connections_that_are_lost_together_are_one_loss() {
        let losses = Losses::new();
        let seen = losses.present();
        losses.note(seen);
        losses.note(seen);
        assert_eq!(losses.present(), seen + 1);
        losses.after(seen).await;
        losses.note(losses.present());
        assert_eq!(losses.present(), seen + 2);
    }
}
