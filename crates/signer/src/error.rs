//! The one error of this crate.

use std::error::Error;

use firmquote_domain::InvalidValue;

use crate::Refusal;

/// Why there is no signature; a variant per reaction.
#[derive(Debug, thiserror::Error)]
pub enum SignerError {
    /// The guard will not have this signed. The same request is refused again; no key was asked.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The key service, or the system's source of randomness, could not be asked. Later it may be there again.
    #[error("the signer is unavailable")]
    Unavailable {
        /// What stood in the way.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The operator has to correct the key. The message never repeats it.
    #[error("the signing key is unusable")]
    InvalidKey(#[source] InvalidValue),
    /// The signer answered with something that no pool contract would honour. A fault of the signer, to be looked into.
    #[error("the signer answered without a usable signature")]
    InvalidSignature(#[source] InvalidValue),
}
