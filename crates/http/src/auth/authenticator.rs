//! Authenticates requests: maps the credentials of a request to a client.

use std::{sync::Arc, time::Instant};

use actix_web::http::header::HeaderMap;
use firmquote_domain::{Client, UnixSeconds};

use super::{
    CredentialUse, Credentials, RandomnessUnavailable,
    argon2_buffer_pool::Argon2BufferPool,
    credential_headers::{AcceptedCredentials, BasicLogin, CredentialHeader, basic_token},
    invalid::random_bytes,
    login_cache::{FingerprintKey, LoginCache},
    password::PasswordCheckError,
    password_checks::PasswordChecks,
};
use crate::{error::ApiError, limits::FailedLoginPermit, service::ServiceName};

/// The parts of a request that authentication needs.
#[derive(Clone, Copy)]
pub(crate) struct LoginAttempt<'r> {
    pub(crate) headers: &'r HeaderMap,
    /// The credentials that the operation accepts.
    pub(crate) accepted: AcceptedCredentials,
    /// Whether Basic is retired and therefore refused even by operations that accept it.
    pub(crate) is_basic_retired: bool,
    pub(crate) realm: &'r ServiceName,
    /// Whether the credential of an id is revoked.
    pub(crate) is_revoked: &'r dyn Fn(&str) -> bool,
    /// Charged for every password that the address did not use recently.
    pub(crate) permit: &'r FailedLoginPermit<'r>,
    pub(crate) now: UnixSeconds,
}

/// Authenticates requests: the state that does not depend on the current set of credentials.
pub(crate) struct Authenticator {
    fingerprint_key: FingerprintKey,
    checks: PasswordChecks,
}

/// Credentials and the logins that were verified with them. Both are replaced together, so that a cached login is never
/// accepted after its credentials were replaced.
pub(crate) struct CredentialCache {
    credentials: Credentials,
    verified: LoginCache,
}

impl CredentialCache {
    /// Creates a cache without verified logins; takes over the last-use times of credentials that were also in
    /// `earlier`.
    pub(crate) fn new(credentials: Credentials, earlier: Option<&Self>) -> Self {
        earlier.inspect(|earlier| credentials.inherit_last_uses(&earlier.credentials));
        Self { credentials, verified: LoginCache::default() }
    }

    /// Whether one of the credentials has this id.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.credentials.has_id(id)
    }

    /// Returns the credentials that were used, in no particular order.
    pub(crate) fn uses(&self) -> impl Iterator<Item = CredentialUse<'_>> {
        self.credentials.uses()
    }
}

impl Authenticator {
    /// Creates an authenticator with idle password checks.
    ///
    /// # Errors
    /// [`RandomnessUnavailable`] when the system provides no randomness.
    pub(crate) fn new() -> Result<Self, RandomnessUnavailable> {
        Ok(Self { fingerprint_key: FingerprintKey(random_bytes()?), checks: PasswordChecks::new() })
    }

