//! Decides who a request comes from.

use std::{sync::Arc, time::Instant};

use actix_web::http::header::HeaderMap;
use firmquote_domain::{Client, UnixSeconds};

use super::{
    CredentialUse, Credentials, RandomnessUnavailable,
    check_memory::CheckMemory,
    credential_headers::{AcceptedCredentials, BasicLogin, CredentialHeader, basic_token},
    invalid::random_bytes,
    login_cache::{Fingerprint, FingerprintKey, LoginCache},
    password::CheckFailed,
    password_checks::PasswordChecks,
};
use crate::{error::ApiError, limits::FailedLoginPermit, service::ServiceName};

/// A request, as far as it says who it comes from.
#[derive(Clone, Copy)]
pub(crate) struct LoginAttempt<'r> {
    pub(crate) headers: &'r HeaderMap,
    /// What its operation takes.
    pub(crate) accepted: AcceptedCredentials,
    /// Whether Basic is refused where it was taken.
    pub(crate) is_basic_over: bool,
    pub(crate) realm: &'r ServiceName,
    /// Pays for a password that has to be checked.
    pub(crate) permit: &'r FailedLoginPermit<'r>,
    pub(crate) now: UnixSeconds,
}

/// Decides who a request comes from: what is needed for that whatever credentials are in force.
pub(crate) struct Authenticator {
    fingerprint_key: FingerprintKey,
    checks: PasswordChecks,
}

/// Credentials and the logins that were right under them: replaced together, so that a login is never believed
/// under credentials that no longer hold.
pub(crate) struct CredentialCache {
    credentials: Credentials,
    verified: LoginCache,
}

impl CredentialCache {
    /// Nobody has logged in with these yet; those that `earlier` knew go on being in use.
    pub(crate) fn new(credentials: Credentials, earlier: Option<&Self>) -> Self {
        earlier.inspect(|earlier| credentials.continue_uses(&earlier.credentials));
        Self { credentials, verified: LoginCache::default() }
    }

    /// The credentials that were used.
    pub(crate) fn uses(&self) -> impl Iterator<Item = CredentialUse<'_>> {
        self.credentials.uses()
    }
}

impl Authenticator {
    /// No password is being checked.
    ///
    /// # Errors
    /// [`RandomnessUnavailable`] when the system has no randomness to give.
    pub(crate) fn new() -> Result<Self, RandomnessUnavailable> {
        Ok(Self { fingerprint_key: FingerprintKey(random_bytes()?), checks: PasswordChecks::new() })
    }

    /// Who of those `known` sent a request.
    ///
    /// Credentials of a scheme the operation does not take count only when there are no others: then they are
    /// wrong ones. With two that it takes, both have to be right and of the same client.
    ///
    /// # Errors
    /// [`ApiError::NoCredentials`] when some are needed and none are there, [`ApiError::BasicEnded`] when those there,
    /// or those needed, are of the Basic scheme and that is over, [`ApiError::BadCredentials`] when they are wrong,
    /// [`ApiError::RateLimited`] when a password would have to be checked and the address may guess no more,
    /// [`ApiError::LoginsBusy`] when too many passwords wait to be checked, [`ApiError::Internal`] when one could not
    /// be checked.
    pub(crate) async fn client(
        &self,
        known: &Arc<CredentialCache>,
        attempt: LoginAttempt<'_>,
    ) -> Result<Client, ApiError> {
        let LoginAttempt { headers, accepted, is_basic_over, realm, permit, now } = attempt;
        let taken = AcceptedCredentials { basic: accepted.basic && !is_basic_over, ..accepted };
        let (api_key, authorization) = (CredentialHeader::api_key(headers), CredentialHeader::authorization(headers));
        let is_basic = matches!(authorization, CredentialHeader::Value(value) if basic_token(value).is_some());
        let by_key = taken.api_key && api_key != CredentialHeader::Nothing;
        let by_basic = taken.basic && (is_basic || authorization == CredentialHeader::Ambiguous);
        match (by_key, by_basic) {
            (true, false) => known.by_api_key(api_key, now),
            (false, true) => self.by_basic(known, authorization, permit, now).await,
            (true, true) => {
                let client = known.by_api_key(api_key, now)?;
                let same = self.by_basic(known, authorization, permit, now).await? == client;
                if same { Ok(client) } else { Err(ApiError::BadCredentials) }
            }
            (false, false) if is_basic && accepted.basic => Err(ApiError::BasicEnded),
            (false, false) if api_key != CredentialHeader::Nothing || authorization != CredentialHeader::Nothing => {
                Err(ApiError::BadCredentials)
            }
            (false, false) if taken.anonymous => Ok(Client::Anonymous),
            (false, false) if !taken.api_key && !taken.basic => Err(ApiError::BasicEnded),
            (false, false) => Err(ApiError::NoCredentials(taken.challenges(realm))),
        }
    }

    async fn by_basic(
        &self,
        known: &Arc<CredentialCache>,
        presented: CredentialHeader<'_>,
        permit: &FailedLoginPermit<'_>,
        now: UnixSeconds,
    ) -> Result<Client, ApiError> {
        let CredentialHeader::Value(header) = presented else { return Err(ApiError::BadCredentials) };
        let login = basic_token(header).and_then(BasicLogin::decode).ok_or(ApiError::BadCredentials)?;
        let fingerprint = self.fingerprint_key.fingerprint(&login);
        if let Some(client) = known.verified.find(fingerprint, Instant::now()) {
            known.credentials.note_login(login.username(), now);
            return Ok(Client::Named(client));
        }
        permit.pay()?;
        let known = Arc::clone(known);
        let checked = self.checks.run(move |memory| known.verify(&login, fingerprint, now, memory)).await;
        let checked = checked.and_then(|client| client.map_err(|error| ApiError::Internal(error.to_string())));
        if !matches!(checked, Ok(None)) {
            permit.take_back();
        }
        checked?.map(Client::Named).ok_or(ApiError::BadCredentials)
    }
}

impl CredentialCache {
    fn by_api_key(&self, presented: CredentialHeader<'_>, now: UnixSeconds) -> Result<Client, ApiError> {
        let CredentialHeader::Value(key) = presented else { return Err(ApiError::BadCredentials) };
        let client = self.credentials.client_of_key(key, now);
        client.map(Client::Named).ok_or(ApiError::BadCredentials)
    }

    fn verify(
        &self,
        login: &BasicLogin,
        fingerprint: Fingerprint,
        now: UnixSeconds,
        memory: &CheckMemory,
    ) -> Result<Option<Arc<str>>, CheckFailed> {
        let Some((password, client)) = self.credentials.login(login.username()) else { return Ok(None) };
        let is_right =
            memory.lend(self.credentials.check_blocks(), |blocks| password.is_of(login.password(), blocks))??;
        let client = client.filter(|_| is_right);
        if let Some(client) = client {
            self.verified.remember(fingerprint, client, Instant::now());
            self.credentials.note_login(login.username(), now);
        }
        Ok(client.cloned())
    }
}
