//! The limiters of a service.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use governor::clock::MonotonicClock;
use sha2::{Digest as _, Sha256};

use firmquote_domain::SourceNetwork;

use super::{
    LimitName, Limits, Network, Quota, RateLimitStatus, RequestSource, address_block::AddressBlock,
    address_limiter::AddressLimiter, client_address::client_address, limiter::Limiter,
};
use crate::{endpoints::Purpose, error::ApiError};

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
    /// Of the clients that have a limit of their own.
    of_clients: HashMap<Arc<str>, Arc<Limiter<Arc<str>>>>,
}

impl Limiters {
    /// Creates limiters that keep the counts of the `earlier` ones where the quota is unchanged, and start from zero
    /// otherwise.
    pub(crate) fn new(
        limits: Limits,
        of_clients: &HashMap<Arc<str>, u32>,
        trusted_proxies: Vec<Network>,
        earlier: Option<&Self>,
    ) -> Self {
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
        let of_client = |(client, per_second): (&Arc<str>, &u32)| {
            let quota = Quota::per_second(*per_second, *per_second);
            let same = earlier.and_then(|earlier| earlier.of_clients.get(client));
            let same = same.filter(|earlier| earlier.quota() == quota);
            let new = || Arc::new(Limiter::new(LimitName::Credential, quota, 1, MonotonicClock));
            (Arc::clone(client), same.map_or_else(new, Arc::clone))
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
            of_clients: of_clients.iter().map(of_client).collect(),
        }
    }

    /// Counts a request to an endpoint without credentials. Sign requests are counted separately, with the same quota,
    /// because their quotes were already counted.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] when the address has used up its quota.
    pub(crate) fn count_anonymous(&self, source: RequestSource<'_>, purpose: Purpose) -> Result<(), ApiError> {
        let limiter = if purpose == Purpose::Sign { &self.anonymous_signatures } else { &self.anonymous };
        source.enforce(limiter.take(self.address_block(source)))
    }

    /// Counts a request of `client` against its own limit, else against that of all clients with credentials, if one is
    /// configured.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] when the client has used up its quota.
    pub(crate) fn count_client(&self, source: RequestSource<'_>, client: &Arc<str>) -> Result<(), ApiError> {
        let limiter = self.of_clients.get(client).or(self.credential.as_ref());
        limiter.map_or(Ok(()), |limiter| source.enforce(limiter.take(client)))
    }

    /// Returns the network that a request came from.
    pub(crate) fn source_network(&self, source: RequestSource<'_>) -> SourceNetwork {
        source_network(self.address_block(source))
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
    pub(super) fn address_block(&self, source: RequestSource<'_>) -> AddressBlock {
        let peer = source.peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        AddressBlock::from_address(client_address(peer, source.headers, &self.trusted_proxies))
    }
}

/// Returns the identifier of this block, which is the same on all replicas.
fn source_network(block: AddressBlock) -> SourceNetwork {
    let mut hash = Sha256::new();
    match block {
        AddressBlock::V4(address) => hash.update(address.to_be_bytes()),
        AddressBlock::V6(network) => hash.update(network.to_be_bytes()),
    }
    SourceNetwork::new(hash.finalize().iter().take(8).fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
}
