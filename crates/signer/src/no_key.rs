//! A signer without a key, for pools that are only quoted.

use alloy_primitives::Address;
use async_trait::async_trait;
use firmquote_domain::{InvalidValue, Signature};

use crate::{Signer, SignerError, TypedMessage};

/// A signer without a key: it refuses every signature.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKey;

#[async_trait]
impl Signer for NoKey {
    fn address(&self) -> Address {
        Address::ZERO
    }

    fn is_local(&self) -> bool {
        true
    }

    async fn sign(&self, _: &TypedMessage) -> Result<Signature, SignerError> {
        Err(SignerError::InvalidKey(InvalidValue::Malformed { expected: "a key" }))
    }

    async fn check(&self) -> Result<(), SignerError> {
        Err(SignerError::InvalidKey(InvalidValue::Malformed { expected: "a key" }))
    }
}
