//! All credentials of the service, as one immutable set.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use super::{ApiKeyHash, ClientName, InvalidCredential, PasswordHash, Username};

/// One credential of a client: hashes, nothing that opens anything. A client may have several.
#[derive(Clone)]
pub enum Credential {
    /// An API key.
    ApiKey {
        /// Whose it is.
        client: ClientName,
        /// The hash of the key.
        hash: ApiKeyHash,
    },
    /// Username and password of the deprecated Basic scheme.
    Basic {
        /// Whose it is.
        client: ClientName,
        /// The name it logs in with.
        username: Username,
        /// The hash of the password.
        password: PasswordHash,
    },
}

/// All credentials of the service. Never changed: a new set takes its place.
#[derive(Default)]
pub struct Credentials {
    api_keys: HashMap<[u8; 32], (ApiKeyHash, Arc<str>)>,
    logins: HashMap<String, Login>,
    /// The costliest password hash; it is checked in vain when a username is unknown.
    decoy: Option<PasswordHash>,
    /// The memory in KiB that is enough to check any of the passwords.
    check_blocks: usize,
}

/// A client's password.
struct Login {
    client: Arc<str>,
    password: PasswordHash,
}

impl Credentials {
    /// The set of these credentials.
    ///
    /// # Errors
    /// [`InvalidCredential::DuplicateApiKey`] or [`InvalidCredential::DuplicateUsername`] for the first that is
    /// there twice.
    pub fn new(credentials: impl IntoIterator<Item = Credential>) -> Result<Self, InvalidCredential> {
        let (set, repeated) = Self::without_repeated(credentials);
        repeated.into_iter().next().map_or(Ok(set), Err)
    }

    /// The set of these credentials without those that repeat an earlier one, and what is wrong with each of these.
    ///
    /// For whoever has to go on with what there is: a credential that is no longer among them opens nothing.
    pub fn without_repeated(credentials: impl IntoIterator<Item = Credential>) -> (Self, Vec<InvalidCredential>) {
        let (mut set, mut repeated) = (Self::default(), Vec::new());
        for credential in credentials {
            let added = match credential {
                Credential::ApiKey { client, hash } => set.add_api_key(&client, hash),
                Credential::Basic { client, username, password } => set.add_login(&client, &username, password),
            };
            repeated.extend(added.err());
        }
        let costliest = set.logins.values().max_by_key(|login| login.password.cost_kib());
        set.check_blocks = set.logins.values().map(|login| login.password.check_blocks()).max().unwrap_or_default();
        set.decoy = costliest.map(|login| login.password.clone());
        (set, repeated)
    }

    /// The client with this API key, or `None`.
    pub(super) fn client_of_key(&self, key: &[u8]) -> Option<Arc<str>> {
        let presented = ApiKeyHash::of(key);
        let (kept, client) = self.api_keys.get(presented.bytes())?;
        kept.is_same(&presented).then(|| Arc::clone(client))
    }

    /// The hash to hold a password of `username` against, and the client if the username is known.
    ///
    /// For an unknown one it is the costliest hash there is, so that it takes no less time. `None` when there
    /// are no passwords at all.
    pub(super) fn login(&self, username: &str) -> Option<(&PasswordHash, Option<&Arc<str>>)> {
        match self.logins.get(username) {
            Some(login) => Some((&login.password, Some(&login.client))),
            None => self.decoy.as_ref().map(|decoy| (decoy, None)),
        }
    }

    /// The memory that is enough for [`PasswordHash::is_of`] of every password, in blocks of 1 KiB.
    pub(super) const fn check_blocks(&self) -> usize {
        self.check_blocks
    }

    fn add_api_key(&mut self, client: &ClientName, hash: ApiKeyHash) -> Result<(), InvalidCredential> {
        match self.api_keys.entry(*hash.bytes()) {
            Entry::Vacant(place) => drop(place.insert((hash, client.to_shared()))),
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
    ) -> Result<(), InvalidCredential> {
        match self.logins.entry(username.as_str().to_owned()) {
            Entry::Vacant(place) => drop(place.insert(Login { client: client.to_shared(), password })),
            Entry::Occupied(_) => {
                return Err(InvalidCredential::DuplicateUsername { username: username.as_str().to_owned() });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{NewApiKey, NewPassword};

    fn name(text: &str) -> ClientName {
        ClientName::new(text).unwrap()
    }

    #[test]
    fn a_client_is_found_by_each_of_its_keys_and_by_no_other() {
        let [first, second, unknown] = [(); 3].map(|()| NewApiKey::create().unwrap());
        let keys = [("acme", &first), ("acme", &second)].map(|(client, key)| Credential::ApiKey {
            client: name(client),
            hash: ApiKeyHash::from_hex(&key.sha256_hex()).unwrap(),
        });
        let credentials = Credentials::new(keys).unwrap();
        let client = |key: &NewApiKey| credentials.client_of_key(key.reveal().as_bytes());
        assert_eq!(client(&first).as_deref(), Some("acme"));
        assert_eq!(client(&second).as_deref(), Some("acme"));
        assert_eq!(client(&unknown), None);
    }

    #[test]
    fn the_same_credential_twice_is_refused() {
        let hash = ApiKeyHash::from_hex(&"a".repeat(64)).unwrap();
        let keys = ["acme", "apex"].map(|client| Credential::ApiKey { client: name(client), hash: hash.clone() });
        let error = Credentials::new(keys).err().unwrap();
        assert_eq!(error.to_string(), "the API key of client apex is configured twice");

        let password = PasswordHash::from_phc(NewPassword::create().unwrap().phc()).unwrap();
        let username = Username::new("partner").unwrap();
        let logins = ["acme", "apex"].map(|client| Credential::Basic {
            client: name(client),
            username: username.clone(),
            password: password.clone(),
        });
        assert_eq!(Credentials::new(logins).err().unwrap().to_string(), "username partner is configured twice");
    }

    #[test]
    fn an_unknown_username_is_held_against_the_costliest_password() {
        assert!(Credentials::default().login("nobody").is_none());
        let cheap = PasswordHash::from_phc(NewPassword::create().unwrap().phc()).unwrap();
        let phc = "$argon2id$v=19$m=19456,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$CWOrkoo7oJBQ/iyh7uJ0LO2aLEfrHwTWllSAxT0zRno";
        let costly = PasswordHash::from_phc(phc).unwrap();
        let login = |text: &str, password: &PasswordHash| Credential::Basic {
            client: name(text),
            username: Username::new(text).unwrap(),
            password: password.clone(),
        };
        let credentials = Credentials::new([login("a", &cheap), login("b", &costly)]).unwrap();
        let (decoy, client) = credentials.login("nobody").unwrap();
        assert_eq!((decoy.cost_kib(), client), (costly.cost_kib(), None));
        assert_eq!((credentials.check_blocks(), Credentials::default().check_blocks()), (19_456, 0));
    }
}
