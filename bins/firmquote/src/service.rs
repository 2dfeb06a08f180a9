//! Puts a configuration and the crates together.

use std::sync::Arc;

use firmquote_config::{Config, ConfigError, PoolConfig, ReservesConfig, credentials_file};
use firmquote_desk::{Desk, Pauses, PriceDesk, ServedPool, Watch};
use firmquote_domain::Clock;
use firmquote_http::{Credential, Credentials, Service, Settings};
use firmquote_market::{Market, Snapshot};
use firmquote_signer::{PoolSigner, Signer};
use firmquote_store::QuoteStore;

use crate::{clock::CheckedClock, sources};

/// The desk of a configuration, which reads `market` and keeps its quotes in `store`.
pub(crate) fn desk(
    config: &Config,
    market: Arc<Market>,
    store: Arc<dyn QuoteStore>,
    pauses: Arc<Pauses>,
    watch: Arc<Watch>,
) -> Desk {
    let signers = config.pools.iter().map(|pool| Arc::clone(&pool.signer.signer)).collect();
    desk_with(signers, config, market, store, pauses, watch, clock(config))
}

/// The clock that a desk signs by. It is right when this is called.
pub(crate) fn clock(config: &Config) -> Arc<dyn Clock> {
    Arc::new(CheckedClock::new(config.store.max_clock_skew()))
}

/// The same, with these signers, one for each pool, in the place of the configuration's.
pub(crate) fn desk_with(
    signers: Vec<Arc<dyn Signer>>,
    config: &Config,
    market: Arc<Market>,
    store: Arc<dyn QuoteStore>,
    pauses: Arc<Pauses>,
    watch: Arc<Watch>,
    clock: Arc<dyn Clock>,
) -> Desk {
    let served = |(pool, signer): (&PoolConfig, Arc<dyn Signer>)| {
        ServedPool::new(PoolSigner::new(Arc::clone(&pool.pool), signer), pool.policy.clone())
    };
    let pools = config.pools.iter().zip(signers).map(served).collect();
    Desk { pools, pauses, market, store, clock, watch }
}

/// The credentials of a configuration: those of the file itself, and those of its credentials file.
///
/// # Errors
/// For the first thing that is wrong in the credentials file.
pub(crate) fn credentials(config: &Config) -> Result<Vec<Credential>, ConfigError> {
    let more =
        config.credentials_file.as_deref().map(|path| credentials_file::read(path, &sources::system())).transpose()?;
    Ok(config.credentials.iter().cloned().chain(more.into_iter().flatten()).collect())
}

/// The market of the file's own prices and reserves, whoever else tells them. Of pools whose reserves are on their chain
/// nothing is known.
pub(crate) fn written_market(config: &Config) -> Market {
    let known = config.pools.iter().filter_map(|pool| match &pool.reserves {
        ReservesConfig::Static(reserves, pool_tokens) => {
            Some((pool.id(), pool.at_written_prices(reserves, *pool_tokens)))
        }
        ReservesConfig::Chain => None,
    });
    Market::new(known.fold(Snapshot::default(), |all, (id, state)| all.with(id, state)))
}

/// Everything that is served: the configuration's `desk`, for the holders of `credentials`, and `prices` for the operator.
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
            trusted_proxies: config.server.trusted_proxies.clone(),
            cors_origins: config.server.cors_origins.clone(),
            basic: config.basic,
        },
    }
}
