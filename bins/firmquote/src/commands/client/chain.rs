//! The chain of a command: the one on the command line, else the only one there is.

use firmquote_client::Client;
use firmquote_domain::ChainId;

use crate::{cli::Pools, client::failure::Failure};

impl Pools {
    /// Returns the chain on the command line, else the only chain of the service. Without an API key the service does
    /// not list its chains, and it is chain 1.
    ///
    /// # Errors
    /// For a service of several chains, and when it does not list them.
    pub(super) async fn chain_of_service(&self, client: &Client) -> Result<ChainId, Failure> {
        match self.chain {
            Some(chain) => Ok(chain),
            None if client.has_api_key() => {
                let chains = client.chains().await?;
                only(chains.iter().map(|chain| *chain.chain_id), "the service")
            }
            None => ChainId::new(1).ok_or_else(|| Failure::usage("use --chain")),
        }
    }
}

/// Returns the only chain of `chains`, those of `holder`.
///
/// # Errors
/// If there are several, or none.
pub(super) fn only(chains: impl Iterator<Item = ChainId>, holder: &str) -> Result<ChainId, Failure> {
    let mut chains: Vec<_> = chains.collect();
    chains.sort_unstable();
    chains.dedup();
    match chains.as_slice() {
        [chain] => Ok(*chain),
        chains => {
            let names: Vec<_> = chains.iter().map(ToString::to_string).collect();
            Err(Failure::usage(format!("{holder} has the chains {}: use --chain", names.join(", "))))
        }
    }
}
