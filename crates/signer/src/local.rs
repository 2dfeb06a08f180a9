//! A signer with its key in the memory of this process.

use std::fmt;

use alloy_primitives::Address;
use async_trait::async_trait;
use firmquote_domain::{InvalidValue, Signature};
use secp256k1::{
    Message,
    ecdsa::{RecoverableSignature, RecoveryId},
};

use crate::{Signer, SignerError, TypedMessage, blinding::BlindedContext, digest::address_of, key::HotKey};

/// A signer with a secp256k1 key in memory: deterministic (RFC 6979), low s (EIP-2), usable from many threads at once.
///
/// The key is overwritten when the signer is dropped, and is neither displayed nor exposed.
pub struct LocalSigner {
    key: HotKey,
    context: BlindedContext,
    address: Address,
}

impl LocalSigner {
    /// Creates a signer from a key of 64 hex digits, with or without `0x`.
    ///
    /// # Errors
    /// [`SignerError::InvalidKey`] for any other text, zero, and numbers not below the group order; no error contains
    /// the text. [`SignerError::Unavailable`] when the system provides no randomness.
    pub fn from_hex(text: &str) -> Result<Self, SignerError> {
        Self::with_key(HotKey::from_hex(text)?)
    }

    /// Creates a signer with a new random key, which is lost when the signer is dropped.
    ///
    /// # Errors
    /// [`SignerError::Unavailable`] when the system provides no randomness.
    pub fn random() -> Result<Self, SignerError> {
        Self::with_key(HotKey::random()?)
    }

    pub(crate) fn with_key(key: HotKey) -> Result<Self, SignerError> {
        let context = BlindedContext::new()?;
        let address = address_of(&context.with(|context| key.secret().public_key(context)));
        Ok(Self { key, context, address })
    }
}

#[async_trait]
impl Signer for LocalSigner {
    fn address(&self) -> Address {
        self.address
    }

    fn is_local(&self) -> bool {
        true
    }

    async fn sign(&self, message: &TypedMessage) -> Result<Signature, SignerError> {
        to_signature(&self.context.sign(Message::from_digest(message.digest().0), self.key.secret()))
    }
}

impl fmt::Debug for LocalSigner {
    /// The address only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalSigner").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Recovery ids 2 and 3 indicate an r above the group order, about one signature in 2^127; `ecrecover` rejects them.
fn to_signature(signature: &RecoverableSignature) -> Result<Signature, SignerError> {
    const SHAPE: InvalidValue = InvalidValue::OutOfRange { allowed: "two parts of 32 bytes and recovery id 0 or 1" };
    let (recovery_id, compact) = signature.serialize_compact();
    let is_y_odd = match recovery_id {
        RecoveryId::Zero => false,
        RecoveryId::One => true,
        RecoveryId::Two | RecoveryId::Three => return Err(SignerError::InvalidSignature(SHAPE)),
    };
    let ([r, s], _) = compact.as_chunks() else { return Err(SignerError::InvalidSignature(SHAPE)) };
    Signature::new(r.into(), s.into(), is_y_odd).map_err(SignerError::InvalidSignature)
}
