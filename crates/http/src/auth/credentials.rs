//! All credentials of the service, as an immutable set.

use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use firmquote_desk::{BookTerms, ClientTerms};
use firmquote_domain::UnixSeconds;

use super::{
    ApiKeyHash, ClientCredential, ClientName, Credential, InvalidCredential, PasswordHash, SANDBOX_PREFIX, Username,
    invalid::MAX_BOOK_TERMS,
};

/// The credentials of the service. Immutable; a reload replaces the whole set.
#[derive(Default)]
pub struct Credentials {
    /// The terms of the clients that have any.
    terms: HashMap<Arc<str>, ClientTerms>,
    /// The most requests per second of the clients that have a limit of their own.
    request_limits: HashMap<Arc<str>, u32>,
    api_keys: HashMap<[u8; 32], StoredApiKey>,
    logins: HashMap<String, Login>,
    /// The costliest password hash, verified for unknown usernames so that they take as long.
    dummy_hash: Option<PasswordHash>,
    /// The memory in KiB that is enough to verify any of the passwords.
    memory_blocks: usize,
    /// Whether these are credentials of a sandbox, and only those: see [`SANDBOX_PREFIX`].
    is_sandbox: bool,
}

/// A client's API key.
struct StoredApiKey {
    hash: ApiKeyHash,
    /// The id of the credential.
    id: Box<str>,
    client: Arc<str>,
    expires_at: Option<UnixSeconds>,
    last_use: LastUse,
}

/// A client's password.
struct Login {
    client: Arc<str>,
    password: PasswordHash,
    expires_at: Option<UnixSeconds>,
    last_use: LastUse,
}

/// The Unix second of the last request that presented a credential; 0 before the first one.
#[derive(Default)]
struct LastUse(AtomicU32);

/// A credential that was used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CredentialUse<'c> {
    pub(crate) client: &'c str,
    /// The first 12 hex digits of the hash of an API key, or a username.
    pub(crate) id: String,
    /// When it was last used.
    pub(crate) at: UnixSeconds,
}

impl LastUse {
    fn record(&self, now: UnixSeconds) {
        self.0.store(now.get(), Ordering::Relaxed);
    }

    fn get(&self) -> Option<UnixSeconds> {
        Some(self.0.load(Ordering::Relaxed)).filter(|second| *second > 0).map(UnixSeconds::new)
    }
}

impl Credentials {
    /// Builds the set of these credentials.
    ///
    /// # Errors
    /// [`InvalidCredential::DuplicateApiKey`] or [`InvalidCredential::DuplicateUsername`] for the first duplicate,
    /// [`InvalidCredential::TooManyTerms`] for terms beyond the number for which levels are computed.
    pub fn new(credentials: impl IntoIterator<Item = Credential>) -> Result<Self, InvalidCredential> {
        Self::with_terms(credentials.into_iter().map(ClientCredential::from))
    }

    /// Builds the set of these credentials and of the terms of their clients.
    ///
    /// # Errors
    /// Those of [`Self::new`].
    pub fn with_terms(credentials: impl IntoIterator<Item = ClientCredential>) -> Result<Self, InvalidCredential> {
        let (set, invalid) = Self::deduplicated(credentials);
        invalid.into_iter().next().map_or(Ok(set), Err)
    }

