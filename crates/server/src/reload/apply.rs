//! Makes a verified configuration take effect: the desk, its pools with their books and states, the prices, the
//! credentials and the service are replaced together.

use std::{sync::Arc, time::Duration};

use firmquote_config::Config;
use firmquote_desk::Desk;
use firmquote_domain::PoolId;
use firmquote_http::Credentials;
use firmquote_market::{Market, Snapshot};
use firmquote_store::ChangedKey;
use tokio::{task::JoinError, time::sleep};

use super::{
    pending_config::PendingConfig,
    rejected_edits::{edit_with_outstanding_swaps, unconfirmed_price_edit},
};
use crate::{
    Error,
    assembly::{self, DeskParts, ServerState},
    breakers,
    chain::reserves::ChainPool,
    webhooks,
};

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
    ) -> Result<Vec<ChangedKey>, Error> {
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
        let desk = assembly::desk(&config, self.signers.instrument(&config), parts, self.tape.as_ref());
        let desk = Arc::new(self.with_state_of_pools(desk, &config));
        let listed = assembly::credentials(&config)?;
        let credentials = Credentials::with_terms(listed.credentials.iter().cloned())?;
        let webhooks = webhooks::open(&config.webhooks)?;
        // Nothing can fail from here on. The active desk keeps reading its own market until it is replaced.
        self.prices.replace(&config, feeds, &market);
        let service = assembly::service(&config, credentials, Arc::clone(&desk), Arc::clone(self.prices.desk()));
        self.live.replace(service);
        self.pairs.replace(&config);
        self.breakers.replace(breakers::policies(&config));
        self.webhooks.replace(webhooks);
        self.read_reserves(on_chain, &unchanged);
        let changed = self.config.text.changes(&config.text);
        self.config = config;
        self.replace_credentials(listed);
        clear_prices_later(std::mem::replace(&mut self.desk, desk));
        Ok(changed)
    }
}
