//! What the program in which the service is embedded brings along.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use async_trait::async_trait;
use firmquote_config::{Config, PriceSourceConfig};
use firmquote_market::{PriceListener, PriceSource, SourceError};
use firmquote_signer::Signer;
use firmquote_store::Store;

use crate::Error;

/// What a host provides in place of what a configuration names.
#[derive(Clone, Default)]
pub(crate) struct HostParts {
    pub(crate) store: Option<Arc<dyn Store>>,
    /// By the names of the signers that they replace.
    pub(crate) signers: BTreeMap<String, Arc<dyn Signer>>,
    /// By the names of the sources of the kind `host`.
    pub(crate) price_sources: BTreeMap<String, Arc<dyn PriceSource>>,
}

impl HostParts {
    /// Checks that `config` has each signer and each price source that the host provides: a misspelled one would not be
    /// used.
    ///
    /// # Errors
    /// [`Error::HostPart`] for the first that it does not have.
    pub(crate) fn check_names(&self, config: &Config) -> Result<(), Error> {
        let signers = config.pools.iter().map(|pool| pool.signer.name.as_str()).collect();
        check_names("signer", self.signers.keys(), &signers)?;
        let sources = config.prices.sources.iter().filter_map(PriceSourceConfig::host_name);
        check_names("price source of the kind \"host\"", self.price_sources.keys(), &sources.collect())
    }

    /// Provides each price source of the kind `host` in `config` as one that has no prices.
    pub(crate) fn without_prices(config: &Config) -> Self {
        let names = config.prices.sources.iter().filter_map(PriceSourceConfig::host_name);
        let absent = |name: &str| (name.to_owned(), Arc::new(EmptyPriceSource) as Arc<dyn PriceSource>);
        Self { price_sources: names.map(absent).collect(), ..Self::default() }
    }

    /// Replaces the signers of `config`.
    ///
    /// # Errors
    /// [`Error::HostPart`] for a signer of another account than the configured one.
    pub(crate) fn replace_signers(&self, config: &mut Config) -> Result<(), Error> {
        for configured in config.pools.iter_mut().map(|pool| &mut pool.signer) {
            let Some(signer) = self.signers.get(&configured.name) else { continue };
            let (account, provided) = (configured.signer.address(), signer.address());
            if account != provided {
                let name = &configured.name;
                return Err(Error::HostPart(format!("signer {name:?} is {provided}, and {account} is configured")));
            }
            configured.signer = Arc::clone(signer);
        }
        Ok(())
    }
}

/// Checks that each of the `provided` names is among those of the configuration.
fn check_names<'n>(
    what: &str,
    mut provided: impl Iterator<Item = &'n String>,
    configured: &BTreeSet<&str>,
) -> Result<(), Error> {
    let Some(unknown) = provided.find(|name| !configured.contains(name.as_str())) else { return Ok(()) };
    let names: Vec<_> = configured.iter().copied().collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Err(Error::HostPart(format!("no {what} in the configuration has the name {unknown:?}, but: {names}")))
}

/// A source of another program.
struct EmptyPriceSource;

#[async_trait]
impl PriceSource for EmptyPriceSource {
    fn name(&self) -> &str {
        "host"
    }

    async fn run(&self, _: &dyn PriceListener) -> SourceError {
        SourceError::Disconnected("its prices come from the program that embeds the service".into())
    }
}
