//! The one place where a configuration's parts are opened and put together.

mod listeners;
pub(crate) mod signers;
mod state;
pub(crate) mod stores;

use std::sync::Arc;

use firmquote_config::{Config, ConfigError, PoolConfig, credentials_file};
use firmquote_desk::{Desk, Pauses, PriceDesk, ServedPool, Watch};
use firmquote_domain::Clock;
use firmquote_http::{Credential, Credentials, Service, Settings};
use firmquote_market::Market;
use firmquote_signer::{PoolSigner, Signer};
use firmquote_store::QuoteStore;

pub use self::listeners::Addresses;
pub(crate) use self::{listeners::open as open_listeners, state::ServerState};
use crate::sources::system_sources;

/// What a desk works with beside the pools of its configuration.
pub(crate) struct DeskParts {
    pub(crate) market: Arc<Market>,
    pub(crate) store: Arc<dyn QuoteStore>,
    pub(crate) pauses: Arc<Pauses>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) watch: Arc<Watch>,
}

/// The desk of a configuration's pools: `signers` has one for each, in their order.
pub(crate) fn desk(config: &Config, signers: Vec<Arc<dyn Signer>>, parts: DeskParts) -> Desk {
    let served = |(pool, signer): (&PoolConfig, Arc<dyn Signer>)| {
        ServedPool::new(PoolSigner::new(Arc::clone(&pool.pool), signer), pool.policy.clone())
    };
    let pools = config.pools.iter().zip(signers).map(served).collect();
    let DeskParts { market, store, pauses, clock, watch } = parts;
    Desk { pools, pauses, market, store, clock, watch }
}

/// The signers of a configuration's pools, one for each, as they are.
pub(crate) fn pool_signers(config: &Config) -> Vec<Arc<dyn Signer>> {
    config.pools.iter().map(|pool| Arc::clone(&pool.signer.signer)).collect()
}

/// The credentials of a configuration: those of the file itself, and those of its credentials file.
///
/// # Errors
/// [`ConfigError`] for the first thing that is wrong in the credentials file.
pub(crate) fn credentials(config: &Config) -> Result<Vec<Credential>, ConfigError> {
    let path = config.credentials_file.as_deref();
    let more = path.map(|path| credentials_file::read(path, &system_sources())).transpose()?;
    Ok(config.credentials.iter().cloned().chain(more.into_iter().flatten()).collect())
}

/// What the HTTP interface serves: `desk` for the holders of `credentials`, and `prices` for the operator.
pub(crate) fn service(config: &Config, credentials: Credentials, desk: Arc<Desk>, prices: Arc<PriceDesk>) -> Service {
    Service {
        desk,
        prices,
        admin_token: config.server.admin_token.clone(),
        credentials,
        settings: Settings {
            service_name: config.server.service_name.clone(),
            public_url: config.server.public_url.clone(),
            anonymous: config.limits.anonymous,
            limits: config.limits.limits,
            body_timeout: config.server.body_timeout,
            trusted_proxies: config.server.trusted_proxies.clone(),
            cors_origins: config.server.cors_origins.clone(),
            basic: config.basic,
        },
    }
}
