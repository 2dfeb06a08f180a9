//! Tells all replicas which credentials the files of this one disable: in the order of the files' changes, and again
//! until the store has them.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use firmquote_desk::Pauses;
use firmquote_domain::Clock;
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::sleep,
};

use crate::supervise::Outage;

/// The delay before the store is asked again.
const RETRY_DELAY: Duration = Duration::from_secs(5);

/// A credential, by its id, and whether it is revoked.
type Change = (String, bool);

/// Where changes are handed to the task that stores them.
pub(super) struct SharedRevocations(UnboundedSender<Change>);

impl SharedRevocations {
    /// Returns the sender, and the task, which ends with the sender.
    pub(super) fn new(pauses: Arc<Pauses>, clock: Arc<dyn Clock>) -> (Self, impl Future<Output = ()> + Send + 'static) {
        let (sender, changes) = unbounded_channel();
        (Self(sender), store(changes, pauses, clock))
    }

    /// Revokes a credential on every replica, or ends that.
    pub(super) fn set(&self, credential: String, is_revoked: bool) {
        // The task ends with the service.
        self.0.send((credential, is_revoked)).ok();
    }
}

/// Stores changes, of each credential the last one.
async fn store(mut changes: UnboundedReceiver<Change>, pauses: Arc<Pauses>, clock: Arc<dyn Clock>) {
    let (mut pending, outage) = (BTreeMap::new(), Outage::new());
    loop {
        if pending.is_empty() {
            let Some((credential, is_revoked)) = changes.recv().await else { return };
            pending.insert(credential, is_revoked);
        }
        while let Ok((credential, is_revoked)) = changes.try_recv() {
            pending.insert(credential, is_revoked);
        }
        let Some(change) = pending.first_entry() else { continue };
        let (credential, is_revoked) = (change.key(), *change.get());
        match pauses.set_revoked(credential, is_revoked, None, clock.now()).await {
            Ok(()) => {
                change.remove();
                outage.recover();
            }
            Err(error) => {
                if outage.fail(()) {
                    tracing::error!(%error, credential, is_revoked, "other replicas do not know about a credential");
                }
                sleep(RETRY_DELAY).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use firmquote_domain::{ManualClock, Timestamp};
    use firmquote_store::{LayeredStore, MemoryStore, Store, StoreCall, StoreError};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_last_change_of_each_credential_is_stored_once_the_store_responds() {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        let layer = move |_: StoreCall| match counted.fetch_add(1, Ordering::Relaxed) {
            0 | 1 => Err(StoreError::Unavailable("an outage".into())),
            _ => Ok(()),
        };
        let store: Arc<dyn Store> =
            Arc::new(LayeredStore { layer, store: Arc::new(MemoryStore::new(1)) as Arc<dyn Store> });
        let pauses = Arc::new(Pauses::with_paused(Arc::clone(&store), BTreeSet::new()));
        let clock = Arc::new(ManualClock::at(Timestamp::from_seconds(1_700_000_000)));
        let (revocations, task) = SharedRevocations::new(Arc::clone(&pauses), clock);
        for (credential, is_revoked) in [("first", true), ("second", true), ("first", false), ("third", true)] {
            revocations.set(credential.to_owned(), is_revoked);
        }
        drop(revocations);
        task.await;
        let stored = store.paused().await.unwrap().revoked;
        assert_eq!(stored.into_iter().collect::<Vec<_>>(), ["second", "third"]);
        assert_eq!(calls.load(Ordering::Relaxed), 2 + 3 + 1, "two failures, a call for each credential, and the last");
    }
}
