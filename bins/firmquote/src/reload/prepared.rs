//! A configuration on its way to be in force: what takes its time, beside the service that goes on.

use std::{sync::Arc, time::Duration};

use anyhow::bail;
use firmquote_config::{Config, PoolConfig, RestartRequired};
use firmquote_desk::Desk;
use firmquote_domain::PoolId;
use firmquote_http::Credentials;
use firmquote_market::{Market, Snapshot};
use tokio::{
    task::{JoinError, JoinHandle, spawn_blocking},
    time::sleep,
};

use super::{Origin, Served, price_edits};
use crate::{
    chains::Chains,
    prices,
    reserves::{self, PoolOnChain},
    service, signers,
};

/// With which signing keys a configuration comes into force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keys {
    /// With those in force, where the file says of them what it said: a key is changed when somebody says so.
    Kept,
    /// With those that are there now.
    Anew,
}

/// A configuration with what its signers and nodes say of it.
pub(super) struct Prepared {
    config: Config,
    on_chain: Vec<PoolOnChain>,
}

/// What a configuration is held against before it can come into force.
struct InForce {
    fixed: RestartRequired,
    signers: RestartRequired,
    pools: Vec<PoolConfig>,
    chains: Arc<Chains>,
}

impl InForce {
    /// Puts the signers in force in place of those that were opened again, if each pool's is among them.
    fn lend_signers(&self, config: &mut Config) -> bool {
        let known = |pool: &PoolConfig| self.pools.iter().find(|known| known.signer.name == pool.signer.name);
        let signers: Option<Vec<_>> = config.pools.iter().map(|pool| Some(known(pool)?.signer.clone())).collect();
        let Some(signers) = signers else { return false };
        config.pools.iter_mut().zip(signers).for_each(|(pool, signer)| pool.signer = signer);
        true
    }
}

impl Prepared {
    /// Begins to read the configuration, and to ask whom it names.
    pub(super) fn begin(origin: &Origin, served: &Served, keys: Keys) -> JoinHandle<anyhow::Result<Self>> {
        let Config { fixed, signers, pools, .. } = &served.config;
        let (fixed, signers, pools) = (fixed.clone(), signers.clone(), pools.clone());
        let in_force = InForce { fixed, signers, pools, chains: Arc::clone(&served.chains) };
        let read = origin.reader();
        tokio::spawn(async move {
            // Keystores take their time to open.
            let config = spawn_blocking(read).await??;
            Self::asked(config, &in_force, keys).await
        })
    }

    async fn asked(mut config: Config, in_force: &InForce, keys: Keys) -> anyhow::Result<Self> {
        if let Some(key) = in_force.fixed.difference(&config.fixed) {
            bail!("{key} cannot be changed while the service runs: start it again to change it");
        }
        let are_kept = keys == Keys::Kept && config.signers == in_force.signers;
        if !(are_kept && in_force.lend_signers(&mut config))
            && let Some(unasked) = signers::ask(&config).await?.first()
        {
            bail!("a signer has to answer before it takes over: {unasked}");
        }
        let on_chain = reserves::verified(reserves::open(&config, &in_force.chains)?).await?;
        reserves::verify_written(&config, &in_force.chains).await?;
        Ok(Self { config, on_chain })
    }
}

/// How long requests that came before may go on with what was in force.
const RETIRED_AFTER: Duration = Duration::from_secs(1);

/// Lets a desk that is no longer in force know nothing of prices after a while: whoever is still being answered by it then,
/// and has not been signed for, has to ask again.
fn retire(desk: Arc<Desk>) {
    tokio::spawn(async move {
        sleep(RETIRED_AFTER).await;
        desk.market.replace(Snapshot::default());
    });
}

impl Served {
    /// `desk` with the values that limits are bound by, of the pools that hold what they held. Where the file says otherwise
    /// what a pool holds, its operator says so, and its value is taken anew.
    fn with_value_anchors(&self, mut desk: Desk, config: &Config) -> Desk {
        let is_same = |id: PoolId| {
            let of = |config: &'_ Config| config.pools.iter().find(|pool| pool.id() == id).cloned();
            of(&self.config).zip(of(config)).is_some_and(|(old, new)| {
                old.reserves == new.reserves && old.pool.spec().assets == new.pool.spec().assets
            })
        };
        let pools = desk.pools.into_iter().map(|pool| {
            let id = pool.signer().pool().spec().id;
            let old = self.desk.pools.iter().find(|old| old.signer().pool().spec().id == id).filter(|_| is_same(id));
            match old {
                Some(old) => pool.with_value_anchor(Arc::clone(old.value_anchor())),
                None => pool,
            }
        });
        desk.pools = pools.collect();
        desk
    }

    /// Puts a configuration in force.
    ///
    /// # Errors
    /// For whatever keeps it from being in force as a whole; then nothing of it is.
    pub(super) fn finish(&mut self, prepared: Result<anyhow::Result<Prepared>, JoinError>) -> anyhow::Result<()> {
        let Prepared { config, on_chain } = prepared??;
        let is_same = |pool: &PoolOnChain| self.config.pools.iter().any(|known| pool.is_of(known));
        let is_unsure = |pool: &&PoolOnChain| !pool.is_verified() && !is_same(pool) && self.is_read(pool.id());
        if let Some(pool) = on_chain.iter().find(is_unsure) {
            bail!("pool {} is described anew, and no node can be asked whether it is so", pool.id());
        }
        if let Some(unconfirmed) = price_edits::unconfirmed(&self.config, &config) {
            bail!("{unconfirmed}");
        }
        let market = Arc::new(Market::default());
        let (quotes, pauses) = (Arc::clone(&self.stores.quotes), Arc::clone(&self.pauses));
        let (signers, watch) = (self.signers.watch(&config), Arc::clone(&self.desk.watch));
        let clock = Arc::clone(&self.desk.clock);
        let desk = service::desk_with(signers, &config, Arc::clone(&market), quotes, pauses, watch, clock);
        let desk = Arc::new(self.with_value_anchors(desk, &config));
        let credentials = Credentials::new(service::credentials(&config)?)?;
        let service = service::service(&config, credentials, Arc::clone(&desk), Arc::clone(&self.prices));
        // From here on nothing fails. The desk in force reads the market as it was until the next one takes its place.
        let kept: Vec<PoolId> = on_chain.iter().filter(|pool| is_same(pool)).map(PoolOnChain::id).collect();
        prices::write_pools(&self.market, &config, &market);
        self.live.replace(service);
        self.pairs.replace(&config);
        self.read_reserves(on_chain, &kept);
        self.config = config;
        retire(std::mem::replace(&mut self.desk, desk));
        Ok(())
    }
}
