//! The port to whatever holds a signing key.

use alloy_primitives::Address;
use async_trait::async_trait;
use firmquote_domain::Signature;

use crate::{SignerError, TypedMessage};

/// Signs EIP-712 messages with one key that it never shows.
///
/// It signs the message it is given; what may be signed is decided by [`PoolSigner`](crate::PoolSigner), which stands
/// before it. It is given the whole message and not its digest, because key services hash by themselves.
#[async_trait]
pub trait Signer: Send + Sync {
    /// The account of the key: the contract's designated signer.
    fn address(&self) -> Address;

    /// The signature of `message`, low s (EIP-2), for [`Self::address`].
    ///
    /// An implementation that gets the signature from elsewhere bounds the time it waits, and holds the answer
    /// against [`recover`](crate::digest) before it returns it.
    ///
    /// # Errors
    /// [`SignerError::Unavailable`] when the key could not be asked, [`SignerError::InvalidKey`] when there is
    /// no such key, [`SignerError::InvalidSignature`] when the answer is not a signature for
    /// [`Self::address`]. Never [`SignerError::Refused`].
    async fn sign(&self, message: &TypedMessage) -> Result<Signature, SignerError>;

    /// Whether the key can be asked, without having anything signed. A key in memory always can.
    ///
    /// # Errors
    /// [`SignerError::Unavailable`] when it cannot, [`SignerError::InvalidKey`] when whoever was asked has no key of
    /// [`Self::address`].
    async fn check(&self) -> Result<(), SignerError> {
        Ok(())
    }
}
