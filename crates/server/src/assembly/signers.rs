//! Whether the keys that sign can be asked.

use firmquote_config::Config;
use firmquote_outbound::error_chain;
use firmquote_signer::SignerError;

use crate::{Error, error::Context as _};

/// Asks every signer of a pool, one after the other, for its key. Those in memory have nothing to be asked; a signing
/// service is waited for as long as it may take for a signature.
///
/// Returns, for a person to read, which cannot be asked now: their pools are quoted, and signed for once they can be.
///
/// # Errors
/// For a service that has no key of the configured account.
pub(crate) async fn ask(config: &Config) -> Result<Vec<String>, Error> {
    let mut asked: Vec<&str> = Vec::new();
    let mut unasked = Vec::new();
    for signer in config.pools.iter().map(|pool| &pool.signer) {
        if asked.contains(&signer.name.as_str()) {
            continue;
        }
        asked.push(&signer.name);
        let (name, account) = (&signer.name, signer.signer.address());
        match signer.signer.check().await {
            Ok(()) => {}
            Err(error @ SignerError::Unavailable { .. }) => {
                let error = error_chain(&error);
                unasked.push(format!("signer {name:?}: {error}; nothing is signed by {account} until it answers"));
            }
            Err(error) => return Err(error).with_context(|| format!("signer {name:?} ({account})")),
        }
    }
    Ok(unasked)
}
