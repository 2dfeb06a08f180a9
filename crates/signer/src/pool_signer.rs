//! A pool together with the signer of its offers.

use std::{fmt, sync::Arc};

use alloy_primitives::Address;
use firmquote_domain::{Pool, Signature};

use crate::{DomainSeparator, Refusal, Signer, SignerError, SigningRequest, TypedMessage, guard};

/// A signer of the offers of one pool that pass the guard.
///
/// Cheap to clone. Create a new one when the description of the pool changes.
#[derive(Clone)]
pub struct PoolSigner {
    pool: Arc<Pool>,
    separator: DomainSeparator,
    signer: Arc<dyn Signer>,
}

impl PoolSigner {
    /// Creates a signer for `pool` with the key behind `signer`.
    ///
    /// Does not check that this signer is the designated signer of the contract, which is on-chain state.
    pub fn new(pool: Arc<Pool>, signer: Arc<dyn Signer>) -> Self {
        Self { separator: DomainSeparator::from_pool(&pool), pool, signer }
    }

    /// Returns a signer with the same key for another description of the pool.
    #[must_use]
    pub fn with_pool(&self, pool: Arc<Pool>) -> Self {
        Self::new(pool, Arc::clone(&self.signer))
    }

    /// The pool of the signed offers.
    pub const fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    /// The signing account.
    pub fn address(&self) -> Address {
        self.signer.address()
    }

    pub(crate) const fn separator(&self) -> &DomainSeparator {
        &self.separator
    }

    pub(crate) fn signer(&self) -> &dyn Signer {
        &*self.signer
    }

    /// Checks `request` against the pool without signing; [`Self::sign`] repeats the check.
    ///
    /// # Errors
    /// The first [`Refusal`] that applies.
    pub fn check(&self, request: &SigningRequest) -> Result<(), Refusal> {
        guard::check(&self.pool, request)
    }

    /// Checks that the key is available, without signing anything.
    ///
    /// # Errors
    /// The errors of [`Signer::check`].
    pub async fn check_key(&self) -> Result<(), SignerError> {
        self.signer.check().await
    }

    /// Whether `other` uses the same signer instance.
    pub fn shares_key_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signer, &other.signer)
    }

    /// Whether the key is in this process.
    pub fn is_local(&self) -> bool {
        self.signer.is_local()
    }

    /// Signs the offer of the request.
    ///
    /// A key in memory always returns the same signature for the same offer; a key service may not. Does not check
    /// whether the amounts match the prices, or whether the quote was already signed for another client.
    ///
    /// # Errors
    /// [`SignerError::Refused`] before any key is used, otherwise the errors of [`Signer::sign`].
    pub async fn sign(&self, request: &SigningRequest) -> Result<Signature, SignerError> {
        self.check(request)?;
        self.signer.sign(&TypedMessage::from_offer(&self.separator, &request.offer)).await
    }
}

impl fmt::Debug for PoolSigner {
    /// Pool and signing account.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("PoolSigner");
        debug.field("pool", &self.pool.spec().id).field("address", &self.address()).finish_non_exhaustive()
    }
}