    /// Builds the set of these credentials without duplicates, of which the first one counts, and without those of further
    /// terms than levels are computed for; returns an error for each dropped one.
    ///
    /// For a reload that must take effect despite these, so that removed credentials are revoked.
    pub fn deduplicated(credentials: impl IntoIterator<Item = ClientCredential>) -> (Self, Vec<InvalidCredential>) {
        let (mut set, mut invalid) = (Self::default(), Vec::new());
        let mut book_terms = HashSet::new();
        for credential in credentials.into_iter().filter(|credential| credential.is_enabled) {
            let ClientCredential { credential, is_enabled: _, expires_at, max_requests_per_second, terms } = credential;
            let client = credential.client().to_shared();
            let of_books = BookTerms::from(&terms);
            if !of_books.is_standard() && !book_terms.contains(&of_books) {
                if book_terms.len() == MAX_BOOK_TERMS {
                    invalid.push(InvalidCredential::TooManyTerms { client: client.to_string() });
                    continue;
                }
                book_terms.insert(of_books);
            }
            let added = match credential {
                Credential::ApiKey { client, hash } => set.add_api_key(&client, hash, expires_at),
                Credential::Basic { client, username, password } => {
                    set.add_login(&client, &username, password, expires_at)
                }
            };
            if let Err(duplicate) = added {
                invalid.push(duplicate);
                continue;
            }
            if let Some(limit) = max_requests_per_second {
                set.request_limits.insert(Arc::clone(&client), limit);
            }
            if terms != ClientTerms::default() {
                set.terms.insert(client, terms);
            }
        }
        let costliest = set.logins.values().max_by_key(|login| login.password.cost_kib());
        set.memory_blocks = set.logins.values().map(|login| login.password.memory_blocks()).max().unwrap_or_default();
        set.dummy_hash = costliest.map(|login| login.password.clone());
        (set, invalid)
    }

    /// Returns the same credentials for a sandbox: only keys and usernames that start with [`SANDBOX_PREFIX`] are
    /// accepted, which every other service rejects.
    #[must_use]
    pub fn for_sandbox(self) -> Self {
        Self { is_sandbox: true, ..self }
    }

    /// Whether a key or username belongs to this kind of service, sandbox or not.
    fn is_of_this_kind(&self, presented: &[u8]) -> bool {
        presented.starts_with(SANDBOX_PREFIX.as_bytes()) == self.is_sandbox
    }

    /// Returns the terms of the clients that have any.
    pub const fn terms(&self) -> &HashMap<Arc<str>, ClientTerms> {
        &self.terms
    }

    /// Returns the most requests per second of the clients that have a limit of their own.
    pub(crate) const fn request_limits(&self) -> &HashMap<Arc<str>, u32> {
        &self.request_limits
    }

    /// Returns how many clients there are.
    pub fn client_count(&self) -> usize {
        let key_clients = self.api_keys.values().map(|key| &key.client);
        key_clients.chain(self.logins.values().map(|login| &login.client)).collect::<HashSet<_>>().len()
    }

    /// Whether one of these credentials has this id.
    pub(super) fn has_id(&self, id: &str) -> bool {
        self.logins.contains_key(id) || self.api_keys.values().any(|known| &*known.id == id)
    }

    /// Returns the client with this API key and records `now` as the key's last use; `None` for an unknown or revoked key.
    pub(super) fn client_of_key(
        &self,
        key: &[u8],
        is_revoked: impl FnOnce(&str) -> bool,
        now: UnixSeconds,
    ) -> Option<Arc<str>> {
        if !self.is_of_this_kind(key) {
            return None;
        }
        let presented = ApiKeyHash::from_key(key);
        let known = self.api_keys.get(presented.bytes()).filter(|known| known.hash.constant_time_eq(&presented))?;
        if has_expired(known.expires_at, now) || is_revoked(&known.id) {
            return None;
        }
        known.last_use.record(now);
        Some(Arc::clone(&known.client))
    }

    /// Whether the password of `username` is no longer accepted at `now`.
    pub(super) fn has_login_expired(&self, username: &str, now: UnixSeconds) -> bool {
        self.logins.get(username).is_some_and(|login| has_expired(login.expires_at, now))
    }

    /// Records that the password of `username` was right at `now`.
    pub(super) fn record_login(&self, username: &str, now: UnixSeconds) {
        self.logins.get(username).inspect(|login| login.last_use.record(now));
    }

