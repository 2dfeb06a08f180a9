//! Remembers for minutes which Basic headers were right, so that not every request costs an argon2 hash.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use sha2::{Digest, Sha256};

/// How long a header that was right is believed.
const BELIEVED_FOR: Duration = Duration::from_secs(300);
/// How many headers are remembered; one that comes when all places are taken is checked anew each time.
const PLACES: usize = 1_024;

/// A secret of the process; without it nobody can compute a [`Fingerprint`].
#[derive(Clone)]
pub(super) struct FingerprintKey(pub(super) [u8; 32]);

/// A header's fingerprint: the SHA-256 of the process's secret and the header.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Fingerprint([u8; 32]);

impl FingerprintKey {
    /// The fingerprint of a header's value.
    pub(super) fn fingerprint(&self, header: &[u8]) -> Fingerprint {
        Fingerprint(Sha256::new().chain_update(self.0).chain_update(header).finalize().into())
    }
}

/// The headers that were right lately. Neither headers nor passwords are in it.
#[derive(Default)]
pub(super) struct VerifiedHeaders(Mutex<HashMap<Fingerprint, (Arc<str>, Instant)>>);

impl VerifiedHeaders {
    /// The client whose header this was, if it was right lately.
    pub(super) fn find(&self, header: Fingerprint, now: Instant) -> Option<Arc<str>> {
        let headers = self.lock();
        let (client, verified_at) = headers.get(&header)?;
        is_fresh(*verified_at, now).then(|| Arc::clone(client))
    }

    /// Remembers that a header was right.
    pub(super) fn remember(&self, header: Fingerprint, client: &Arc<str>, now: Instant) {
        let mut headers = self.lock();
        if headers.len() >= PLACES {
            headers.retain(|_, (_, verified_at)| is_fresh(*verified_at, now));
        }
        if headers.len() < PLACES {
            headers.insert(header, (Arc::clone(client), now));
        }
    }

    /// A thread that panicked while it held the lock left the map whole: every change to it is one call.
    fn lock(&self) -> MutexGuard<'_, HashMap<Fingerprint, (Arc<str>, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_fresh(verified_at: Instant, now: Instant) -> bool {
    now.saturating_duration_since(verified_at) < BELIEVED_FOR
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_believed_for_five_minutes() {
        let (verified, key, now) = (VerifiedHeaders::default(), FingerprintKey([7; 32]), Instant::now());
        let header = key.fingerprint(b"Basic YTpi");
        verified.remember(header, &"acme".into(), now);
        let at = |seconds| verified.find(header, now + Duration::from_secs(seconds));
        assert_eq!(at(299).as_deref(), Some("acme"));
        assert_eq!(at(300), None);
        assert!(verified.find(key.fingerprint(b"Basic YTpj"), now).is_none());
        assert!(verified.find(FingerprintKey([8; 32]).fingerprint(b"Basic YTpi"), now).is_none());
    }

    #[test]
    fn no_more_headers_are_remembered_than_there_are_places() {
        let (verified, key, now) = (VerifiedHeaders::default(), FingerprintKey([7; 32]), Instant::now());
        let header = |number: usize| key.fingerprint(&number.to_be_bytes());
        for number in 0..=PLACES {
            verified.remember(header(number), &"acme".into(), now);
        }
        assert!(verified.find(header(PLACES - 1), now).is_some());
        assert!(verified.find(header(PLACES), now).is_none());
        let later = now + BELIEVED_FOR;
        verified.remember(header(PLACES), &"acme".into(), later);
        assert!(verified.find(header(PLACES), later).is_some());
    }
}
