//! Caches verified Basic logins for five minutes, so that not every request costs an argon2 hash.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::credential_headers::BasicLogin;
use crate::limits::AddressBlock;

/// How long a verified login stays valid.
const LOGIN_TTL: Duration = Duration::from_secs(300);
/// The capacity of the cache. When it is full, further logins are not cached and are verified on every request.
const MAX_LOGINS: usize = 1_024;
/// The addresses kept with a login: the last ones that used it.
const MAX_ADDRESSES: usize = 4;

/// A secret of the process, without which a [`Fingerprint`] cannot be computed.
#[derive(Clone)]
pub(super) struct FingerprintKey(pub(super) [u8; 32]);

/// The fingerprint of a login: the SHA-256 of the process secret, the username, a colon and the password.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Fingerprint([u8; 32]);

impl FingerprintKey {
    /// Computes the fingerprint of a login, independent of how its header was formatted.
    pub(super) fn fingerprint(&self, login: &BasicLogin) -> Fingerprint {
        self.fingerprint_bytes(login.as_bytes())
    }

    fn fingerprint_bytes(&self, login: &[u8]) -> Fingerprint {
        Fingerprint(Sha256::new().chain_update(self.0).chain_update(login).finalize().into())
    }
}

/// The recently verified logins. Contains no passwords.
#[derive(Default)]
pub(super) struct LoginCache(Mutex<HashMap<Fingerprint, VerifiedLogin>>);

/// A login whose password was right.
#[derive(Clone)]
pub(super) struct VerifiedLogin {
    pub(super) client: Arc<str>,
    verified_at: Instant,
    /// The addresses that used it within their quotas of failed logins, newest first.
    addresses: [Option<AddressBlock>; MAX_ADDRESSES],
}

impl LoginCache {
    /// Returns the login if it was verified recently, from any address.
    pub(super) fn find(&self, login: Fingerprint, now: Instant) -> Option<VerifiedLogin> {
        self.0.lock().get(&login).filter(|verified| verified.is_fresh(now)).cloned()
    }

    /// Stores a login that was verified at the request of `address`.
    pub(super) fn insert(&self, login: Fingerprint, client: &Arc<str>, address: AddressBlock, now: Instant) {
        let mut logins = self.0.lock();
        if logins.len() >= MAX_LOGINS {
            logins.retain(|_, verified| verified.is_fresh(now));
        }
        if logins.len() < MAX_LOGINS || logins.contains_key(&login) {
            let new =
                || VerifiedLogin { client: Arc::clone(client), verified_at: now, addresses: [None; MAX_ADDRESSES] };
            let verified = logins.entry(login).or_insert_with(new);
            (verified.client, verified.verified_at) = (Arc::clone(client), now);
            verified.add(address);
        }
    }

    /// Adds an address to a login that is still cached.
    pub(super) fn add_address(&self, login: Fingerprint, address: AddressBlock) {
        if let Some(verified) = self.0.lock().get_mut(&login) {
            verified.add(address);
        }
    }
}

impl VerifiedLogin {
    /// Whether `address` is one of the last that used the login.
    pub(super) fn is_known_at(&self, address: AddressBlock) -> bool {
        self.addresses.contains(&Some(address))
    }

    /// Adds an address in place of the oldest.
    fn add(&mut self, address: AddressBlock) {
        if !self.is_known_at(address) {
            self.addresses.rotate_right(1);
            self.addresses[0] = Some(address);
        }
    }

    fn is_fresh(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.verified_at) < LOGIN_TTL
    }
}

#[cfg(test)]
mod tests {
    use super::{super::credential_headers::basic_token, *};

    fn address(last: u8) -> AddressBlock {
        AddressBlock::from_address([192, 0, 2, last].into())
    }

    fn login(header: &str) -> BasicLogin {
        basic_token(header.as_bytes()).and_then(BasicLogin::decode).unwrap()
    }

    #[test]
    fn header_spelling_does_not_affect_the_cache_key() {
        let (verified, key, now) = (LoginCache::default(), FingerprintKey([7; 32]), Instant::now());
        for header in ["Basic YTpi", "bASIC YTpi", "Basic    YTpi  "] {
            verified.insert(key.fingerprint(&login(header)), &"acme".into(), address(1), now);
        }
        assert_eq!(verified.0.lock().len(), 1);
    }

    #[test]
    fn logins_are_cached_for_five_minutes() {
        let (verified, key, now) = (LoginCache::default(), FingerprintKey([7; 32]), Instant::now());
        let login_fingerprint = key.fingerprint(&login("Basic YTpi"));
        verified.insert(login_fingerprint, &"acme".into(), address(1), now);
        let at = |seconds| verified.find(login_fingerprint, now + Duration::from_secs(seconds));
        assert_eq!(at(299).map(|verified| verified.client).as_deref(), Some("acme"));
        assert!(at(300).is_none());
        assert!(verified.find(key.fingerprint(&login("Basic YTpj")), now).is_none());
        assert!(verified.find(FingerprintKey([8; 32]).fingerprint(&login("Basic YTpi")), now).is_none());
    }

    #[test]
    fn the_cache_is_bounded() {
        let (verified, key, now) = (LoginCache::default(), FingerprintKey([7; 32]), Instant::now());
        let numbered = |number: usize| key.fingerprint_bytes(&number.to_be_bytes());
        for number in 0..=MAX_LOGINS {
            verified.insert(numbered(number), &"acme".into(), address(1), now);
        }
        assert!(verified.find(numbered(MAX_LOGINS - 1), now).is_some());
        assert!(verified.find(numbered(MAX_LOGINS), now).is_none());
        let later = now + LOGIN_TTL;
        verified.insert(numbered(MAX_LOGINS), &"acme".into(), address(1), later);
        assert!(verified.find(numbered(MAX_LOGINS), later).is_some());
    }

    #[test]
    fn the_last_addresses_of_a_login_are_kept() {
        let (verified, key, now) = (LoginCache::default(), FingerprintKey([7; 32]), Instant::now());
        let login = key.fingerprint(&login("Basic YTpi"));
        verified.insert(login, &"acme".into(), address(0), now);
        for last in [1, 2, 1, 3, 4] {
            verified.add_address(login, address(last));
        }
        let known = |last| verified.find(login, now).unwrap().is_known_at(address(last));
        assert_eq!([0, 1, 2, 3, 4, 5].map(known), [false, true, true, true, true, false]);
    }
}