    /// Takes over the last-use times of `earlier` for credentials that are in both sets.
    pub(super) fn inherit_last_uses(&self, earlier: &Self) {
        let keys =
            earlier.api_keys.iter().filter_map(|(hash, key)| Some((&self.api_keys.get(hash)?.last_use, &key.last_use)));
        let logins =
            earlier.logins.iter().filter_map(|(name, login)| Some((&self.logins.get(name)?.last_use, &login.last_use)));
        for (here, there) in keys.chain(logins) {
            there.get().inspect(|second| here.record(*second));
        }
    }

    /// Returns the credentials that were used, in no particular order.
    pub(super) fn uses(&self) -> impl Iterator<Item = CredentialUse<'_>> {
        let keys = self.api_keys.values().filter_map(|StoredApiKey { id, client, last_use, .. }| {
            Some(CredentialUse { client, id: id.to_string(), at: last_use.get()? })
        });
        let logins = self.logins.iter().filter_map(|(username, Login { client, last_use, .. })| {
            Some(CredentialUse { client, id: username.clone(), at: last_use.get()? })
        });
        keys.chain(logins)
    }

    /// Returns the hash to verify a password of `username` against, and the client if the username is known.
    ///
    /// For an unknown username it is the costliest hash of the set, so that verification takes no less time. `None`
    /// when there are no passwords at all.
    pub(super) fn login(&self, username: &str) -> Option<(&PasswordHash, Option<&Arc<str>>)> {
        match self.logins.get(username).filter(|_| self.is_of_this_kind(username.as_bytes())) {
            Some(login) => Some((&login.password, Some(&login.client))),
            None => self.dummy_hash.as_ref().map(|dummy_hash| (dummy_hash, None)),
        }
    }

    /// Returns the memory that is enough for [`PasswordHash::verify`] with any of the passwords, in blocks of 1 KiB.
    pub(super) const fn memory_blocks(&self) -> usize {
        self.memory_blocks
    }

    fn add_api_key(
        &mut self,
        client: &ClientName,
        hash: ApiKeyHash,
        expires_at: Option<UnixSeconds>,
    ) -> Result<(), InvalidCredential> {
        match self.api_keys.entry(*hash.bytes()) {
            Entry::Vacant(place) => {
                let (client, last_use) = (client.to_shared(), LastUse::default());
                place.insert(StoredApiKey { id: hash.id().into(), hash, client, expires_at, last_use });
            }
            Entry::Occupied(_) => {
                return Err(InvalidCredential::DuplicateApiKey { client: client.as_str().to_owned() });
            }
        }
        Ok(())
    }

    fn add_login(
        &mut self,
        client: &ClientName,
        username: &Username,
        password: PasswordHash,
        expires_at: Option<UnixSeconds>,
    ) -> Result<(), InvalidCredential> {
        match self.logins.entry(username.as_str().to_owned()) {
            Entry::Vacant(place) => {
                let (client, last_use) = (client.to_shared(), LastUse::default());
                place.insert(Login { client, password, expires_at, last_use });
            }
            Entry::Occupied(_) => {
                return Err(InvalidCredential::DuplicateUsername { username: username.as_str().to_owned() });
            }
        }
        Ok(())
    }
}

/// Whether a credential is no longer accepted at `now`.
fn has_expired(expires_at: Option<UnixSeconds>, now: UnixSeconds) -> bool {
    expires_at.is_some_and(|expires_at| now >= expires_at)
}

#[cfg(test)]
mod tests {
    use firmquote_domain::Usd;

    use super::*;
    use crate::auth::{NewApiKey, NewPassword};

    fn name(text: &str) -> ClientName {
        ClientName::new(text).unwrap()
    }

