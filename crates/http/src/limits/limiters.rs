//! The limiters of a service, and the permit that charges a request for failed logins.

use std::{
    cell::Cell,
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use governor::clock::MonotonicClock;
use sha2::{Digest as _, Sha256};

use firmquote_domain::Origin;

use super::{
    LimitName, Limits, Network, Quota, RateLimitStatus, RequestSource, address_block::AddressBlock,
    address_limiter::AddressLimiter, client_address::client_address, limiter::Limiter,
};
use crate::{error::ApiError, routes::Route};

/// The maximum number of tracked clients with credentials.
const MAX_CLIENTS: usize = 1_000_000;

/// The active limits and their counts.
pub(crate) struct Limiters {
    trusted_proxies: Vec<Network>,
    anonymous: Arc<AddressLimiter>,
    /// Counted separately from quotes, so that a client that got a quote can also get its signature.
    anonymous_signatures: Arc<AddressLimiter>,
    failed_logins: Arc<AddressLimiter>,
    credential: Option<Arc<Limiter<Arc<str>>>>,
}

impl Limiters {
    /// Creates limiters that keep the counts of the `earlier` ones where the quota is unchanged, and start from zero
    /// otherwise.
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

    /// Counts a request of `route` without credentials. Sign requests are counted separately, with the same quota,
    /// because their quotes were already counted.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] when the address has used up its quota.
    pub(crate) fn count_anonymous(&self, source: RequestSource<'_>, route: Route) -> Result<(), ApiError> {
        let limiter = if route.is_sign() { &self.anonymous_signatures } else { &self.anonymous };
        source.enforce(limiter.take(self.address_block(source)))
    }

    /// Counts a request of `client` against the limit on clients with credentials, if one is configured.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] when the client has used up its quota.
    pub(crate) fn count_client(&self, source: RequestSource<'_>, client: &Arc<str>) -> Result<(), ApiError> {
        self.credential.as_ref().map_or(Ok(()), |limiter| source.enforce(limiter.take(client)))
    }

    /// Returns the network that a request came from.
    pub(crate) fn origin(&self, source: RequestSource<'_>) -> Origin {
        origin(self.address_block(source))
    }

    /// Creates the permit that charges a request for wrong credentials.
    pub(crate) const fn failed_login_permit<'r>(&'r self, source: RequestSource<'r>) -> FailedLoginPermit<'r> {
        FailedLoginPermit::new(self, source)
    }

    /// Counts a failed login of the sender's address.
    pub(super) fn count_failed_login(&self, source: RequestSource<'_>) -> RateLimitStatus {
        self.failed_logins.take(self.address_block(source))
    }

    /// Reverts the count of a login that did not fail.
    pub(super) fn refund_failed_login(&self, source: RequestSource<'_>) {
        self.failed_logins.refund(self.address_block(source));
    }

    /// Returns the address block that a request is counted for. A request without a network peer counts for 0.0.0.0.
    fn address_block(&self, source: RequestSource<'_>) -> AddressBlock {
        let peer = source.peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        AddressBlock::from_address(client_address(peer, source.headers, &self.trusted_proxies))
    }
}

/// Returns what all replicas call this block.
fn origin(block: AddressBlock) -> Origin {
    let mut hash = Sha256::new();
    match block {
        AddressBlock::V4(address) => hash.update(address.to_be_bytes()),
        AddressBlock::V6(network) => hash.update(network.to_be_bytes()),
    }
    Origin::new(hash.finalize().iter().take(8).fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
}

/// The single failed login that a request can be charged for, however many of its credentials are wrong.
///
/// Checks that take time are charged before they run and refunded unless the credentials prove wrong. Concurrent
/// guesses therefore never exceed the quota, and beyond it no response reveals whether a guess was right. A client that
/// disconnects while a password is being verified stays charged, whether the password is right or wrong.
pub(crate) struct FailedLoginPermit<'r> {
    limiters: &'r Limiters,
    source: RequestSource<'r>,
    is_charged: Cell<bool>,
}

impl<'r> FailedLoginPermit<'r> {
    /// Creates a permit that is not charged yet.
    pub(super) const fn new(limiters: &'r Limiters, source: RequestSource<'r>) -> Self {
        Self { limiters, source, is_charged: Cell::new(false) }
    }

    /// Counts one failed login, unless the request is charged already.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] when the address has used up its quota.
    pub(crate) fn charge(&self) -> Result<(), ApiError> {
        if self.is_charged.get() {
            return Ok(());
        }
        self.source.enforce(self.limiters.count_failed_login(self.source))?;
        self.is_charged.set(true);
        Ok(())
    }

    /// Refunds the charge: the credentials were right, or were not verified after all.
    pub(crate) fn refund(&self) {
        if self.is_charged.replace(false) {
            self.limiters.refund_failed_login(self.source);
            self.source.clear_status();
        }
    }

    /// Returns `outcome` unchanged, after counting wrong credentials.
    ///
    /// # Errors
    /// The error of the outcome, or [`ApiError::RateLimited`] instead of wrong credentials beyond the quota.
    pub(crate) fn charge_on_failure<T>(&self, outcome: Result<T, ApiError>) -> Result<T, ApiError> {
        if matches!(outcome, Err(ApiError::BadCredentials)) {
            self.charge()?;
        }
        outcome
    }
}
