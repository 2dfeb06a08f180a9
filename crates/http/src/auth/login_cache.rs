//! Caches verified Basic logins for five minutes, so that not every request costs an argon2 hash.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use sha2::{Digest, Sha256};

use super::credential_headers::BasicLogin;

/// How long a verified login stays valid.
const LOGIN_TTL: Duration = Duration::from_secs(300);
/// The capacity of the cache. When it is full, further logins are not cached and are verified on every request.
const MAX_LOGINS: usize = 1_024;

/// A secret of the process, without which a [`Fingerprint`] cannot be computed.
#[derive(Clone)]
pub(super) struct FingerprintKey(pub(super) [u8; 32]);

/// The fingerprint of a login: the SHA-256 of the process secret, the username, a colon and the password.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Fingerprint([u8; 32]);

impl FingerprintKey {
    /// Computes the fingerprint of a login, independent of how its header was formatted.
    pub(super) fn fingerprint(&self, login: &BasicLogin) -> Fingerprint {
        self.of_bytes(login.as_bytes())
    }

    fn of_bytes(&self, login: &[u8]) -> Fingerprint {
        Fingerprint(Sha256::new().chain_update(self.0).chain_update(login).finalize().into())
    }
}

/// The recently verified logins. Contains no passwords.
#[derive(Default)]
pub(super) struct LoginCache(Mutex<HashMap<Fingerprint, (Arc<str>, Instant)>>);

impl LoginCache {
    /// Returns the client of the login if it was verified recently.
    pub(super) fn find(&self, login: Fingerprint, now: Instant) -> Option<Arc<str>> {
        let logins = self.lock();
        let (client, verified_at) = logins.get(&login)?;
        is_fresh(*verified_at, now).then(|| Arc::clone(client))
    }

    /// Stores a verified login.
    pub(super) fn insert(&self, login: Fingerprint, client: &Arc<str>, now: Instant) {
        let mut logins = self.lock();
        if logins.len() >= MAX_LOGINS {
            logins.retain(|_, (_, verified_at)| is_fresh(*verified_at, now));
        }
        if logins.len() < MAX_LOGINS {
            logins.insert(login, (Arc::clone(client), now));
        }
    }

    /// Ignores poisoning: every change to the map is a single call, so a panic while the lock was held left the map
    /// consistent.
    fn lock(&self) -> MutexGuard<'_, HashMap<Fingerprint, (Arc<str>, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_fresh(verified_at: Instant, now: Instant) -> bool {
    now.saturating_duration_since(verified_at) < LOGIN_TTL
}

#[cfg(test)]
mod tests {
    use super::{super::credential_headers::basic_token, *};

    fn login(header: &str) -> BasicLogin {
        basic_token(header.as_bytes()).and_then(BasicLogin::decode).unwrap()
    }

    #[test]
    fn header_spelling_does_not_affect_the_cache_key() {
        let (verified, key, now) = (LoginCache::default(), FingerprintKey([7; 32]), Instant::now());
        for header in ["Basic YTpi", "bASIC YTpi", "Basic    YTpi  "] {
            verified.insert(key.fingerprint(&login(header)), &"acme".into(), now);
        }
        assert_eq!(verified.lock().len(), 1);
    }

    #[test]
    fn logins_are_cached_for_five_minutes() {
        let (verified, key, now) = (LoginCache::default(), FingerprintKey([7; 32]), Instant::now());
        let login_fingerprint = key.fingerprint(&login("Basic YTpi"));
        verified.insert(login_fingerprint, &"acme".into(), now);
        let at = |seconds| verified.find(login_fingerprint, now + Duration::from_secs(seconds));
        assert_eq!(at(299).as_deref(), Some("acme"));
        assert_eq!(at(300), None);
        assert!(verified.find(key.fingerprint(&login("Basic YTpj")), now).is_none());
        assert!(verified.find(FingerprintKey([8; 32]).fingerprint(&login("Basic YTpi")), now).is_none());
    }

    #[test]
    fn the_cache_is_bounded() {
        let (verified, key, now) = (LoginCache::default(), FingerprintKey([7; 32]), Instant::now());
        let numbered = |number: usize| key.of_bytes(&number.to_be_bytes());
        for number in 0..=MAX_LOGINS {
            verified.insert(numbered(number), &"acme".into(), now);
        }
        assert!(verified.find(numbered(MAX_LOGINS - 1), now).is_some());
        assert!(verified.find(numbered(MAX_LOGINS), now).is_none());
        let later = now + LOGIN_TTL;
        verified.insert(numbered(MAX_LOGINS), &"acme".into(), later);
        assert!(verified.find(numbered(MAX_LOGINS), later).is_some());
    }
}
