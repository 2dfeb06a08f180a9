//! Opens the components of a configuration and wires them together; no other module does.

mod changed_credentials;
mod listeners;
mod sandbox;
mod shared_revocations;
mod state;
pub(crate) mod stores;

use std::sync::Arc;

use firmquote_config::{
    Config, ConfigError, PoolConfig,
    credentials_file::{self, ReadCredentialsFile},
};
use firmquote_desk::{Desk, FirmLevelsState, OperatorView, Pauses, PriceDesk, ServedPool};
use firmquote_domain::Clock;
use firmquote_http::{Credentials, Service, Settings};
use firmquote_market::Market;
use firmquote_outbound::error_chain;
use firmquote_signer::{PoolSigner, Signer, SignerError};
use firmquote_store::Store;

use crate::{Error, environment::system_environment, error::Context as _, records::Tape};
pub use listeners::Addresses;
pub(crate) use listeners::open as open_listeners;
pub(crate) use state::ServerState;

/// The dependencies of a desk besides the configured pools.
pub(crate) struct DeskParts {
    pub(crate) market: Arc<Market>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) firm_levels: Arc<FirmLevelsState>,
    pub(crate) pauses: Arc<Pauses>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) operator_view: Arc<OperatorView>,
}

/// Builds the desk of the configured pools, whose requests are recorded on `tape`; `signers` has one for each pool, in
/// order.
pub(crate) fn desk(config: &Config, signers: Vec<Arc<dyn Signer>>, parts: DeskParts, tape: Option<&Tape>) -> Desk {
    let served = |(pool, signer): (&PoolConfig, Arc<dyn Signer>)| {
        ServedPool::new(PoolSigner::new(Arc::clone(&pool.pool), signer), pool.policy.clone())
    };
    let pools = config.pools.iter().zip(signers).map(served).collect();
    let DeskParts { market, store, firm_levels, pauses, clock, operator_view } = parts;
    let desk = Desk { pools, pauses, market, store, firm_levels, clock, operator_view, recorder: None };
    Desk { recorder: tape.map(|tape| tape.request_recorder(&desk)), ..desk }
}

/// Returns the signer of each configured pool, not instrumented.
pub(crate) fn pool_signers(config: &Config) -> Vec<Arc<dyn Signer>> {
    config.pools.iter().map(|pool| Arc::clone(&pool.signer.signer)).collect()
}

/// Returns the credentials of the configuration file itself and of its credentials file, and the id of that file, which is
/// empty if there is none.
///
/// # Errors
/// [`ConfigError`] for the first mistake in the credentials file.
pub(crate) fn credentials(config: &Config) -> Result<ReadCredentialsFile, ConfigError> {
    let path = config.credentials_file.as_deref();
    let read = path.map(|path| credentials_file::read(path, &system_environment())).transpose();
    let read = read.map_err(|error| match error {
        ConfigError::Unreadable { file, source } => {
            ConfigError::Unreadable { file: format!("auth.credentials_file: {file}"), source }
        }
        error => error,
    });
    let read = read?.unwrap_or_default();
    let credentials = config.credentials.iter().cloned().chain(read.credentials).collect();
    Ok(ReadCredentialsFile { credentials, ..read })
}

/// Builds the service of the HTTP interface: `desk` for the holders of `credentials`, and `prices` for the operator.
pub(crate) fn service(config: &Config, credentials: Credentials, desk: Arc<Desk>, prices: Arc<PriceDesk>) -> Service {
    desk.firm_levels.set_client_count(credentials.client_count());
    let credentials = if config.sandbox.is_some() { credentials.for_sandbox() } else { credentials };
    Service {
        desk,
        prices,
        operators: config.operators.clone(),
        credentials,
        settings: Settings {
            service_name: config.server.service_name.clone(),
            public_url: config.server.public_url.clone(),
            anonymous: config.limits.anonymous,
            limits: config.limits.limits,
            body_timeout: config.server.body_timeout,
            trusted_proxies: config.server.trusted_proxies.clone(),
            cors_origins: config.server.cors_origins.clone(),
            log_sample_ratio: config.log.sample_ratio,
            basic: config.basic,
        },
    }
}

/// Why a pool that executes signatures repeatedly and checks no curve is dangerous.
pub(crate) const REPLAYABLE: &str = "a plain pool that executes a signature repeatedly can be drained with one signature \
    (400 times before it expired), and nothing that the service does prevents it; if its contract executes each signature \
    once, set single_use = true";

/// Checks the key of every pool's signer, one after the other. In-memory signers need no check; a signing service gets
/// the timeout of a signature.
///
/// Returns a message for each unavailable signer: its pools are quoted, and signed for once it is available.
///
/// # Errors
/// For a signing service that has no key of the configured account.
pub(crate) async fn unavailable_signers(config: &Config) -> Result<Vec<String>, Error> {
    let mut checked: Vec<&str> = Vec::new();
    let mut warnings = Vec::new();
    for signer in config.pools.iter().map(|pool| &pool.signer) {
        if checked.contains(&signer.name.as_str()) {
            continue;
        }
        checked.push(&signer.name);
        let (name, account) = (&signer.name, signer.signer.address());
        match signer.signer.check().await {
            Ok(()) => {}
            Err(error @ SignerError::Unavailable { .. }) => {
                let error = error_chain(&error);
                warnings.push(format!(
                    "signer {name:?}: {error}; nothing is signed by {account} until the signer responds"
                ));
            }
            Err(error) => return Err(error).with_context(|| format!("signer {name:?} ({account})")),
        }
    }
    Ok(warnings)
}
