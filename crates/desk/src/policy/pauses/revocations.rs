//! Revoked credentials: refused on every replica, whatever its files say, and kept in the store like pauses.

use std::collections::BTreeSet;

use firmquote_domain::Timestamp;
use firmquote_store::{Actor, ChangedKey, OperatorEntry, OperatorEvent};

use super::Pauses;
use crate::DeskError;

impl Pauses {
    /// Whether the credential of this id is revoked, as far as is known.
    pub fn is_revoked(&self, credential: &str) -> bool {
        self.published.load().as_deref().is_some_and(|snapshot| snapshot.revoked.contains(credential))
    }

    /// Returns the ids of the revoked credentials, as far as is known.
    pub fn revoked(&self) -> BTreeSet<String> {
        self.published.load().as_deref().map(|snapshot| snapshot.revoked.clone()).unwrap_or_default()
    }

    /// Revokes a credential on every replica, or ends that, and records who did so. A revocation takes effect in this
    /// process at once and, if it could not be stored, is stored by the next [`Self::refresh`] that can.
    ///
    /// # Errors
    /// [`DeskError::Store`] if that could not be stored: other replicas may not know about it.
    pub async fn set_revoked(
        &self,
        credential: &str,
        is_revoked: bool,
        actor: Option<Actor>,
        now: Timestamp,
    ) -> Result<(), DeskError> {
        let text = |is_revoked: bool| Some(is_revoked.to_string());
        let key = format!("{credential}.revoked");
        let changes = vec![ChangedKey { key, old: text(!is_revoked), new: text(is_revoked) }];
        let event = OperatorEvent::Credentials { replica: None, changes };
        // Stored again in any case: other replicas may not know about it.
        let is_change = self.is_revoked(credential) != is_revoked;
        let entry = is_change.then_some(OperatorEntry { event, actor, recorded_at: now });
        self.store_revocation(credential, is_revoked, entry.as_ref()).await
    }

    /// Sets a revocation in the store, and records `entry` with it.
    pub(super) async fn store_revocation(
        &self,
        credential: &str,
        is_revoked: bool,
        entry: Option<&OperatorEntry>,
    ) -> Result<(), DeskError> {
        self.update(|state| {
            state.revision += 1;
            if is_revoked {
                state.unstored_revocations.insert(credential.to_owned());
            }
        });
        self.store.set_revoked(credential, is_revoked, entry).await.map_err(DeskError::from_store)?;
        self.update(|state| {
            state.revision += 1;
            state.unstored_revocations.remove(credential);
            if is_revoked {
                state.revoked.insert(credential.to_owned());
            } else {
                state.revoked.remove(credential);
            }
        });
        Ok(())
    }
}
