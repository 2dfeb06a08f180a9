//! The error of signing.

use std::error::Error;

use firmquote_domain::InvalidValue;

use crate::Refusal;

/// Reasons there is no signature, one variant per reaction of the caller.
#[derive(Debug, thiserror::Error)]
pub enum SignerError {
    /// The guard rejected the request. The same request is rejected again; no key was used.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The key service, or the randomness source of the system, is unavailable. A later attempt may succeed.
    #[error("the signer is unavailable")]
    Unavailable {
        /// The cause.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The key is invalid and the operator must correct it. The message never repeats the key.
    #[error("the signing key is unusable")]
    InvalidKey(#[source] InvalidValue),
    /// The signer returned a signature that no pool contract would honor. This is a fault of the signer that needs
    /// investigation.
    #[error("the signer returned no usable signature")]
    InvalidSignature(#[source] InvalidValue),
}
