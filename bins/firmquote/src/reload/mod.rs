//! Puts a changed configuration in force while the service runs: all of it, or nothing.
//!
//! Whoever is being answered goes on with what was in force when the request came. Listeners, store, log, nodes and price
//! sources cannot be changed this way; a configuration that differs in one of them is refused by its key.

mod served;
mod watch;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::bail;
use firmquote_domain::PoolId;
use firmquote_http::TlsCertificate;
use firmquote_market::Market;
use tokio::{signal::unix::Signal, time::interval};

pub(crate) use self::served::Served;
use self::watch::{LOOK_EVERY, Watched};
use crate::{
    config::{self, Config, Override, TlsConfig},
    prices,
    reserves::{self, PoolOnChain},
    service, signers,
};

/// Where the configuration comes from.
pub(crate) struct Origin {
    path: PathBuf,
    overrides: Vec<Override>,
    /// The files of the configuration in force.
    in_force: Vec<PathBuf>,
    watched: Watched,
}

impl Origin {
    /// Watches the files of the configuration at `path` from now on; to be made before they are read.
    pub(crate) fn new(path: &Path, overrides: Vec<Override>) -> Self {
        let in_force = config::files(path, &overrides);
        let watched = Watched::new(in_force.clone());
        Self { path: path.to_owned(), overrides, in_force, watched }
    }

    /// Reads the configuration.
    ///
    /// # Errors
    /// For the first thing that is wrong.
    pub(crate) fn read(&self) -> Result<Config, config::ConfigError> {
        Config::from_file(&self.path, &self.overrides)
    }
}

/// Puts what changed in force, at every SIGHUP and whenever a file of `origin` changed, until the runtime ends.
pub(crate) async fn keep(mut served: Served, origin: Option<Origin>, mut hangups: Signal) {
    let Some(mut origin) = origin else {
        while hangups.recv().await.is_some() {
            tracing::info!("there is no file to read again");
        }
        return;
    };
    let mut looks = interval(LOOK_EVERY);
    loop {
        let because = tokio::select! {
            _ = hangups.recv() => "SIGHUP",
            _ = looks.tick() => match origin.watched.have_changed() {
                true => "a file changed",
                false => continue,
            },
        };
        served.reload(&mut origin, because).await;
    }
}

impl Served {
    /// Reads the configuration anew and puts it in force. If it is refused, what was in force stays, but for what stands for
    /// itself: the credentials file, so that a key can be revoked whatever else is being edited, and the certificate of TLS,
    /// which runs out.
    async fn reload(&mut self, origin: &mut Origin, because: &str) {
        // A configuration that is broken names none of the files that count for themselves.
        let files = config::files(&origin.path, &origin.overrides);
        origin.watched = Watched::new(files.iter().chain(&origin.in_force).cloned());
        let refused = self.apply(origin).await.err();
        self.metrics.count(refused.is_none());
        let (pools, path) = (self.config.pools.len(), origin.path.display());
        let Some(error) = refused else {
            origin.in_force = files;
            tracing::info!(because, %path, pools, "the configuration was read again and is in force");
            return;
        };
        tracing::error!(because, %path, error = %format!("{error:#}"), "the configuration is refused; what was in force stays");
        match self.apply_apart() {
            Ok(()) => tracing::info!("credentials and certificates alone were read again and are in force"),
            Err(error) => tracing::error!(error = %format!("{error:#}"), "credentials or certificates stay as well"),
        }
    }

    /// # Errors
    /// For whatever keeps the configuration from being in force as a whole; then nothing of it is.
    async fn apply(&mut self, origin: &Origin) -> anyhow::Result<()> {
        // Keystores take their time to open.
        let read = tokio::task::block_in_place(|| {
            let config = origin.read()?;
            let credentials = service::credentials(&config)?;
            anyhow::Ok((config, credentials))
        });
        let (config, credentials) = read?;
        if let Some(key) = self.config.fixed.difference(&config.fixed) {
            bail!("{key} cannot be changed while the service runs: start it again to change it");
        }
        let signs = |account| self.config.pools.iter().any(|pool| pool.signer.signer.address() == account);
        if let Some(unasked) = signers::ask(&config).await?.iter().find(|unasked| !signs(unasked.account)) {
            bail!("a new signer has to answer before it takes over: {}", unasked.warning);
        }
        let on_chain = reserves::verified(reserves::open(&config, &self.chains)?).await?;
        let is_same = |pool: &PoolOnChain| self.config.pools.iter().any(|known| pool.is_of(known));
        if let Some(pool) = on_chain.iter().find(|pool| !pool.is_verified() && !is_same(pool) && self.is_read(pool)) {
            bail!("pool {} is described anew, and no node can be asked whether it is so", pool.id());
        }
        let market = Arc::new(Market::default());
        let (quotes, pauses) = (Arc::clone(&self.stores.quotes), Arc::clone(&self.pauses));
        let desk = Arc::new(service::desk(&config, Arc::clone(&market), quotes, pauses));
        let service = service::service(&config, credentials, Arc::clone(&desk), Arc::clone(&self.prices))?;
        let certificate = self.certificate(&config)?;
        // From here on nothing fails. The desk in force reads the market as it was until the next one takes its place.
        let kept: Vec<PoolId> = on_chain.iter().filter(|pool| is_same(pool)).map(PoolOnChain::id).collect();
        prices::write_pools(&self.market, &config, &market);
        self.live.replace(service);
        self.show(certificate);
        self.pairs.replace(&config);
        self.read_reserves(on_chain, &kept);
        (self.config, self.desk) = (config, desk);
        Ok(())
    }

    /// The certificate that TLS is spoken with, as its files hold it now.
    ///
    /// # Errors
    /// For files that cannot be used.
    fn certificate(&self, config: &Config) -> anyhow::Result<Option<TlsCertificate>> {
        Ok(config.server.tls.as_ref().map(TlsConfig::load).transpose()?)
    }

    /// Shows a certificate to those who connect from now on.
    fn show(&self, certificate: Option<TlsCertificate>) {
        if let (Some(tls), Some(certificate)) = (&self.tls, certificate) {
            tls.replace(certificate);
        }
    }

    /// Puts what stands for itself in force, with everything else as it is.
    ///
    /// # Errors
    /// For the first thing that is wrong in it; what comes after stays as it was.
    fn apply_apart(&self) -> anyhow::Result<()> {
        let credentials = service::credentials(&self.config)?;
        let (desk, prices) = (Arc::clone(&self.desk), Arc::clone(&self.prices));
        self.live.replace(service::service(&self.config, credentials, desk, prices)?);
        self.show(self.certificate(&self.config)?);
        Ok(())
    }

    /// Whether reserves of the pool are being read at present.
    fn is_read(&self, pool: &PoolOnChain) -> bool {
        self.readers.contains_key(&pool.id())
    }
}
