//! The limiters of a service, and the permit that a login holds while its credentials are checked.

use std::{
    cell::Cell,
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use governor::clock::MonotonicClock;

use super::{
    LimitName, Limits, Network, Quota, RateLimitStatus, Sender, address_block::AddressBlock,
    address_limiter::AddressLimiter, client_address::client_address, limiter::Limiter,
};
use crate::{error::ApiError, routes::Route};

/// The most clients with credentials that are remembered.
const MAX_CLIENTS: usize = 1_000_000;

/// The limits in force, with what was counted.
pub(crate) struct Limiters {
    trusted_proxies: Vec<Network>,
    anonymous: Arc<AddressLimiter>,
    /// Apart from the rest, so that a client that got a quote gets its signature.
    anonymous_signatures: Arc<AddressLimiter>,
    failed_logins: Arc<AddressLimiter>,
    credential: Option<Arc<Limiter<Arc<str>>>>,
}

impl Limiters {
    /// Limits that go on counting where the `earlier` ones have the same quota, and start anew where not.
    pub(crate) fn new(limits: Limits, trusted_proxies: Vec<Network>, earlier: Option<&Self>) -> Self {
        let by_address = |limit, quota, earlier: Option<&Arc<AddressLimiter>>| {
            let same = earlier.filter(|earlier| earlier.quota() == quota);
            same.map_or_else(|| Arc::new(AddressLimiter::new(limit, quota, MonotonicClock)), Arc::clone)
        };
        let by_client = |quota: Quota| {
            let same =
                earlier.and_then(|earlier| earlier.credential.as_ref()).filter(|earlier| earlier.quota() == quota);
            let new = || Arc::new(Limiter::new(LimitName::Credential, quota, MAX_CLIENTS, MonotonicClock));
            same.map_or_else(new, Arc::clone)
        };
        let Limits { anonymous, failed_logins, credential } = limits;
        Self {
            trusted_proxies,
            anonymous: by_address(LimitName::Anonymous, anonymous, earlier.map(|earlier| &earlier.anonymous)),
            anonymous_signatures: by_address(
                LimitName::AnonymousSignatures,
                anonymous,
                earlier.map(|earlier| &earlier.anonymous_signatures),
            ),
            failed_logins: by_address(
                LimitName::FailedLogins,
                failed_logins,
                earlier.map(|earlier| &earlier.failed_logins),
            ),
            credential: credential.map(by_client),
        }
    }

    /// Counts a request of `route` without credentials. Requests for the signature of a quote are counted by themselves, with
    /// the same quota: its quote was counted before.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] when its address has used up its quota.
    pub(crate) fn count_anonymous(&self, sender: Sender<'_>, route: Route) -> Result<(), ApiError> {
        let limiter = if route.is_sign() { &self.anonymous_signatures } else { &self.anonymous };
        sender.admit(limiter.take(self.source(sender)))
    }

    /// Counts a request of `client`.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] when there is a ceiling for clients and this one has used up its quota.
    pub(crate) fn count_client(&self, sender: Sender<'_>, client: &Arc<str>) -> Result<(), ApiError> {
        self.credential.as_ref().map_or(Ok(()), |limiter| sender.admit(limiter.take(client)))
    }

    /// What wrong credentials of a request will be counted by.
    pub(crate) const fn failed_login_permit<'r>(&'r self, sender: Sender<'r>) -> FailedLoginPermit<'r> {
        FailedLoginPermit::new(self, sender)
    }

    /// Counts a failed login.
    pub(super) fn take_failed_login(&self, sender: Sender<'_>) -> RateLimitStatus {
        self.failed_logins.take(self.source(sender))
    }

    /// Uncounts one that was none.
    pub(super) fn give_failed_login_back(&self, sender: Sender<'_>) {
        self.failed_logins.give_back(self.source(sender));
    }

    /// What counts as the client of a request. One that came over no network has no address.
    fn source(&self, sender: Sender<'_>) -> AddressBlock {
        let peer = sender.peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        AddressBlock::from_address(client_address(peer, sender.headers, &self.trusted_proxies))
    }
}

/// The one failed login that a request can be, however much of it is wrong.
///
/// Whatever takes time to check is paid before it is checked and given back when it was right. So as many guesses as
/// come at the same time are still no more than the quota, and beyond it nobody learns whether one was right. Whoever hangs
/// up while a password is checked has paid for it, right or wrong.
pub(crate) struct FailedLoginPermit<'r> {
    limiters: &'r Limiters,
    sender: Sender<'r>,
    is_paid: Cell<bool>,
}

impl<'r> FailedLoginPermit<'r> {
    /// Nothing is paid yet.
    pub(super) const fn new(limiters: &'r Limiters, sender: Sender<'r>) -> Self {
        Self { limiters, sender, is_paid: Cell::new(false) }
    }

    /// Counts one failed login, unless that is done already.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] when the address has used up its quota.
    pub(crate) fn pay(&self) -> Result<(), ApiError> {
        if self.is_paid.get() {
            return Ok(());
        }
        self.sender.admit(self.limiters.take_failed_login(self.sender))?;
        self.is_paid.set(true);
        Ok(())
    }

    /// Uncounts it: what was checked was right, or was not checked after all.
    pub(crate) fn take_back(&self) {
        if self.is_paid.replace(false) {
            self.limiters.give_failed_login_back(self.sender);
            self.sender.forget();
        }
    }

    /// The same outcome; wrong credentials are counted on the way.
    ///
    /// # Errors
    /// That of the outcome, or [`ApiError::RateLimited`] instead of wrong credentials beyond the quota.
    pub(crate) fn settle<T>(&self, outcome: Result<T, ApiError>) -> Result<T, ApiError> {
        if matches!(outcome, Err(ApiError::BadCredentials)) {
            self.pay()?;
        }
        outcome
    }
}