    /// Returns the client that sent the request, looked up in `cache`.
    ///
    /// Credentials of a scheme that the operation does not accept are considered only if there are no others, and then
    /// count as wrong. If the request carries credentials of two accepted schemes, both must be right and belong to the
    /// same client.
    ///
    /// # Errors
    /// [`ApiError::NoCredentials`] when credentials are required and missing, [`ApiError::BasicRetired`] when the
    /// request presents Basic credentials, or the operation accepts no others, and Basic is retired,
    /// [`ApiError::BadCredentials`] when the credentials are wrong, [`ApiError::RateLimited`] when the address has used
    /// up its quota of failed logins and presents a password that it did not use recently, [`ApiError::LoginsBusy`]
    /// when too many passwords are waiting to be verified, [`ApiError::Internal`] when a password could not be
    /// verified.
    pub(crate) async fn client(
        &self,
        cache: &Arc<CredentialCache>,
        attempt: LoginAttempt<'_>,
    ) -> Result<Client, ApiError> {
        let LoginAttempt { headers, accepted, is_basic_retired, realm, is_revoked, permit, now } = attempt;
        let effective = AcceptedCredentials { basic: accepted.basic && !is_basic_retired, ..accepted };
        let (api_key, authorization) = (CredentialHeader::api_key(headers), CredentialHeader::authorization(headers));
        let is_basic = matches!(authorization, CredentialHeader::Value(value) if basic_token(value).is_some());
        let by_key = effective.api_key && api_key != CredentialHeader::Absent;
        let by_basic = effective.basic && (is_basic || authorization == CredentialHeader::Ambiguous);
        match (by_key, by_basic) {
            (true, false) => cache.by_api_key(api_key, is_revoked, now),
            (false, true) => self.by_basic(cache, authorization, is_revoked, permit, now).await,
            (true, true) => {
                let client = cache.by_api_key(api_key, is_revoked, now)?;
                let same = self.by_basic(cache, authorization, is_revoked, permit, now).await? == client;
                if same { Ok(client) } else { Err(ApiError::BadCredentials) }
            }
            (false, false) if is_basic && accepted.basic => Err(ApiError::BasicRetired),
            (false, false) if api_key != CredentialHeader::Absent || authorization != CredentialHeader::Absent => {
                Err(ApiError::BadCredentials)
            }
            (false, false) if effective.anonymous => Ok(Client::Anonymous),
            (false, false) if !effective.api_key && !effective.basic => Err(ApiError::BasicRetired),
            (false, false) => Err(ApiError::NoCredentials(effective.challenges(realm))),
        }
    }

    async fn by_basic(
        &self,
        cache: &Arc<CredentialCache>,
        presented: CredentialHeader<'_>,
        is_revoked: &dyn Fn(&str) -> bool,
        permit: &FailedLoginPermit<'_>,
        now: UnixSeconds,
    ) -> Result<Client, ApiError> {
        let CredentialHeader::Value(header) = presented else { return Err(ApiError::BadCredentials) };
        let login = basic_token(header).and_then(BasicLogin::decode).ok_or(ApiError::BadCredentials)?;
        if cache.credentials.has_login_expired(login.username(), now) || is_revoked(login.username()) {
            return Err(ApiError::BadCredentials);
        }
        let (fingerprint, address) = (self.fingerprint_key.fingerprint(&login), permit.address());
        if let Some(verified) = cache.verified.find(fingerprint, Instant::now()) {
            // To another address the response would otherwise reveal, beyond its quota, that the password is right.
            if !verified.is_known_at(address) {
                permit.charge()?;
                permit.refund();
                cache.verified.add_address(fingerprint, address);
            }
            cache.credentials.record_login(login.username(), now);
            return Ok(Client::Named(verified.client));
        }
        permit.charge()?;
        let cache = Arc::clone(cache);
        let check = move |memory: &Argon2BufferPool| {
            let client = cache.verify(&login, memory)?;
            if let Some(client) = &client {
                cache.verified.insert(fingerprint, client, address, Instant::now());
                cache.credentials.record_login(login.username(), now);
            }
            Ok::<_, PasswordCheckError>(client)
        };
        let checked = self.checks.run(check).await;
        let checked = checked.and_then(|client| client.map_err(|error| ApiError::Internal(error.to_string())));
        if !matches!(checked, Ok(None)) {
            permit.refund();
        }
        checked?.map(Client::Named).ok_or(ApiError::BadCredentials)
    }
}

impl CredentialCache {
    fn by_api_key(
        &self,
        presented: CredentialHeader<'_>,
        is_revoked: &dyn Fn(&str) -> bool,
        now: UnixSeconds,
    ) -> Result<Client, ApiError> {
        let CredentialHeader::Value(key) = presented else { return Err(ApiError::BadCredentials) };
        let client = self.credentials.client_of_key(key, is_revoked, now);
        client.map(Client::Named).ok_or(ApiError::BadCredentials)
    }

    /// Returns the client of a login with the right password.
    fn verify(&self, login: &BasicLogin, memory: &Argon2BufferPool) -> Result<Option<Arc<str>>, PasswordCheckError> {
        let Some((password, client)) = self.credentials.login(login.username()) else { return Ok(None) };
        let is_right = memory
            .with_buffer(self.credentials.memory_blocks(), |blocks| password.verify(login.password(), blocks))??;
        Ok(client.filter(|_| is_right).cloned())
    }
}
