//! A configuration being prepared to take effect: the slow checks, which run while the service continues.

use std::{collections::BTreeMap, sync::Arc};

use firmquote_config::{Config, ConfigText, PoolConfig, SourceText};
use firmquote_domain::Clock;
use tokio::task::{JoinHandle, spawn_blocking};

use super::ConfigFile;
use crate::{
    Error,
    assembly::{self, ServerState},
    chain::{
        self, Chains,
        reserves::{self, ChainPool},
    },
    host::HostParts,
    prices::NewFeeds,
    redis::SharedPrices,
};

/// Which signing keys a configuration takes effect with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SignerKeys {
    /// The active ones of every signer whose table is unchanged: a key is only replaced on request.
    Keep,
    /// The ones that the files and variables contain now.
    Reload,
}

/// A configuration whose signers and pools have been checked.
pub(super) struct PendingConfig {
    pub(super) config: Config,
    pub(super) on_chain: Vec<ChainPool>,
    pub(super) feeds: NewFeeds,
}

/// The parts of the active configuration that a new one is checked against.
struct CurrentConfig {
    restart_required: ConfigText,
    signers: BTreeMap<String, ConfigText>,
    pools: Vec<PoolConfig>,
    chains: Arc<Chains>,
    price_sources: Vec<SourceText>,
    pushed_prices: Option<Arc<SharedPrices>>,
    host: HostParts,
    clock: Arc<dyn Clock>,
}

impl CurrentConfig {
    /// Replaces the reopened signers whose tables are unchanged with the active ones. Returns whether these are all.
    fn reuse_signers(&self, config: &mut Config) -> bool {
        let Config { signers, pools, .. } = config;
        let active = |name: &String| {
            let is_unchanged = signers.get(name).is_some_and(|table| self.signers.get(name) == Some(table));
            self.pools.iter().find(|active| is_unchanged && active.signer.name == *name)
        };
        pools.iter_mut().fold(true, |are_all, pool| match active(&pool.signer.name) {
            Some(active) => {
                pool.signer = active.signer.clone();
                are_all
            }
            None => false,
        })
    }
}

impl PendingConfig {
    /// Starts reading the configuration and querying its signers and nodes.
    pub(super) fn spawn(file: &ConfigFile, state: &ServerState, keys: SignerKeys) -> JoinHandle<Result<Self, Error>> {
        let Config { restart_required, signers, pools, .. } = &state.config;
        let (restart_required, signers, pools) = (restart_required.clone(), signers.clone(), pools.clone());
        let current = CurrentConfig {
            restart_required,
            signers,
            pools,
            chains: Arc::clone(&state.chains),
            price_sources: state.prices.texts(),
            pushed_prices: state.prices.pushed_prices(),
            host: state.host.clone(),
            clock: Arc::clone(&state.clock),
        };
        let read = file.reader();
        tokio::spawn(async move {
            // Opening a keystore is slow.
            let config = spawn_blocking(read).await??;
            Self::verify(config, &current, keys).await
        })
    }

    async fn verify(mut config: Config, current: &CurrentConfig, keys: SignerKeys) -> Result<Self, Error> {
        current.host.replace_signers(&mut config)?;
        if let Some(key) = current.restart_required.differences(&config.restart_required).first() {
            return Err(Error::NotReloadable(format!(
                "{key} cannot be changed while the service runs: restart it to apply the change"
            )));
        }
        if !(keys == SignerKeys::Keep && current.reuse_signers(&mut config))
            && let Some(warning) = assembly::unavailable_signers(&config).await?.first()
        {
            return Err(Error::NotReloadable(format!("a signer must respond before it takes over: {warning}")));
        }
        let on_chain = reserves::verify_all(reserves::open(&config, &current.chains)?).await?;
        chain::verify_static(&config, &current.chains, &current.pools).await?;
        let CurrentConfig { price_sources, chains, pushed_prices, clock, .. } = current;
        let feeds =
            NewFeeds::create(&config, price_sources, chains, pushed_prices.clone(), &current.host, clock).await?;
        Ok(Self { config, on_chain, feeds })
    }
}

#[cfg(test)]
mod tests;
