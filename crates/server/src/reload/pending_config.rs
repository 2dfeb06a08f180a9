//! A configuration being prepared to take effect: the slow checks, which run while the service continues.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use firmquote_config::{Config, ConfigText, PoolConfig, SourceText};
use firmquote_desk::Desk;
use firmquote_domain::{Clock, PoolId};
use firmquote_http::Credentials;
use firmquote_market::{Market, Snapshot};
use firmquote_store::redis::SharedHash;
use tokio::{
    task::{JoinError, JoinHandle, spawn_blocking},
    time::sleep,
};

use super::{
    ConfigFile,
    rejected_edits::{edit_with_outstanding_swaps, unconfirmed_price_edit},
};
use crate::{
    Error,
    assembly::{self, DeskParts, ServerState},
    chain::{
        self, Chains,
        reserves::{self, ChainPool},
    },
    host::HostParts,
    prices::NewFeeds,
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
    config: Config,
    on_chain: Vec<ChainPool>,
    feeds: NewFeeds,
}

/// The parts of the active configuration that a new one is checked against.
struct CurrentConfig {
    restart_required: ConfigText,
    signers: BTreeMap<String, ConfigText>,
    pools: Vec<PoolConfig>,
    chains: Arc<Chains>,
    price_sources: Vec<SourceText>,
    pushed_prices: Option<Arc<SharedHash>>,
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

/// Grace period for requests that started with the previous configuration.
const PRICE_GRACE_PERIOD: Duration = Duration::from_secs(1);

/// Clears the prices of a replaced desk after [`PRICE_GRACE_PERIOD`]: a request still in progress by then that has not
/// been signed must be repeated by the client.
fn clear_prices_later(desk: Arc<Desk>) {
    tokio::spawn(async move {
        sleep(PRICE_GRACE_PERIOD).await;
        desk.market.replace(Snapshot::default());
    });
}

impl ServerState {
    /// Carries over to the pools of `desk` their books, also those of pools that were removed before, the states that
    /// were returned to clients, and, where assets and configured reserves are unchanged, the value anchors that bound
    /// the limits. If the operator changed these, the value of the pool is anchored again.
    fn with_state_of_pools(&mut self, mut desk: Desk, config: &Config) -> Desk {
        self.books.extend(self.desk.pools.iter().map(|pool| (pool.id(), Arc::clone(pool.book()))));
        let is_same = |id: PoolId| {
            let of = |config: &'_ Config| config.pools.iter().find(|pool| pool.id() == id).cloned();
            of(&self.config).zip(of(config)).is_some_and(|(old, new)| {
                old.reserves == new.reserves && old.pool.spec().assets == new.pool.spec().assets
            })
        };
        let pools = desk.pools.into_iter().map(|pool| {
            let id = pool.id();
            let pool = match self.books.get(&id) {
                Some(book) => pool.with_book(Arc::clone(book)),
                None => pool,
            };
            match self.desk.pool(id) {
                Some(old) if is_same(id) => {
                    pool.with_states_of(old).with_initial_value(Arc::clone(old.initial_value()))
                }
                Some(old) => pool.with_states_of(old),
                None => pool,
            }
        });
        desk.pools = pools.collect();
        desk
    }

    /// Makes a configuration take effect. Returns the keys that have changed.
    ///
    /// # Errors
    /// For anything that prevents it from taking effect as a whole; then no part of it does.
    pub(super) fn apply(
        &mut self,
        pending: Result<Result<PendingConfig, Error>, JoinError>,
    ) -> Result<Vec<String>, Error> {
        let PendingConfig { config, on_chain, feeds } = pending??;
        let is_same = |pool: &ChainPool| self.config.pools.iter().any(|current| pool.describes(current));
        let is_unverified_change = |pool: &&ChainPool| !pool.is_verified() && !is_same(pool) && self.is_read(pool.id());
        if let Some(pool) = on_chain.iter().find(is_unverified_change) {
            let id = pool.id();
            let reason = format!("pool {id} was changed, and no node can be queried to verify it");
            return Err(Error::NotReloadable(reason));
        }
        let unchanged: Vec<PoolId> = on_chain.iter().filter(|pool| is_same(pool)).map(ChainPool::id).collect();
        if let Some(unconfirmed) = unconfirmed_price_edit(self, &config) {
            return Err(Error::NotReloadable(unconfirmed));
        }
        if let Some(outstanding) = edit_with_outstanding_swaps(self, &config) {
            return Err(Error::NotReloadable(outstanding));
        }
        let market = Arc::new(Market::default());
        let parts = DeskParts {
            market: Arc::clone(&market),
            store: Arc::clone(&self.store),
            firm_levels: Arc::clone(&self.desk.firm_levels),
            pauses: Arc::clone(&self.pauses),
            clock: Arc::clone(&self.clock),
            operator_view: Arc::clone(&self.desk.operator_view),
        };
        let desk = assembly::desk(&config, self.signers.instrument(&config), parts);
        let desk = Arc::new(self.with_state_of_pools(desk, &config));
        let credentials = Credentials::new(assembly::credentials(&config)?)?;
        // Nothing can fail from here on. The active desk keeps reading its own market until it is replaced.
        self.prices.replace(&config, feeds, &market);
        let service = assembly::service(&config, credentials, Arc::clone(&desk), Arc::clone(self.prices.desk()));
        self.live.replace(service);
        self.pairs.replace(&config);
        self.read_reserves(on_chain, &unchanged);
        let changed = self.config.text.differences(&config.text);
        self.config = config;
        clear_prices_later(std::mem::replace(&mut self.desk, desk));
        Ok(changed)
    }
}

#[cfg(test)]
mod tests;
