//! The sandbox around the service, if the configuration has one.

use std::sync::Arc;

use firmquote_config::{Config, PoolConfig, ReservesConfig};
use firmquote_desk::{Desk, PriceDesk};
use firmquote_http::{ClientCredential, LiveService, Metrics};

use crate::Error;

/// The service that a sandbox is built around.
#[cfg_attr(not(feature = "sandbox"), expect(dead_code, reason = "nothing is built around it"))]
pub(crate) struct SandboxedService<'s> {
    pub(crate) live: &'s Arc<LiveService>,
    pub(crate) desk: &'s Arc<Desk>,
    pub(crate) prices: &'s Arc<PriceDesk>,
}

/// Whether the pools are on a node; in a sandbox either all are, or none.
pub(crate) fn has_node(config: &Config) -> bool {
    config.pools.iter().any(|pool: &PoolConfig| matches!(pool.reserves, ReservesConfig::Chain))
}

#[cfg(feature = "sandbox")]
pub(crate) use firmquote_sandbox::Sandbox;

/// Creates the sandbox, if one is configured.
///
/// # Errors
/// [`Error::Sandbox`] when it cannot be created.
#[cfg(feature = "sandbox")]
pub(crate) fn open(
    config: &Config,
    SandboxedService { live, desk, prices }: SandboxedService<'_>,
    credentials: Vec<ClientCredential>,
    metrics: Arc<Metrics>,
) -> Result<Option<Arc<Sandbox>>, Error> {
    let Some(settings) = &config.sandbox else { return Ok(None) };
    let service = |desk| {
        // Duplicates were rejected before.
        let (credentials, _) = firmquote_http::Credentials::deduplicated(credentials.iter().cloned());
        super::service(config, credentials, desk, Arc::clone(prices))
    };
    let parts = firmquote_sandbox::SandboxParts {
        live: Arc::clone(live),
        desk: Arc::clone(desk),
        metrics,
        service: &service,
        has_node: has_node(config),
        schedule: settings.schedule.clone(),
    };
    Ok(Some(Sandbox::new(parts)?))
}

/// A sandbox, of which there is none without the feature.
#[cfg(not(feature = "sandbox"))]
pub(crate) enum Sandbox {}

#[cfg(not(feature = "sandbox"))]
impl Sandbox {
    pub(crate) fn configure<R>(&self, _: R) {
        match *self {}
    }

    pub(crate) async fn run(&self) -> std::convert::Infallible {
        match *self {}
    }
}

/// Creates no sandbox: a configuration with one is refused before.
///
/// # Errors
/// None.
#[cfg(not(feature = "sandbox"))]
pub(crate) fn open(
    _: &Config,
    _: SandboxedService<'_>,
    _: Vec<ClientCredential>,
    _: Arc<Metrics>,
) -> Result<Option<Arc<Sandbox>>, Error> {
    Ok(None)
}
