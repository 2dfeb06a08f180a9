//! The port to a signing key.

use alloy_primitives::Address;
use async_trait::async_trait;
use firmquote_domain::Signature;

use crate::{SignerError, TypedMessage};

/// A signer of EIP-712 messages with one key, which it never reveals.
///
/// It signs every message it receives; the [`PoolSigner`](crate::PoolSigner) in front of it decides what may be signed.
/// It receives the whole message instead of the digest, because key services hash messages themselves.
#[async_trait]
pub trait Signer: Send + Sync {
    /// The account of the key: the designated signer of the contract.
    fn address(&self) -> Address;

    /// Whether the key is in this process: a signature then costs some microseconds and no wait.
    fn is_local(&self) -> bool {
        false
    }

    /// Signs `message` for [`Self::address`], with low s (EIP-2).
    ///
    /// An implementation that obtains the signature from another process must bound its wait, and verify the signature
    /// with [`recover`](crate::recover) before returning it.
    ///
    /// # Errors
    /// [`SignerError::Unavailable`] when the key is unavailable, [`SignerError::InvalidKey`] when there is no such key,
    /// [`SignerError::InvalidSignature`] when the result is not a signature for [`Self::address`]. Never
    /// [`SignerError::Refused`].
    async fn sign(&self, message: &TypedMessage) -> Result<Signature, SignerError>;

    /// Checks that the key is available, without signing anything. A key in memory always is.
    ///
    /// # Errors
    /// [`SignerError::Unavailable`] when it is not, [`SignerError::InvalidKey`] when the key service has no key for
    /// [`Self::address`].
    async fn check(&self) -> Result<(), SignerError> {
        Ok(())
    }
}
