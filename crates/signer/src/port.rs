//! The port to whatever holds a signing key.

use alloy_primitives::{Address, B256};
use async_trait::async_trait;
use firmquote_domain::Signature;

use crate::SignerError;

/// Signs digests with one key that it never shows.
///
/// It signs what it is given; what may be signed is decided by [`PoolSigner`](crate::PoolSigner), which stands
/// before it.
#[async_trait]
pub trait Signer: Send + Sync {
    /// The account of the key: the contract's designated signer.
    fn address(&self) -> Address;

    /// The signature of `digest`, deterministic (RFC 6979), for [`Self::address`].
    ///
    /// An implementation that gets the signature from elsewhere bounds the time it waits, and holds the answer
    /// against [`recover`](crate::recover) before it returns it.
    ///
    /// # Errors
    /// [`SignerError::Unavailable`] when the key could not be asked, [`SignerError::InvalidKey`] when there is
    /// no such key, [`SignerError::InvalidSignature`] when the answer is not a signature for
    /// [`Self::address`]. Never [`SignerError::Refused`].
    async fn sign_digest(&self, digest: B256) -> Result<Signature, SignerError>;
}
