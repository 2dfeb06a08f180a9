//! What the program in which the service is embedded brings along.

use std::{collections::BTreeMap, sync::Arc};

use firmquote_config::Config;
use firmquote_market::PriceSource;
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
    /// Replaces the signers of `config`.
    ///
    /// # Errors
    /// For a signer of another account than the configured one.
    pub(crate) fn replace_signers(&self, config: &mut Config) -> Result<(), Error> {
        for configured in config.pools.iter_mut().map(|pool| &mut pool.signer) {
            let Some(signer) = self.signers.get(&configured.name) else { continue };
            let (account, provided) = (configured.signer.address(), signer.address());
            if account != provided {
                let name = &configured.name;
                return Err(Error::HostSigner(format!("signer {name:?} is {provided}, and {account} is configured")));
            }
            configured.signer = Arc::clone(signer);
        }
        Ok(())
    }
}
