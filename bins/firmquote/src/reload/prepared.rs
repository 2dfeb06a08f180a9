//! A configuration on its way to be in force: what takes its time, beside the service that goes on.

use std::sync::Arc;

use anyhow::bail;
use firmquote_domain::PoolId;
use firmquote_market::Market;
use tokio::task::{JoinError, JoinHandle, spawn_blocking};

use super::{Origin, Served};
use crate::{
    chains::Chains,
    config::Config,
    prices,
    reserves::{self, PoolOnChain},
    service,
    signers::{self, Unasked},
};

/// A configuration with what its signers and nodes say of it.
pub(super) struct Prepared {
    config: Config,
    unasked: Vec<Unasked>,
    on_chain: Vec<PoolOnChain>,
}

impl Prepared {
    /// Begins to read the configuration, and to ask whom it names.
    pub(super) fn begin(origin: &Origin, served: &Served) -> JoinHandle<anyhow::Result<Self>> {
        let (read, chains, fixed) = (origin.reader(), Arc::clone(&served.chains), served.config.fixed.clone());
        tokio::spawn(async move {
            // Keystores take their time to open.
            let config = spawn_blocking(read).await??;
            if let Some(key) = fixed.difference(&config.fixed) {
                bail!("{key} cannot be changed while the service runs: start it again to change it");
            }
            Self::asked(config, &chains).await
        })
    }

    async fn asked(config: Config, chains: &Chains) -> anyhow::Result<Self> {
        let unasked = signers::ask(&config).await?;
        let on_chain = reserves::verified(reserves::open(&config, chains)?).await?;
        Ok(Self { config, unasked, on_chain })
    }
}

impl Served {
    /// Puts a configuration in force.
    ///
    /// # Errors
    /// For whatever keeps it from being in force as a whole; then nothing of it is.
    pub(super) fn finish(&mut self, prepared: Result<anyhow::Result<Prepared>, JoinError>) -> anyhow::Result<()> {
        let Prepared { config, unasked, on_chain } = prepared??;
        let signs = |account| self.config.pools.iter().any(|pool| pool.signer.signer.address() == account);
        if let Some(unasked) = unasked.iter().find(|unasked| !signs(unasked.account)) {
            bail!("a new signer has to answer before it takes over: {}", unasked.warning);
        }
        let is_same = |pool: &PoolOnChain| self.config.pools.iter().any(|known| pool.is_of(known));
        let is_unsure = |pool: &&PoolOnChain| !pool.is_verified() && !is_same(pool) && self.is_read(pool.id());
        if let Some(pool) = on_chain.iter().find(is_unsure) {
            bail!("pool {} is described anew, and no node can be asked whether it is so", pool.id());
        }
        let market = Arc::new(Market::default());
        let (quotes, pauses) = (Arc::clone(&self.stores.quotes), Arc::clone(&self.pauses));
        let desk = Arc::new(service::desk(&config, Arc::clone(&market), quotes, pauses));
        let credentials = service::credentials(&config)?;
        let service = service::service(&config, credentials, Arc::clone(&desk), Arc::clone(&self.prices))?;
        // From here on nothing fails. The desk in force reads the market as it was until the next one takes its place.
        let kept: Vec<PoolId> = on_chain.iter().filter(|pool| is_same(pool)).map(PoolOnChain::id).collect();
        prices::write_pools(&self.market, &config, &market);
        self.live.replace(service);
        self.pairs.replace(&config);
        self.read_reserves(on_chain, &kept);
        (self.config, self.desk) = (config, desk);
        Ok(())
    }
}
