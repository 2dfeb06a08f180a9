//! Puts a configuration and the crates together.

use std::sync::Arc;

use firmquote_desk::Desk;
use firmquote_http::{Authenticator, Credential, Credentials, Metrics, Service, Settings};
use firmquote_market::{Market, Snapshot};
use firmquote_signer::PoolSigner;
use firmquote_store::QuoteStore;

use crate::{clock::SystemClock, config::Config};

/// The desk of a configuration, which keeps its quotes in `store`.
pub(crate) fn desk(config: &Config, store: Arc<dyn QuoteStore>) -> Desk {
    let snapshot =
        config.pools.iter().fold(Snapshot::default(), |snapshot, pool| snapshot.with(pool.id(), pool.state.clone()));
    let signer =
        |pool: &crate::config::PoolConfig| PoolSigner::new(Arc::clone(&pool.pool), Arc::clone(&pool.signer.signer));
    Desk {
        pools: config.pools.iter().map(signer).collect(),
        market: Arc::new(Market::new(snapshot)),
        store,
        clock: Arc::new(SystemClock),
    }
}

/// Everything that is served: the configuration's desk, for the holders of `credentials`.
///
/// # Errors
/// When a credential is there twice, or the system has no randomness to give.
pub(crate) fn service(
    config: &Config,
    credentials: Vec<Credential>,
    store: Arc<dyn QuoteStore>,
) -> anyhow::Result<Service> {
    Ok(Service {
        desk: Arc::new(desk(config, store)),
        authenticator: Arc::new(Authenticator::new(Credentials::new(credentials)?)?),
        metrics: Arc::new(Metrics::new(env!("CARGO_PKG_VERSION"))?),
        settings: Settings {
            service_name: config.server.service_name.clone(),
            public_url: config.server.public_url.clone(),
            anonymous: config.limits.anonymous,
            basic: config.basic,
            connections: config.server.connections,
        },
    })
}