    #[test]
    fn a_client_is_found_by_each_of_its_keys_only() {
        let [first, second, unknown] = [(); 3].map(|()| NewApiKey::generate().unwrap());
        let keys = [("acme", &first), ("acme", &second)].map(|(client, key)| Credential::ApiKey {
            client: name(client),
            hash: ApiKeyHash::from_hex(&key.sha256_hex()).unwrap(),
        });
        let credentials = Credentials::new(keys).unwrap();
        let client =
            |key: &NewApiKey| credentials.client_of_key(key.reveal().as_bytes(), |_| false, UnixSeconds::new(7));
        assert_eq!(client(&first).as_deref(), Some("acme"));
        assert_eq!(client(&second).as_deref(), Some("acme"));
        assert_eq!(client(&unknown), None);
        let ids = [&first, &second].map(|key| key.sha256_hex()[..12].to_owned());
        let mut uses: Vec<_> =
            credentials.uses().map(|used| (used.client.to_owned(), used.id, used.at.get())).collect();
        uses.sort_by_key(|(_, id, _)| ids.iter().position(|known| known == id));
        assert_eq!(uses, ids.map(|id| ("acme".to_owned(), id, 7)));
    }

    #[test]
    fn duplicate_credentials_are_rejected() {
        let hash = ApiKeyHash::from_hex(&"a".repeat(64)).unwrap();
        let keys = ["acme", "apex"].map(|client| Credential::ApiKey { client: name(client), hash: hash.clone() });
        let error = Credentials::new(keys).err().unwrap();
        assert_eq!(error.to_string(), "the API key of client apex is configured twice");

        let password = PasswordHash::from_phc(NewPassword::generate().unwrap().phc()).unwrap();
        let username = Username::new("partner").unwrap();
        let logins = ["acme", "apex"].map(|client| Credential::Basic {
            client: name(client),
            username: username.clone(),
            password: password.clone(),
        });
        assert_eq!(Credentials::new(logins).err().unwrap().to_string(), "username partner is configured twice");
    }

    #[test]
    fn terms_beyond_those_that_levels_are_computed_for_are_rejected() {
        let credential = |number: usize, max_trade: u64| {
            let credential = Credential::ApiKey {
                client: name(&format!("client{number}")),
                hash: ApiKeyHash::from_hex(&format!("{number:064x}")).unwrap(),
            };
            let terms = ClientTerms { max_trade: Some(Usd::new(max_trade)), ..ClientTerms::default() };
            ClientCredential { terms, ..credential.into() }
        };
        let mut credentials: Vec<_> = (0..64).map(|number| credential(number, number as u64 + 1)).collect();
        credentials.push(credential(64, 7));
        assert!(Credentials::with_terms(credentials.iter().cloned()).is_ok(), "two clients of the same terms");
        credentials.insert(0, credential(65, 1_000));
        let (accepted, invalid) = Credentials::deduplicated(credentials);
        assert_eq!(invalid, [InvalidCredential::TooManyTerms { client: "client63".to_owned() }]);
        assert!(!accepted.terms().contains_key("client63") && accepted.terms().contains_key("client64"));
    }

    #[test]
    fn unknown_usernames_are_checked_against_the_costliest_hash() {
        assert!(Credentials::default().login("nobody").is_none());
        let cheap = PasswordHash::from_phc(NewPassword::generate().unwrap().phc()).unwrap();
        let phc = "$argon2id$v=19$m=19456,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$CWOrkoo7oJBQ/iyh7uJ0LO2aLEfrHwTWllSAxT0zRno";
        let costly = PasswordHash::from_phc(phc).unwrap();
        let login = |text: &str, password: &PasswordHash| Credential::Basic {
            client: name(text),
            username: Username::new(text).unwrap(),
            password: password.clone(),
        };
        let credentials = Credentials::new([login("a", &cheap), login("b", &costly)]).unwrap();
        let (dummy_hash, client) = credentials.login("nobody").unwrap();
        assert_eq!((dummy_hash.cost_kib(), client), (costly.cost_kib(), None));
        assert_eq!((credentials.memory_blocks(), Credentials::default().memory_blocks()), (19_456, 0));
    }
}
